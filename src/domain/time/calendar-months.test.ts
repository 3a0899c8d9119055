import { describe, expect, it } from 'vitest';
import { serialNumbersSince, serialNumberTime } from '../ids/serial-times.ts';
import {
  beginOfMonth,
  calendarMonthOf,
  isBoundedMonth,
  isCalendarMonth,
  monthsBetween,
  monthsLater,
} from './calendar-months.ts';

describe('a calendar month', () => {
  it.each([
    [Date.UTC(2026, 10, 1), '2026-11'],
    [Date.UTC(2026, 10, 1) - 1, '2026-10'],
    [Date.UTC(2027, 0, 31, 23, 59, 59, 999), '2027-01'],
    [-5, '1970-01'],
    [Number.MAX_SAFE_INTEGER, '9999-12'],
  ])('of %d is %s', (moment, month) => {
    expect(calendarMonthOf(moment)).toBe(month);
  });

  it('begins with its first millisecond', () => {
    expect(beginOfMonth('2026-11')).toBe(Date.UTC(2026, 10, 1));
  });

  it.each([
    ['2026-11', 1, '2026-12'],
    ['2026-11', 2, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-11', 15, '2028-02'],
  ])('%s and %d more is %s', (month, count, later) => {
    expect(monthsLater(month, count)).toBe(later);
  });

  it('is listed from one moment to another', () => {
    expect(monthsBetween(Date.UTC(2026, 10, 30), Date.UTC(2027, 1, 1))).toEqual([
      '2026-11',
      '2026-12',
      '2027-01',
      '2027-02',
    ]);
    expect(monthsBetween(Date.UTC(2027, 1), Date.UTC(2026, 1))).toEqual([]);
  });

  it.each([
    ['2026-11', true],
    ['2026-13', false],
    ['2026-00', false],
    ['26-11', false],
    ['2026-11-01', false],
  ])('%s: %s', (text, is) => {
    expect(isCalendarMonth(text)).toBe(is);
  });

  it.each([
    ['1970-01', true],
    ['9999-11', true],
    ['9999-12', false],
    ['1969-12', false],
    ['0026-11', false],
    ['10000-1', false],
  ])('%s has a beginning and an end: %s', (text, is) => {
    expect(isBoundedMonth(text)).toBe(is);
  });

  it('is not followed for ever', () => {
    expect(monthsBetween(Date.UTC(9999, 10), Number.MAX_SAFE_INTEGER)).toEqual(['9999-11', '9999-12']);
  });

  it('is told by the serial numbers made in it', () => {
    expect(serialNumberTime(serialNumbersSince(Date.UTC(2026, 10, 1)))).toBe(Date.UTC(2026, 10, 1));
    expect(serialNumbersSince(beginOfMonth('2026-11'))).toBe('01a19467-e800-0000-0000-000000000000');
  });
});
