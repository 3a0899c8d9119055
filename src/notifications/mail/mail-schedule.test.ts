import { describe, expect, it } from 'vitest';
import { nextLookAt, nextSendAt } from './mail-schedule.ts';

const MINUTE = 60_000;

describe('a receipt is looked at again', () => {
  it.each([
    [0, 2_000],
    [10_000, 5_000],
    [MINUTE, 30_000],
    [60 * MINUTE, 5 * MINUTE],
    [3 * 24 * 60 * MINUTE, undefined],
  ])('%i ms after the card: in %s ms', (age, pause) => {
    expect(nextLookAt({ createdAt: 1_000, now: 1_000 + age })).toBe(
      pause === undefined ? undefined : 1_000 + age + pause,
    );
  });
});

describe('a receipt that the server did not take', () => {
  it.each([
    [1, MINUTE],
    [2, 5 * MINUTE],
    [7, 960 * MINUTE],
    [8, undefined],
  ])('after %i tries is sent again in %s ms', (tries, gap) => {
    expect(nextSendAt({ tries, now: 5 })).toBe(gap === undefined ? undefined : 5 + gap);
  });
});
