// When a callback is tried again, and when to give up: 30 tries within 14 days, with gaps that grow from seconds to a
// day and a half. Up to a tenth is added by chance, so that callbacks that failed together do not return together.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Each gap is more than a tenth longer than the one before, so the gaps grow whatever chance adds. */
const GAPS_MS: readonly number[] = [
  ...[10, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 20, 30, 45].map((minutes) => minutes * MINUTE),
  ...[1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 23, 26, 29, 32, 36].map((hours) => hours * HOUR),
];

/** The first try, and one after each gap. */
export const MAX_TRIES = GAPS_MS.length + 1;

/** Nothing is tried later than this after the callback first came due. */
export const LONGEST_MS = 14 * DAY;

const JITTER = 0.1;

export type CallbackSchedule = {
  /** How many tries were made, with this one. */
  readonly tries: number;
  readonly scheduledAt: number;
  readonly now: number;
  /** A random number from 0 to below 1. */
  readonly chance: number;
};

/** When to try again after a failed try; undefined to give up. */
export function nextTryAt({ tries, scheduledAt, now, chance }: CallbackSchedule): number | undefined {
  const gap = GAPS_MS[tries - 1];
  if (gap === undefined) return undefined;
  const at = Math.round(now + gap * (1 + JITTER * chance));
  return at <= scheduledAt + LONGEST_MS ? at : undefined;
}
