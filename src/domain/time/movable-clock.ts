// A clock that can be put forward, for sandboxes: holds end and recurring payments come due without anybody waiting.
// Whoever sleeps past the new time wakes at once. It never goes back, because what is stored would be of the future.

import type { Clock } from '../clock.ts';

export type MovableClock = Clock & {
  /** How far it is ahead of the true time. */
  readonly aheadMs: number;
  move(ms: number): void;
};

/** In whole milliseconds, as every moment that is stored. */
export function mustGoForward(ms: number): void {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError('a clock goes forward only, by whole milliseconds');
}

export function movableClock(base: Clock, aheadMs: number): MovableClock {
  let ahead = aheadMs;
  const sleepers = new Set<{ readonly until: number; readonly waking: AbortController }>();
  const now = () => base.now() + ahead;
  return {
    now,
    ...(base.soon && { soon: base.soon.bind(base) }),
    async sleep(ms, signal) {
      const sleeper = { until: now() + ms, waking: new AbortController() };
      const wake = () => sleeper.waking.abort();
      signal?.addEventListener('abort', wake, { once: true });
      if (signal?.aborted) wake();
      sleepers.add(sleeper);
      await base.sleep(ms, sleeper.waking.signal);
      sleepers.delete(sleeper);
      signal?.removeEventListener('abort', wake);
    },
    get aheadMs() {
      return ahead;
    },
    move(ms) {
      mustGoForward(ms);
      ahead += ms;
      for (const { until, waking } of [...sleepers]) if (until <= now()) waking.abort();
    },
  };
}
