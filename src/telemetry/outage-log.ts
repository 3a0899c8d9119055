// Logs a condition that many callers notice at once, such as a bank or a database that does not answer, as one outage:
// a line when it begins, reminders with the number of failures so far, and a line when it is over.

import type { Clock } from '../domain/clock.ts';
import { type DatabaseOutage, outageOf } from '../storage/database.ts';
import type { Log, LogFields } from './log.ts';

const REMIND_EVERY_MS = 60_000;

/** An outage is over when nothing has failed for this long: earlier calls may still fail while new ones succeed. */
const QUIET_MS = 10_000;

export type OutageLogOptions = {
  readonly log: Log;
  readonly clock: Pick<Clock, 'now'>;
  /** `begins`, `lasts` and `ends` are the messages of the three kinds of lines. */
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

  /** A caller has failed; `fields` say how. */
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

  /** A caller has succeeded. This costs nothing while there is no outage. */
  worked(): void {
    if (!this.#outage) return;
    const { log, clock, ends, quietMs = QUIET_MS } = this.#options;
    const { since, lastAt, count } = this.#outage;
    if (clock.now() - lastAt < quietMs) return;
    this.#outage = undefined;
    log.info(ends, { count, milliseconds: lastAt - since });
  }
}

/** While a disk is full, reads and some writes still succeed: only a longer time without errors shows its end. */
const FULL_QUIET_MS = 60_000;

/**
 * A log in which a database that is away or full is one outage, even if all background tasks, requests and callbacks
 * notice it at once. Errors with another cause are logged each time.
 */
export function databaseOutages(log: Log, clock: OutageLogOptions['clock']) {
  const outages: Record<DatabaseOutage, OutageLog> = {
    away: new OutageLog({
      log,
      clock,
      begins: 'the database does not answer',
      lasts: 'the database still does not answer',
      ends: 'the database answers again',
    }),
    full: new OutageLog({
      log,
      clock,
      begins: 'the disk of the database is full',
      lasts: 'the disk of the database is still full',
      ends: 'the disk of the database seems to have room again',
      quietMs: FULL_QUIET_MS,
    }),
  };
  const unlessOutage = (level: 'warn' | 'error') => (message: string, fields?: LogFields) => {
    const found = findOutage(fields?.error);
    if (found) outages[found.outage].failed({ detail: found.detail });
    else log[level](message, fields);
  };
  return {
    log: { info: log.info, warn: unlessOutage('warn'), error: unlessOutage('error') } satisfies Log,
    /** Must be called now and then when the database has answered. */
    worked: () => {
      outages.away.worked();
      outages.full.worked();
    },
  };
}

/** The first outage in the chain of causes. */
function findOutage(error: unknown): { outage: DatabaseOutage; detail: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const outage = outageOf(error);
  return outage ? { outage, detail: error.message } : findOutage(error.cause);
}
