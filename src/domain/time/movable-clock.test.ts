import { expect, it } from 'vitest';
import type { Clock } from '../clock.ts';
import { movableClock } from './movable-clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Stands still; whoever sleeps wakes when they are told to. */
const still: Clock = {
  now: () => 1_000,
  sleep: (_, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener('abort', () => resolve(), { once: true });
    }),
};

it('is ahead by what it was given and moved', () => {
  const clock = movableClock(still, 500);
  clock.move(DAY_MS);
  expect([clock.now(), clock.aheadMs]).toEqual([1_500 + DAY_MS, 500 + DAY_MS]);
});

it('wakes whoever sleeps until then, and nobody else', async () => {
  const clock = movableClock(still, 0);
  const woken: string[] = [];
  const stopping = new AbortController();
  const short = clock.sleep(DAY_MS).then(() => woken.push('short'));
  const long = clock.sleep(2 * DAY_MS + 1, stopping.signal).then(() => woken.push('long'));
  clock.move(2 * DAY_MS);
  await short;
  expect(woken).toEqual(['short']);
  stopping.abort();
  await long;
  expect(woken).toEqual(['short', 'long']);
});

it.each([-1, 0.5, Number.NaN])('does not go back, nor by a part of a millisecond: %d', (ms) => {
  const clock = movableClock(still, 0);
  expect(() => clock.move(ms)).toThrow(RangeError);
  expect(clock.aheadMs).toBe(0);
});
