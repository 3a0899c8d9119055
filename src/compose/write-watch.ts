// Whether what goes through the one door is written. A database can answer every question and yet keep nothing: its
// disk is full, or it is a copy that only reads.

import type { Clock } from '../domain/clock.ts';
import { ConnectionLost, DatabaseError } from '../storage/database.ts';
import type { OrderStore } from '../storage/store.ts';

/** How long after a failure nobody may have tried, before a small write is taken for a sign that others work again. */
const QUIET_MS = 5_000;

/** The SQLSTATEs' classes that speak of what was to be written: data, integrity, conflicts with others. */
const OWN_FAULTS = ['22', '23', '40'];

export class WriteWatch {
  readonly #clock: Clock;
  #failedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The store, and whoever writes with it is watched. */
  over(store: OrderStore): OrderStore {
    return {
      ...store,
      commit: (batch) => this.#watched(store.commit(batch)),
      commitAlone: (write) => this.#watched(store.commitAlone(write)),
    };
  }

  /** Whether writes succeed: the last one did, or a while after it failed the given one does. */
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
