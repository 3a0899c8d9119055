// Whether a gateway can take requests, and if not, why. Load balancers get an answer soon, whatever the database does.

import type { Clock } from '../domain/clock.ts';
import { NoAnswer, patiently } from '../domain/patience.ts';
import type { LiveConfiguration } from '../processing/node/live-configuration.ts';
import { ConnectionLost, DatabaseError } from '../storage/database.ts';
import type { OrderStore } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';

const ANSWER_LIMIT_MS = 2_000;

/** Configuration and keys are read every second, so this is several missed reads. */
const STALE_MS = 5_000;

export type ReadinessParts = {
  readonly clock: Clock;
  readonly configuration: Pick<LiveConfiguration, 'readAt'>;
  readonly vault: Pick<Vault, 'readAgoMs'>;
  readonly writes: WriteWatch;
  readonly stopping: AbortSignal;
  /** Any question to the database. */
  readonly ask: () => Promise<unknown>;
  /** A small write of this node's own. */
  readonly write: () => Promise<unknown>;
};

/** Resolves with the reason, or with undefined when the gateway is ready. */
export type WhyNotReady = () => Promise<string | undefined>;

export function readinessOf(parts: ReadinessParts): WhyNotReady {
  const look = patiently(() => whyNotReady(parts), ANSWER_LIMIT_MS);
  return () =>
    look().catch((error) =>
      error instanceof NoAnswer ? 'the database does not answer' : 'the database cannot be reached',
    );
}

async function whyNotReady({ clock, configuration, vault, writes, stopping, ask, write }: ReadinessParts) {
  if (stopping.aborted) return 'it is stopping';
  await ask();
  if (vault.readAgoMs > STALE_MS) return "the vault's keys cannot be read";
  if (clock.now() - configuration.readAt > STALE_MS) return 'the configuration cannot be read';
  return (await writes.succeed(write)) ? undefined : 'the database takes no writes';
}

/** So long after a failed write a small write may be tried, to see whether writes work again. */
const QUIET_MS = 5_000;

/** Classes of SQLSTATE that are the fault of the written data: data errors, integrity, conflicts with others. */
const OWN_FAULTS = ['22', '23', '40'];

/** Whether orders can be written. A database may answer every question with a full disk, or as a read-only copy. */
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
