// Looks after the months in which what only grows is kept: makes them ahead of need, and drops those that are forgotten
// as a whole. What this node may not do, it says once.

import type { Clock } from '../../domain/clock.ts';
import type { HistoryStore } from '../../storage/history/history-store.ts';
import type { MadeMonths } from '../../storage/history/make-months.ts';
import type { Log } from '../../telemetry/log.ts';

const HOUR_MS = 60 * 60_000;
/** Soon enough for a table that somebody read meanwhile. */
const AGAIN_MS = 60_000;

export type HistoryMonthsParts = {
  readonly clock: Clock;
  readonly store: HistoryStore;
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** How long requests are kept, and tries to call merchants; undefined keeps all. */
  readonly requestsKeptMs: number | undefined;
  readonly attemptsKeptMs: number | undefined;
};

export class HistoryMonths {
  readonly #parts: HistoryMonthsParts;
  #isForbidden = false;
  /** Rows that lie in no month of their own, when it was last looked. */
  restRows = 0;

  constructor(parts: HistoryMonthsParts) {
    this.#parts = parts;
  }

  /** Looks after them until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      const isDone = await this.look().catch((error) => {
        onError(error);
        return false;
      });
      await this.#parts.clock.sleep(isDone ? HOUR_MS : AGAIN_MS, signal);
    }
  }

  /** False when something is left for a moment later. */
  async look(): Promise<boolean> {
    const { clock, store, requestsKeptMs, attemptsKeptMs } = this.#parts;
    const now = clock.now();
    const outcome = await store.makeAhead(now);
    this.restRows = outcome.restRows;
    this.#tell(outcome);
    if (requestsKeptMs !== undefined) await store.dropRequests(now - requestsKeptMs);
    if (attemptsKeptMs !== undefined) await store.dropAttempts(now - attemptsKeptMs);
    return outcome.waiting.length === 0 || outcome.forbidden !== undefined;
  }

  #tell({ forbidden, waiting, restRows }: MadeMonths): void {
    const { log } = this.#parts;
    const isForbidden = forbidden !== undefined;
    if (isForbidden && !this.#isForbidden) {
      log.warn(
        'months to come cannot be made from here; "tender database migrate" as the role that owns the schema makes them',
        { detail: `${waiting.join(', ')}: ${forbidden}`, count: restRows },
      );
    }
    if (!isForbidden && this.#isForbidden) log.info('months to come are there again');
    this.#isForbidden = isForbidden;
  }
}
