// A log in which a database that is away or full is one outage, even if all background tasks, requests and callbacks
// notice it at once. Errors with another cause are logged each time.

import { type DatabaseOutage, outageOf } from '../storage/database.ts';
import type { Log, LogFields } from './log.ts';
import { OutageLog, type OutageLogOptions } from './outage-log.ts';

/** While a disk is full, reads and some writes still succeed: only a longer time without errors shows its end. */
const FULL_QUIET_MS = 60_000;

export type DatabaseOutages = {
  readonly log: Log;
  /** Must be called now and then when the database has answered. */
  readonly worked: () => void;
};

export function databaseOutages(log: Log, clock: OutageLogOptions['clock']): DatabaseOutages {
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
    log: { info: log.info, warn: unlessOutage('warn'), error: unlessOutage('error') },
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
