// Keeps the journal off the hot path: lines wait in memory for a moment and are written together.
// The wait is bounded in time and in number; what cannot be written in time is counted, never waited for.

import type { Clock } from '../domain/clock.ts';
import type { JournalLine, JournalStore } from '../storage/journal.ts';
import type { Log } from '../telemetry/log.ts';

const WRITE_EVERY_MS = 200;
const MAX_BATCH = 500;
const MAX_WAITING = 50_000;

export class Journal {
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #log: Log;
  #waiting: JournalLine[] = [];
  /** Lines lost because the database was away for too long. */
  dropped = 0;

  constructor(store: JournalStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  add(line: JournalLine): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(line);
    else this.dropped += 1;
  }

  /** Writes until the signal is aborted; the rest is written by `flush`. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(WRITE_EVERY_MS, signal);
      await this.flush().catch((error) => this.#log.warn('the journal could not be written, trying again', { error }));
    }
  }

  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.slice(0, MAX_BATCH);
      await this.#store.write(lines);
      this.#waiting = this.#waiting.slice(lines.length);
    }
  }
}
