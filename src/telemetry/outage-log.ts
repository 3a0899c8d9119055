// A condition that many notice at once, such as a bank or a database that does not answer, told as one: a line when it
// begins, a reminder now and then with how many it has concerned, and a line when it is over.

import type { Clock } from '../domain/clock.ts';
import type { Log, LogFields } from './log.ts';

const REMIND_EVERY_MS = 60_000;

/** What was under way may still fail when others work already: it is over when nobody has failed for so long. */
const QUIET_MS = 10_000;

export type OutageLogOptions = {
  readonly log: Log;
  readonly clock: Pick<Clock, 'now'>;
  /** The messages. */
  readonly begins: string;
  readonly lasts: string;
  readonly ends: string;
  readonly quietMs?: number;
};

type Outage = { readonly since: number; lastAt: number; saidAt: number | undefined; count: number };

export class OutageLog {
  readonly #options: OutageLogOptions;
  #outage: Outage | undefined;

  constructor(options: OutageLogOptions) {
    this.#options = options;
  }

  /** Somebody noticed it; `fields` tell how. */
  failed(fields: LogFields): void {
    const { log, clock, begins, lasts } = this.#options;
    const now = clock.now();
    this.#outage ??= { since: now, lastAt: now, saidAt: undefined, count: 0 };
    const outage = this.#outage;
    outage.count += 1;
    outage.lastAt = now;
    if (outage.saidAt === undefined) log.error(begins, fields);
    else if (now - outage.saidAt < REMIND_EVERY_MS) return;
    else log.error(lasts, { ...fields, count: outage.count, milliseconds: now - outage.since });
    outage.saidAt = now;
  }

  /** Somebody did not. Costs nothing while all goes well. */
  worked(): void {
    if (!this.#outage) return;
    const { log, clock, ends, quietMs = QUIET_MS } = this.#options;
    const { since, lastAt, count } = this.#outage;
    if (clock.now() - lastAt < quietMs) return;
    this.#outage = undefined;
    log.info(ends, { count, milliseconds: lastAt - since });
  }
}
