import { describe, expect, it } from 'vitest';
import { serialNumbersSince } from '../../domain/ids/serial-times.ts';
import { newSerialNumber } from './serial-numbers.ts';

const NOW = Date.UTC(2026, 10, 15);

describe('serial numbers', () => {
  it('are UUIDs of version 7, in the order of time', () => {
    const made = Array.from({ length: 1000 }, (_, index) => newSerialNumber(NOW + index));
    for (const serial of made)
      expect(serial).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(1000);
  });

  it('are on either side of the moment they are counted from', () => {
    for (let times = 0; times < 100; times++) {
      expect(newSerialNumber(NOW - 1) < serialNumbersSince(NOW)).toBe(true);
      expect(newSerialNumber(NOW) > serialNumbersSince(NOW)).toBe(true);
    }
    expect(serialNumbersSince(-5)).toBe('00000000-0000-0000-0000-000000000000');
  });
});
