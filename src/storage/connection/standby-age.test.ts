import { describe, expect, it } from 'vitest';
import { isFresh, shownAsOf } from './standby-age.ts';

const marks = [
  { at: 1_000, bytes: 10n },
  { at: 2_000, bytes: 20n },
  { at: 3_000, bytes: 20n },
  { at: 4_000, bytes: 35n },
];

describe('how old what a standby shows can be', () => {
  it.each([
    [9n, undefined],
    [10n, 1_000],
    [19n, 1_000],
    [20n, 3_000],
    [36n, 4_000],
  ])('with %s bytes replayed it is as of %s', (replayed, at) => {
    expect(shownAsOf(marks, replayed)).toBe(at);
  });

  it.each([
    ['only seconds behind', { asOf: 8_000, changedAt: 0 }, true],
    ['as far behind as it may be', { asOf: 5_000, changedAt: 0 }, true],
    ['further behind', { asOf: 4_999, changedAt: 0 }, false],
    ['behind what was changed from here', { asOf: 8_000, changedAt: 8_001 }, false],
    ['nobody knows how far behind', { asOf: undefined, changedAt: 0 }, false],
  ])('one that is %s', (_, freshness, may) => {
    expect(isFresh(freshness, 10_000, 5_000)).toBe(may);
  });
});
