import { expect, it } from 'vitest';
import { aheadSpan, aheadText } from './clock-ahead.ts';

const DAY_MS = 86_400_000;

it.each([
  [0, undefined],
  [59_999, undefined],
  [60_000, '1 minute'],
  [90 * 60_000, '2 hours'],
  [DAY_MS, '1 day'],
  [365 * DAY_MS + 12, '365 days'],
])('a clock that is %d ms ahead is ahead by %s', (ms, span) => {
  expect(aheadSpan(ms)).toBe(span);
});

it('tells the way back with it', () => {
  expect(aheadText(30 * DAY_MS)).toMatch(
    /^the clock of this sandbox is 30 days ahead of the true time; .* new data folder/,
  );
  expect(aheadText(0)).toBeUndefined();
});
