// How long a signed-in person stays signed in: a quarter of an hour without a request, half a day in all (PCI DSS
// 8.2.8).

const MINUTE_MS = 60_000;
export const SESSION_IDLE_MS = 15 * MINUTE_MS;
export const SESSION_MS = 12 * 60 * MINUTE_MS;

export type SessionTimes = { readonly signedInAt: number; readonly seenAt: number };

/** So long it is known afterwards why a session is over, for whoever comes back. */
export const OVER_KEPT_MS = 24 * 60 * MINUTE_MS;

export function whyOver({ signedInAt, seenAt }: SessionTimes, now: number): 'unused' | 'too-old' | undefined {
  if (now - signedInAt >= SESSION_MS) return 'too-old';
  return now - seenAt >= SESSION_IDLE_MS ? 'unused' : undefined;
}

export function isOver(times: SessionTimes, now: number): boolean {
  return whyOver(times, now) !== undefined;
}
