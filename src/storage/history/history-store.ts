// The months of what only grows, as a node looks after them.

import type { Database } from '../database.ts';
import { dropMonths } from './drop-months.ts';
import { type MadeMonths, MONTHS_AHEAD, makeMonths, presentMonths } from './make-months.ts';

export type HistoryStore = {
  /** Makes the months of now and of the near future, as far as this role may. */
  makeAhead(now: number): Promise<MadeMonths>;
  /** Drop the months of requests, or of tries to call merchants, that lie wholly before the moment, where it may. */
  dropRequests(before: number): Promise<string[]>;
  dropAttempts(before: number): Promise<string[]>;
};

export function historyStore(database: Database): HistoryStore {
  return {
    makeAhead: (now) => makeMonths(database, { months: presentMonths(now, MONTHS_AHEAD.running) }),
    dropRequests: (before) => dropMonths(database, 'journal', before),
    dropAttempts: (before) => dropMonths(database, 'callback_attempts', before),
  };
}
