// How far a destination is trusted, pure. A new one gets few callbacks at a time, and more with every quick answer. One
// that fails gets fewer, and one that fails again and again is left alone for a while, then tried with a single
// callback.

export type Trust = {
  /** How often it has failed since its last answer. */
  readonly failures: number;
  /** Until when it is left alone; otherwise the time of its last failure. */
  readonly closedUntil: number;
  /** How many callbacks may be on their way to it or wait for it in this node. */
  readonly room: number;
  /** Whether its last answer took long. */
  readonly isSlow: boolean;
};

/** The room of a destination of which nothing is known yet. */
export const FIRST_ROOM = 4;
const MOST_ROOM = 64;

/** An answer that takes longer than this is slow. */
const SLOW_MS = 1_000;

/** After so many failures in a row a destination is left alone; below are the first and the longest pause. */
export const FAILURES_TO_CLOSE = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** How long the failures of a destination are remembered while nobody calls it. */
const REMEMBERED_MS = 10 * 60_000;

export const NEW_DESTINATION: Trust = { failures: 0, closedUntil: 0, room: FIRST_ROOM, isSlow: false };

export function afterAnswer({ room }: Trust, milliseconds: number): Trust {
  const isSlow = milliseconds > SLOW_MS;
  const next = isSlow ? Math.min(room, FIRST_ROOM) : Math.min(room * 2, MOST_ROOM);
  return { failures: 0, closedUntil: 0, room: next, isSlow };
}

/** `chance`, from 0 to below 1, lengthens the pause by up to a tenth. Failures during a pause add nothing to it. */
export function afterFailure(before: Trust, now: number, chance: number): Trust {
  if (isSuspect(before) && now < before.closedUntil) return before;
  const failures = before.failures + 1;
  const room = Math.max(1, Math.floor(before.room / 2));
  if (failures < FAILURES_TO_CLOSE) return { ...before, failures, closedUntil: now, room };
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - FAILURES_TO_CLOSE), LONGEST_PAUSE_MS);
  return { ...before, failures, closedUntil: now + Math.round(pause * (1 + 0.1 * chance)), room };
}

/** Troubled destinations together may use only a part of the room of this node. */
export function isTroubled({ failures, isSlow }: Trust): boolean {
  return failures > 0 || isSlow;
}

export function isSuspect({ failures }: Trust): boolean {
  return failures >= FAILURES_TO_CLOSE;
}

/** Whether this trust no longer needs to be remembered. */
export function isForgotten({ failures, closedUntil }: Trust, now: number): boolean {
  return failures === 0 || now > closedUntil + REMEMBERED_MS;
}

/** How many callbacks the destination may have at once now. */
export function roomOf(trust: Trust, now: number): number {
  if (!isSuspect(trust)) return trust.room;
  return now < trust.closedUntil ? 0 : 1;
}
