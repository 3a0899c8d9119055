// When a receipt is looked at again, pure: while its order has not ended, and while the mail server does not take it.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How soon after the card the order is looked at for the first time: most banks have answered by then. */
export const FIRST_LOOK_MS = 2 * SECOND_MS;

/** An order that has not ended by then is for people to settle, and a receipt of it would only surprise. */
const LAST_LOOK_MS = 3 * 24 * HOUR_MS;

/** Gaps between tries to hand a message to the server. */
const GAPS_MS = [1, 5, 15, 60, 240, 480, 960].map((minutes) => minutes * MINUTE_MS);

/** The older the order, the seldomer; undefined when it is not waited for any longer. */
export function nextLookAt({ createdAt, now }: { createdAt: number; now: number }): number | undefined {
  const age = now - createdAt;
  if (age >= LAST_LOOK_MS) return undefined;
  return now + Math.min(Math.max(age / 2, FIRST_LOOK_MS), 5 * MINUTE_MS);
}

/** `tries`: those that were made. Undefined when there are to be no more. */
export function nextSendAt({ tries, now }: { tries: number; now: number }): number | undefined {
  const gap = GAPS_MS[tries - 1];
  return gap === undefined ? undefined : now + gap;
}
