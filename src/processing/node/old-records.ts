// Forgets records that grow with every request and are needed no longer, in small lots, for as long as the node runs.

import type { Clock } from '../../domain/clock.ts';
import { readingsNeededSince } from '../../domain/merchant/reading-age.ts';
import type { OldRecordStore } from '../../storage/old-records.ts';
import { type Forgetting, forgetOld } from './forgetting.ts';
import type { LiveConfiguration } from './live-configuration.ts';

const HOUR_MS = 60 * 60_000;

/** Few at a time, with a pause: the embedded database serves nobody else meanwhile. */
const LOTS = { everyMs: HOUR_MS, lot: 500, pauseMs: 100 };

/** A strict signature is taken for five minutes only; the rest is for clocks that are wrong. */
const STRICT_KEPT_MS = 24 * HOUR_MS;
/** Forms are counted by the minute. */
const FORMS_KEPT_MS = HOUR_MS;

/** As long as somebody may ask whether a receipt was sent. */
const RECEIPT_MAILS_KEPT_MS = 90 * 24 * HOUR_MS;

export type OldRecordsParts = {
  readonly clock: Clock;
  readonly configuration: Pick<LiveConfiguration, 'merchants'>;
  readonly store: OldRecordStore;
  /** How long a try to call a merchant is told of; undefined keeps all. */
  readonly attemptsKeptMs: number | undefined;
};

export class OldRecords {
  readonly #parts: OldRecordsParts;

  constructor(parts: OldRecordsParts) {
    this.#parts = parts;
  }

  /** Forgets until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { clock, store, attemptsKeptMs } = this.#parts;
    const all: Pick<Forgetting, 'keptMs' | 'forget'>[] = [
      { keptMs: 0, forget: (now, limit) => this.#forgetReadings(now, limit) },
      { keptMs: STRICT_KEPT_MS, forget: (before, limit) => this.#forgetStrictReadings(before, limit) },
      { keptMs: FORMS_KEPT_MS, forget: (before, limit) => store.forgetFormRequests(before, limit) },
      { keptMs: RECEIPT_MAILS_KEPT_MS, forget: (before, limit) => store.forgetReceiptMails(before, limit) },
    ];
    if (attemptsKeptMs !== undefined) {
      const forget = (before: number, limit: number) => store.forgetCallbackAttempts(before, limit);
      all.push({ keptMs: attemptsKeptMs, forget });
    }
    await Promise.all(all.map((one) => forgetOld({ ...LOTS, clock, ...one }, signal, onError)));
  }

  #forgetReadings(now: number, limit: number): Promise<number> {
    const { configuration, store } = this.#parts;
    const before = new Map<number, number>();
    for (const { merchantId, controlKeys } of configuration.merchants) {
      before.set(merchantId, readingsNeededSince(controlKeys, now));
    }
    return store.forgetReadings(before, limit);
  }

  #forgetStrictReadings(before: number, limit: number): Promise<number> {
    const { configuration, store } = this.#parts;
    const merchantIds = [...configuration.merchants].map(({ merchantId }) => merchantId);
    return store.forgetStrictReadings(merchantIds, before, limit);
  }
}
