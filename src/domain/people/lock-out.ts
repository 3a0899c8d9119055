// How long somebody must wait after failed tries to sign in, by the name that was tried and by the address it came
// from. PCI DSS 8.3.4 asks for a lock of half an hour after ten tries at most; strangers guess names too, so names that
// do not exist are counted alike.

export type Failures = {
  readonly count: number;
  readonly lastAt: number;
};

export type LockOutRule = {
  /** So many failures cost nothing. */
  readonly free: number;
  /** From so many on every try is refused until the lock is over. */
  readonly lockAt: number;
};

const MINUTE_MS = 60_000;
export const LOCK_MS = 30 * MINUTE_MS;
/** One failure is forgotten in this time. */
export const DECAY_MS = 30 * MINUTE_MS;
const FIRST_PAUSE_MS = 5_000;

export const NAME_RULE: LockOutRule = { free: 4, lockAt: 10 };
/** Many people may sit behind one address. */
export const ADDRESS_RULE: LockOutRule = { free: 20, lockAt: 50 };

export const NO_FAILURES: Failures = { count: 0, lastAt: 0 };

/** How many failures still count. */
export function remembered({ count, lastAt }: Failures, now: number): number {
  return Math.max(0, count - Math.floor(Math.max(0, now - lastAt) / DECAY_MS));
}

/** How long until the next try is heard; 0 when it is heard at once. */
export function waitMs(failures: Failures, now: number, { free, lockAt }: LockOutRule): number {
  // What decays meanwhile does not shorten the pause: it belongs to the last failure.
  const { count, lastAt } = failures;
  const pause = count >= lockAt ? LOCK_MS : count > free ? FIRST_PAUSE_MS * 2 ** (count - free - 1) : 0;
  return Math.max(0, lastAt + Math.min(pause, LOCK_MS) - now);
}

/** One more failure. */
export function afterFailedTry(failures: Failures, now: number): Failures {
  return { count: remembered(failures, now) + 1, lastAt: now };
}

export function isLockedOut(failures: Failures, now: number, rule: LockOutRule): boolean {
  return failures.count >= rule.lockAt && waitMs(failures, now, rule) > 0;
}

/** What failures are counted under: an IPv6 address by its /64, which one line usually has for itself. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [front, back] = [groups(head), groups(tail ?? '')];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const all = [...front, ...Array<string>(missing).fill('0'), ...back];
  const first = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(':')}::/64`;
}
