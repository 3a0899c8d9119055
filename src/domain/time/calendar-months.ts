// Calendar months of UTC, such as `2026-11`: what only grows is kept month by month.

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
/** A year has four digits. */
const LAST_MOMENT = Date.UTC(9999, 11);

export const isCalendarMonth = (text: string): boolean => MONTH.test(text);

export function calendarMonthOf(moment: number): string {
  return new Date(Math.min(Math.max(0, moment), LAST_MOMENT)).toISOString().slice(0, 7);
}

/** The first moment of the month. */
export const beginOfMonth = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

export function monthsLater(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return calendarMonthOf(Date.UTC(year, number - 1 + count));
}

/** Whether it begins and ends at moments that months know: not before 1970, and before the last month there is. */
export const isBoundedMonth = (text: string): boolean =>
  isCalendarMonth(text) && monthsLater(text, 0) === text && monthsLater(text, 1) > text;

/** From the month of one moment to that of the other. */
export function monthsBetween(from: number, to: number): string[] {
  const months: string[] = [];
  const last = calendarMonthOf(to);
  for (let month = calendarMonthOf(from); month <= last; month = monthsLater(month, 1)) {
    months.push(month);
    // Behind the last month there is comes none.
    if (!isBoundedMonth(month)) break;
  }
  return months;
}
