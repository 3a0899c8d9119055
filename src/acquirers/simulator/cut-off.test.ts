import { describe, expect, it } from 'vitest';
import { BusinessDays, type CutOff } from './cut-off.ts';

const at = (text: string) => Date.parse(`${text}Z`);

const table: readonly (readonly [CutOff, string, string, string])[] = [
  ['23:00', '2031-12-31T22:59:59.999', '2031-12-31T23:00:00.000', '2031-12-31'],
  ['23:00', '2031-12-31T23:00:00.000', '2032-01-01T23:00:00.000', '2032-01-01'],
  ['23:00', '2032-02-28T23:30:00.000', '2032-02-29T23:00:00.000', '2032-02-29'],
  ['00:00', '2031-12-31T00:00:00.000', '2032-01-01T00:00:00.000', '2031-12-31'],
  ['06:30', '2031-12-31T06:29:00.000', '2031-12-31T06:30:00.000', '2031-12-31'],
];

describe('business days', () => {
  it.each(table)('with the cut-off %s, %s belongs to the day that ends at %s, %s', (cutOff, moment, end, date) => {
    const days = new BusinessDays(cutOff);
    expect(days.endAfter(at(moment))).toBe(at(end));
    expect(days.dateOf(at(moment))).toBe(date);
    expect(days.lastEnd(at(end))).toBe(at(end));
  });

  it('without a cut-off never end, and are the days of UTC', () => {
    const days = new BusinessDays('never');
    expect(days.endAfter(at('2031-12-31T23:59:59'))).toBe(Number.POSITIVE_INFINITY);
    expect(days.dateOf(at('2031-12-31T23:59:59'))).toBe('2031-12-31');
  });

  it.each(['24:00', '7:00', '23:60', '', 'noon'])('do not end at %s', (text) => {
    expect(() => new BusinessDays(text as CutOff)).toThrow('a time like 23:00');
  });
});
