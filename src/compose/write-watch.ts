// Whether the writes of orders succeed. A database can answer every question and yet write nothing: its disk is full,
// or it is a read-only copy.

import type { Clock } from '../domain/clock.ts';
import { ConnectionLost, DatabaseError } from '../storage/database.ts';
import type { OrderStore } from '../storage/store.ts';

/** So long after a failed write a small write may be tried, to see whether writes work again. */
const QUIET_MS = 5_000;

/** Classes of SQLSTATE that are the fault of the written data: data errors, integrity, conflicts with others. */
const OWN_FAULTS = ['22', '23', '40'];

export class WriteWatch {
  readonly #clock: Clock;
  #failedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same store, with its commits watched. */
  over(store: OrderStore): OrderStore {
    return {
      ...store,
      commit: (batch) => this.#watched(store.commit(batch)),
      commitAlone: (write) => this.#watched(store.commitAlone(write)),
    };
  }

  /** Whether writes succeed: the last one did, or `write` does, which is tried a while after a failure. */
  async succeed(write: () => Promise<unknown>): Promise<boolean> {
    if (this.#failedAt === undefined) return true;
    if (this.#clock.now() - this.#failedAt < QUIET_MS) return false;
    return this.#watched(write()).then(
      () => true,
      () => false,
    );
  }

  async #watched<T>(written: Promise<T>): Promise<T> {
    try {
      const answer = await written;
      this.#failedAt = undefined;
      return answer;
    } catch (error) {
      if (isDatabaseFault(error)) this.#failedAt = this.#clock.now();
      throw error;
    }
  }
}

function isDatabaseFault(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  return error instanceof DatabaseError && !OWN_FAULTS.includes((error.sqlState ?? '').slice(0, 2));
}
