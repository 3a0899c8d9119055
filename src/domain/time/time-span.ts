// Spans of time as people write them: 90s, 15m, 12h, 30d, 2w, 1mo, 1y, or several one behind the other, such as 1d 12h.
// Months and years are those of the calendar, in UTC: a month after the 31st of January is the last of February.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type SpanUnit = { readonly words: readonly string[]; readonly ms?: number; readonly months?: number };

const UNITS: readonly SpanUnit[] = [
  { words: ['s', 'second', 'seconds'], ms: SECOND },
  { words: ['m', 'min', 'minute', 'minutes'], ms: MINUTE },
  { words: ['h', 'hour', 'hours'], ms: HOUR },
  { words: ['d', 'day', 'days'], ms: DAY },
  { words: ['w', 'week', 'weeks'], ms: 7 * DAY },
  { words: ['mo', 'month', 'months'], months: 1 },
  { words: ['y', 'year', 'years'], months: 12 },
];

export const SPAN_HELP = 'a span such as 90s, 15m, 12h, 30d, 2w, 1mo or 1y';

const PART = /\s*(\d{1,9})\s*([a-z]+)/gy;

/** How many milliseconds lie between `from` and the end of a span; undefined of what is none. */
export function spanMs(text: string, from: number): number | undefined {
  let at = from;
  let end = 0;
  for (const [part, count, word] of text.toLowerCase().trim().matchAll(PART)) {
    const unit = UNITS.find(({ words }) => words.includes(word ?? ''));
    if (!unit) return undefined;
    at = unit.months === undefined ? at + Number(count) * (unit.ms ?? 0) : monthsAfter(at, Number(count) * unit.months);
    end += part.length;
  }
  return end > 0 && end === text.trim().length && Number.isSafeInteger(at) ? at - from : undefined;
}

function monthsAfter(from: number, months: number): number {
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, last));
}
