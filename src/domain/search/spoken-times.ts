// Times as people say them on the telephone: `noon` or `12:30` is about then, `today` or a date is a whole day, in the
// time zone of whoever says it.

export type Speaker = { readonly now: number; readonly zone: string };

type Span = { readonly from: string; readonly to: string };

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How far about noon may be from noon. */
const ABOUT_MS = HOUR_MS;

const NAMED_HOURS: ReadonlyMap<string, number> = new Map([
  ['noon', 12],
  ['midday', 12],
  ['midnight', 0],
]);
const DAYS_AGO: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
]);

/** The hour of a day in milliseconds: `noon`, `12:30`, `9am`, `9:30pm`. */
function hourIn(word: string): number | undefined {
  const named = NAMED_HOURS.get(word);
  if (named !== undefined) return named * HOUR_MS;
  const [, hour = '', minute = '0', half] = /^(\d{1,2})(?::([0-5]\d))?(am|pm)?$/.exec(word) ?? [];
  if (hour === '' || (half === undefined && !word.includes(':'))) return undefined;
  const isWithin = half === undefined ? Number(hour) < 24 : Number(hour) >= 1 && Number(hour) <= 12;
  if (!isWithin) return undefined;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return (hours * 60 + Number(minute)) * 60_000;
}

/** The day's midnight as if its zone was UTC. */
function dayIn(word: string, { now, zone }: Speaker): number | undefined {
  const ago = DAYS_AGO.get(word);
  if (ago !== undefined) return midnight(now + offsetMs(zone, now)) - ago * DAY_MS;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(word) ? Date.parse(word) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a word is one of those that `spanOf` understands. */
export function isTime(word: string, speaker: Speaker): boolean {
  return hourIn(word.toLowerCase()) !== undefined || dayIn(word.toLowerCase(), speaker) !== undefined;
}

/** What the words mean together, the last of each kind; an hour without a day is the latest that has come. */
export function spanOf(words: readonly string[], speaker: Speaker): Span | undefined {
  const lower = words.map((word) => word.toLowerCase());
  const hour = lower.map(hourIn).findLast((one) => one !== undefined);
  const day = lower.map((word) => dayIn(word, speaker)).findLast((one) => one !== undefined);
  if (hour !== undefined) return about(day === undefined ? latest(hour, speaker) : day + hour, speaker.zone);
  if (day === undefined) return undefined;
  const text = new Date(day).toISOString().slice(0, 10);
  if (isUtc(speaker.zone)) return { from: text, to: text };
  return { from: momentOf(day, speaker.zone), to: momentOf(day + DAY_MS, speaker.zone) };
}

function latest(hour: number, { now, zone }: Speaker): number {
  const here = now + offsetMs(zone, now);
  const today = midnight(here) + hour;
  return today - ABOUT_MS <= here ? today : today - DAY_MS;
}

const about = (local: number, zone: string): Span => ({
  from: momentOf(local - ABOUT_MS, zone),
  to: momentOf(local + ABOUT_MS, zone),
});

const midnight = (at: number) => at - (((at % DAY_MS) + DAY_MS) % DAY_MS);

/** `local` is written as if its zone was UTC. On days that clocks are put forward or back the second look is right. */
function momentOf(local: number, zone: string): string {
  const guess = local - offsetMs(zone, local);
  return new Date(local - offsetMs(zone, guess)).toISOString();
}

/** How far the clocks of a zone are ahead of UTC at a moment; a zone that nobody knows is UTC. */
function offsetMs(zone: string, at: number): number {
  if (isUtc(zone)) return 0;
  const parts = formatOf(zone).formatToParts(at);
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((kind) =>
    Number(parts.find(({ type }) => type === kind)?.value),
  ) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function isUtc(zone: string): boolean {
  try {
    return ['', 'UTC'].includes(zone) || formatOf(zone).resolvedOptions().timeZone === 'UTC';
  } catch {
    return true;
  }
}

const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
