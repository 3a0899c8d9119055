// How long a worker that ended by itself is waited with: nearly not at all the first time, longer each time it soon
// ends again, so that what keeps failing costs little and is not in the way of the others.

const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/** Whoever lived so long did not end for a reason that was there at its start. */
const LIVED_MS = 60_000;

/** How often in a row it has ended soon, now that it ended after so long. */
export function failuresAfter(failures: number, livedMs: number): number {
  return livedMs >= LIVED_MS ? 1 : failures + 1;
}

/** The delay after so many failures in a row, from 1. */
export function restartDelayMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
}
