import { describe, expect, it } from 'vitest';
import { spanMs } from './time-span.ts';

const FROM = Date.UTC(2027, 0, 31, 18);
const DAY = 24 * 60 * 60 * 1000;

describe('a span', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['12h', DAY / 2],
    ['30d', 30 * DAY],
    ['2w', 14 * DAY],
    ['1d 12h', 1.5 * DAY],
    ['1d12h', 1.5 * DAY],
    [' 3 Days ', 3 * DAY],
    ['1mo', Date.UTC(2027, 1, 28, 18) - FROM],
    ['2 months', Date.UTC(2027, 2, 31, 18) - FROM],
    ['1y', 365 * DAY],
  ])('%s', (text, ms) => {
    expect(spanMs(text, FROM)).toBe(ms);
  });

  it.each(['', '30', 'd', '-1d', '1.5d', '1d x', '1q', '30 d,', '1d-', '9999999999d', '999999999y'])(
    'is not %j',
    (text) => {
      expect(spanMs(text, FROM)).toBeUndefined();
    },
  );
});
