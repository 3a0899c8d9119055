// What is said where the clock of a sandbox was put forward: programs that go by the true time are refused there, and
// whoever moved it may have been somebody else, or a story.

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** Such as `365 days`, in the largest unit that it fills; undefined when it is less than a minute ahead. */
export function aheadSpan(aheadMs: number): string | undefined {
  const [unit, ms] = UNITS.find(([, length]) => aheadMs >= length) ?? [];
  if (unit === undefined) return undefined;
  const count = Math.round(aheadMs / ms);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export const WAY_BACK = 'to be back in the true time, start a sandbox in a new data folder (--data)';

/** In a sentence without its end; undefined when the clock shows the true time. */
export function aheadText(aheadMs: number): string | undefined {
  const span = aheadSpan(aheadMs);
  return span === undefined ? undefined : `the clock of this sandbox is ${span} ahead of the true time; ${WAY_BACK}`;
}
