// Up to which month what happened may leave the database: nobody writes into it any more, whatever their clock says.

import { beginOfMonth } from './calendar-months.ts';

/** A journal that waits, a clock that is behind, and an operator who looks at yesterday. */
const SETTLED_MS = 2 * 24 * 60 * 60_000;

/** Whether all months before this one are over, and have been for long enough. */
export const mayArchiveBefore = (month: string, now: number): boolean => beginOfMonth(month) <= now - SETTLED_MS;
