// Group commit: whatever arrived while the last write ran is written by the next one. There is no timer and, when idle,
// no added wait beyond the present turn of the event loop. Several lanes may write at the same time. Every shard has
// lanes of its own, so that no write is about two.

import type { Clock } from '../domain/clock.ts';
import { fairLot } from '../domain/merchant/fair-lot.ts';
import { shardOf } from '../domain/merchant/shard.ts';
import { present } from '../domain/present.ts';

export type GroupCommitOptions = {
  /** Of each shard. */
  readonly lanes: number;
  /** The most items one write takes. */
  readonly maxBatch: number;
  readonly clock?: Clock;
};

export type GroupCommitFairness<T> = {
  /** The merchant an item is of: when more wait than one write takes, everybody's oldest go first. */
  readonly whose?: (item: T) => number;
};

type Lane<T> = { waiting: T[]; busy: boolean };

export class GroupCommit<T> {
  readonly #flush: (items: T[]) => Promise<void>;
  readonly #maxBatch: number;
  readonly #lanesOfShard: number;
  /** By shard, made when the first item of it comes. */
  readonly #shards = new Map<number, readonly Lane<T>[]>();
  #lanes: readonly Lane<T>[] = [];
  readonly #whose: ((item: T) => number) | undefined;
  readonly #soon: (work: () => void) => void;
  #idle: (() => void)[] = [];

  /** `flush` settles every item itself and never throws. */
  constructor(
    flush: (items: T[]) => Promise<void>,
    { lanes, maxBatch, clock, whose }: GroupCommitOptions & GroupCommitFairness<T>,
  ) {
    this.#flush = flush;
    this.#whose = whose;
    this.#maxBatch = maxBatch;
    this.#soon = clock?.soon ?? setImmediate;
    this.#lanesOfShard = lanes;
  }

  /** Items of a shard with the same `key` go through the same lane, one write after the other. */
  add(item: T, key: number, shard: number): void {
    const lanes = this.#shards.get(shard) ?? this.#open(shard);
    const lane = present(lanes[key % lanes.length]);
    lane.waiting.push(item);
    if (lane.busy) return;
    lane.busy = true;
    this.#soon(() => this.#run(lane));
  }

  get waiting(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.waiting.length, 0);
  }

  /** Resolves when nothing is waiting or being written. */
  async drained(): Promise<void> {
    if (this.#lanes.some((lane) => lane.busy)) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #open(shard: number): readonly Lane<T>[] {
    const opened = Array.from({ length: this.#lanesOfShard }, (): Lane<T> => ({ waiting: [], busy: false }));
    this.#shards.set(shard, opened);
    this.#lanes = [...this.#lanes, ...opened];
    return opened;
  }

  async #run(lane: Lane<T>): Promise<void> {
    while (lane.waiting.length > 0) {
      await this.#flush(this.#take(lane));
    }
    lane.busy = false;
    if (this.#lanes.some((other) => other.busy)) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  #take(lane: Lane<T>): T[] {
    const items = lane.waiting;
    const most = this.#maxBatch;
    if (items.length <= most || !this.#whose) {
      const taken = items.length <= most ? items : items.slice(0, most);
      lane.waiting = items.slice(taken.length);
      return taken;
    }
    const { taken, left } = fairLot(items, most, this.#whose);
    lane.waiting = left;
    return taken;
  }
}

type Question<Q, A> = { readonly asked: Q; resolve(answer: A): void; reject(error: unknown): void };

/**
 * Asks at once whatever came while the last questions were answered, about merchants of one shard. `ask` answers all in
 * their order.
 */
export function askTogether<Q extends { readonly merchantId: number }, A>(
  ask: (asked: readonly Q[]) => Promise<readonly A[]>,
  options: Omit<GroupCommitOptions, 'lanes'>,
): (asked: Q) => Promise<A> {
  const answerAll = async (questions: Question<Q, A>[]) => {
    try {
      const answers = await ask(questions.map(({ asked }) => asked));
      for (const [index, { resolve }] of questions.entries()) resolve(answers[index] as A);
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  };
  const commits = new GroupCommit(answerAll, { lanes: 1, ...options });
  return (asked) =>
    new Promise((resolve, reject) => commits.add({ asked, resolve, reject }, 0, shardOf(asked.merchantId)));
}
