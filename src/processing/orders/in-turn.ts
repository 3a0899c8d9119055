// Writes that decide inside a transaction of their own. Those for the same lock run one after the other, and a bounded
// number is under way at the same time.

import type { Clock } from '../../domain/clock.ts';
import { GroupCommit } from '../../storage/group-commit.ts';

const MAX_BATCH = 64;

export type InTurnOptions = {
  /** How many transactions may be under way: those that wait for a lock must not take all connections. */
  readonly lanes: number;
  readonly clock: Clock;
};

export class InTurn {
  readonly #queue: GroupCommit<() => Promise<void>>;

  constructor({ lanes, clock }: InTurnOptions) {
    this.#queue = new GroupCommit(oneByOne, { lanes, maxBatch: MAX_BATCH, clock });
  }

  /** Runs `work` after all earlier work of the same key. */
  run<T>(key: number, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.add(() => work().then(resolve, reject), key);
    });
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Resolves when nothing is waiting or under way. */
  drained(): Promise<void> {
    return this.#queue.drained();
  }
}

async function oneByOne(items: readonly (() => Promise<void>)[]): Promise<void> {
  for (const item of items) await item();
}
