// Group commit: whatever arrived while the last write ran is written by the next one. There is no timer and, when idle,
// no added wait beyond the present turn of the event loop. Several lanes may write at the same time.

import type { Clock } from '../domain/clock.ts';

export type GroupCommitOptions = {
  readonly lanes: number;
  /** The most items one write takes. */
  readonly maxBatch: number;
  readonly clock?: Clock;
};

type Lane<T> = { waiting: T[]; busy: boolean };

export class GroupCommit<T> {
  readonly #flush: (items: T[]) => Promise<void>;
  readonly #maxBatch: number;
  readonly #lanes: Lane<T>[];
  readonly #soon: (work: () => void) => void;
  #idle: (() => void)[] = [];

  /** `flush` settles every item itself and never throws. */
  constructor(flush: (items: T[]) => Promise<void>, { lanes, maxBatch, clock }: GroupCommitOptions) {
    this.#flush = flush;
    this.#maxBatch = maxBatch;
    this.#soon = clock?.soon ?? setImmediate;
    this.#lanes = Array.from({ length: lanes }, () => ({ waiting: [], busy: false }));
  }

  /** Items with the same `key` go through the same lane, one write after the other. */
  add(item: T, key: number): void {
    const lane = this.#lanes[key % this.#lanes.length] as Lane<T>;
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

  async #run(lane: Lane<T>): Promise<void> {
    while (lane.waiting.length > 0) {
      const items = lane.waiting.length <= this.#maxBatch ? lane.waiting : lane.waiting.slice(0, this.#maxBatch);
      lane.waiting = lane.waiting.slice(items.length);
      await this.#flush(items);
    }
    lane.busy = false;
    if (this.#lanes.some((other) => other.busy)) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}

type Question<Q, A> = { readonly asked: Q; resolve(answer: A): void; reject(error: unknown): void };

/** Asks at once whatever came while the last questions were answered. `ask` answers all in their order. */
export function askTogether<Q, A>(
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
  return (asked) => new Promise((resolve, reject) => commits.add({ asked, resolve, reject }, 0));
}
