// Up to which month what happened may leave the database: nobody writes into it any more, whatever their clock says.

import { beginOfMonth, monthsLater } from './calendar-months.ts';

/** A journal that waits, a clock that is behind, and an operator who looks at yesterday. */
const SETTLED_MS = 2 * 24 * 60 * 60_000;

/** Whether all months before this one are over, and have been for long enough. */
export const mayArchiveBefore = (month: string, now: number): boolean => isSettled(beginOfMonth(month), now);

/** Whether nothing more comes of what ended then. */
export const isSettled = (end: number, now: number): boolean => end <= now - SETTLED_MS;

/** `2026-05`, `before-2026-06` of rows from before there were months, and `2026-05-2` of rows that came too late. */
const ARCHIVE = /^(before-)?(\d{4}-(?:0[1-9]|1[0-2]))(?:-(?:[2-9]|[1-9]\d{1,2}))?$/;

/** What an archive is of ends at this moment; undefined when nothing is named so. */
export function endOfArchive(name: string): number | undefined {
  const [, before, month] = ARCHIVE.exec(name) ?? [];
  return month === undefined ? undefined : beginOfMonth(before ? month : monthsLater(month, 1));
}

/** How the next archive of the month is named, where these are taken. */
export function nextArchiveName(month: string, taken: readonly string[]): string {
  let name = month;
  for (let count = 2; taken.includes(name); count++) name = `${month}-${count}`;
  return name;
}
