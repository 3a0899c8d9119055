// How far a destination is trusted, pure. A new one is given few callbacks at a time and more with every quick answer;
// one that fails is given less, and one that fails again and again is left alone for a while, then tried with a single
// callback.

export type Trust = {
  /** Failures since the last time it answered. */
  readonly failures: number;
  /** When it last failed or, if it is left alone, until when. */
  readonly closedUntil: number;
  /** Callbacks that may be on their way or waiting here for it at once. */
  readonly room: number;
  /** It answers, but takes its time. */
  readonly isSlow: boolean;
};

/** For destinations nothing is known of yet. */
export const FIRST_ROOM = 4;
const MOST_ROOM = 64;

/** An answer that takes longer is a slow one. */
const SLOW_MS = 1_000;

/** Failures in a row after which a destination is left alone, and for how long at first and at most. */
export const FAILURES_TO_CLOSE = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** How long failures are remembered of a destination nobody calls. */
const REMEMBERED_MS = 10 * 60_000;

export const NEW_DESTINATION: Trust = { failures: 0, closedUntil: 0, room: FIRST_ROOM, isSlow: false };

export function afterAnswer({ room }: Trust, milliseconds: number): Trust {
  const isSlow = milliseconds > SLOW_MS;
  const next = isSlow ? Math.min(room, FIRST_ROOM) : Math.min(room * 2, MOST_ROOM);
  return { failures: 0, closedUntil: 0, room: next, isSlow };
}

/**
 * `chance`, from 0 to below 1, lengthens the pause by up to a tenth. What was under way at the same time adds nothing.
 */
export function afterFailure(before: Trust, now: number, chance: number): Trust {
  if (isSuspect(before) && now < before.closedUntil) return before;
  const failures = before.failures + 1;
  const room = Math.max(1, Math.floor(before.room / 2));
  if (failures < FAILURES_TO_CLOSE) return { ...before, failures, closedUntil: now, room };
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - FAILURES_TO_CLOSE), LONGEST_PAUSE_MS);
  return { ...before, failures, closedUntil: now + pause * (1 + 0.1 * chance), room };
}

/** Not to be given all the room there is, together with others of its kind. */
export function isTroubled({ failures, isSlow }: Trust): boolean {
  return failures > 0 || isSlow;
}

export function isSuspect({ failures }: Trust): boolean {
  return failures >= FAILURES_TO_CLOSE;
}

/** Whether nothing more needs to be known of it. */
export function isForgotten({ failures, closedUntil }: Trust, now: number): boolean {
  return failures === 0 || now > closedUntil + REMEMBERED_MS;
}

/** How many callbacks it may be given at once now. */
export function roomOf(trust: Trust, now: number): number {
  if (!isSuspect(trust)) return trust.room;
  return now < trust.closedUntil ? 0 : 1;
}
