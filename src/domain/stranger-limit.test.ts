import { describe, expect, it } from 'vitest';
import { askedInAll, minuteOf, secondsToNextMinute } from './stranger-limit.ts';

describe('requests of strangers are counted', () => {
  it.each([
    ['here only', { own: 7, told: 0, shared: 0 }, 7],
    ['here, and told', { own: 7, told: 5, shared: 5 }, 7],
    ['elsewhere only', { own: 0, told: 0, shared: 9 }, 9],
    ['on both', { own: 7, told: 5, shared: 14 }, 16],
    ['here, and lost by the database', { own: 7, told: 7, shared: 0 }, 7],
  ])('%s', (_where, tally, asked) => {
    expect(askedInAll(tally)).toBe(asked);
  });

  it.each([
    [0, 0, 60],
    [1, 0, 60],
    [59_000, 0, 1],
    [59_999, 0, 1],
    [60_000, 60_000, 60],
    [90_500, 60_000, 30],
  ])('by the minute: %i is in that of %i, whose end is %i seconds away', (now, minute, seconds) => {
    expect([minuteOf(now), secondsToNextMinute(now)]).toEqual([minute, seconds]);
  });
});
