// How long a signed-in person stays signed in: a quarter of an hour without a request, half a day in all (PCI DSS
// 8.2.8).

const MINUTE_MS = 60_000;
export const SESSION_IDLE_MS = 15 * MINUTE_MS;
export const SESSION_MS = 12 * 60 * MINUTE_MS;

export type SessionTimes = { readonly signedInAt: number; readonly seenAt: number };

export function isOver({ signedInAt, seenAt }: SessionTimes, now: number): boolean {
  return now - seenAt >= SESSION_IDLE_MS || now - signedInAt >= SESSION_MS;
}
