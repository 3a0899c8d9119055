// Keeps the journal off the hot path: lines wait in memory for a moment and are written together.
// The wait is bounded in time and in number; lines that cannot be written in time are dropped and counted.
// About strangers only so many lines are written, and they are kept for a shorter time.

import type { Clock } from '../../domain/clock.ts';
import { serialNumbersSince } from '../../domain/ids/serial-times.ts';
import { DatabaseError } from '../../storage/database.ts';
import type { JournalLine, JournalStore } from '../../storage/requests/journal.ts';
import type { Log } from '../../telemetry/log.ts';
import { forgetOld } from '../node/forgetting.ts';
import { newSerialNumber } from '../node/serial-numbers.ts';
import { type LeftOut, StrangerLines } from './stranger-lines.ts';

const WRITE_EVERY_MS = 200;
const MAX_BATCH = 500;
const MAX_WAITING = 50_000;
/** Lines are short unless somebody sends long ones on purpose. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;

/** Few lines at a time, with a pause: the embedded database serves nobody else meanwhile. */
const FORGETTING = { everyMs: 10 * 60_000, lot: 500, pauseMs: 100 };

export type JournalOptions = {
  readonly store: JournalStore;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a line is kept; undefined keeps all. */
  readonly keptMs: number | undefined;
  /** How long a line about a stranger is kept; undefined keeps it as long as the others. */
  readonly strangersKeptMs?: number | undefined;
};

export class Journal {
  readonly #options: JournalOptions;
  #waiting: JournalLine[] = [];
  #characters = 0;
  /** Asked before a line about a stranger is made. */
  readonly strangers = new StrangerLines();
  /** The number of lines lost because the database was away for too long or did not take them. */
  dropped = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  add(line: JournalLine): void {
    const characters = line.request.length + line.reply.length;
    if (this.#waiting.length >= MAX_WAITING || this.#characters + characters > MAX_WAITING_CHARACTERS) {
      this.dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#characters += characters;
  }

  /** Writes until the signal is aborted; the rest is written by `flush`. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(WRITE_EVERY_MS, signal);
      this.#tell(this.strangers.endedBy(clock.now()));
      await this.flush().catch((error) => log.warn('the journal could not be written, trying again', { error }));
    }
  }

  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.slice(0, MAX_BATCH);
      await this.#write(lines);
      this.#waiting = this.#waiting.slice(lines.length);
      for (const { request, reply } of lines) this.#characters -= request.length + reply.length;
    }
  }

  /** Writes what waits, and tells how many lines about strangers were left out. */
  async close(): Promise<void> {
    this.#tell(this.strangers.end());
    await this.flush();
  }

  #tell(leftOut: readonly LeftOut[]): void {
    for (const one of leftOut) this.add(summaryOf(one, this.#options.clock.now()));
  }

  /** Removes lines that were kept long enough, until the signal is aborted. */
  async forgetOld(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { store, clock, keptMs } = this.#options;
    if (keptMs === undefined) return;
    const forget = (before: number, limit: number) => store.forget(serialNumbersSince(before), limit);
    await forgetOld({ ...FORGETTING, clock, keptMs, forget }, signal, onError);
  }

  /** The same for lines about strangers. */
  async forgetStrangers(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { store, clock, strangersKeptMs: keptMs } = this.#options;
    if (keptMs === undefined) return;
    const forget = (before: number, limit: number) => store.forgetStrangers(serialNumbersSince(before), limit);
    await forgetOld({ ...FORGETTING, clock, keptMs, forget }, signal, onError);
  }

  /** A line the database does not take must not keep the others waiting for ever. */
  async #write(lines: readonly JournalLine[]): Promise<void> {
    try {
      await this.#options.store.write(lines);
    } catch (error) {
      if (!isBadData(error)) throw error;
      if (lines.length > 1) {
        for (const line of lines) await this.#write([line]);
        return;
      }
      const [{ serialNumber }] = lines as [JournalLine];
      this.dropped += 1;
      this.#options.log.error('a journal line could not be written', { serialNumber, error });
    }
  }
}

/** One line for all that got none; it is about no single request and has no status. */
function summaryOf({ block, leftOut }: LeftOut, now: number): JournalLine {
  return {
    ...{ serialNumber: newSerialNumber(now), at: now, operation: undefined, pathId: undefined },
    ...{ merchantId: undefined, orderId: undefined, httpStatus: 0, errorCode: undefined, milliseconds: 0 },
    request: '{}',
    reply: JSON.stringify({ 'requests-left-out': leftOut, from: block }),
  };
}

/** SQLSTATE class 22, data exception: the same line will fail again. */
function isBadData(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState?.startsWith('22') === true;
}
