import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeNumberLost, newSerialNumber, OrderIds, serialNumbersSince } from './identifiers.ts';

const NOW = Date.UTC(2026, 10, 15);
const until = Number.POSITIVE_INFINITY;

describe('order ids', () => {
  it('grow, even when the clock goes back or stands still', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 500 }), (steps) => {
        const ids = new OrderIds({ number: 3, after: NOW, until });
        let now = NOW;
        let last = 0;
        for (const step of steps) {
          now += step;
          const id = ids.next(now);
          expect(id).toBeGreaterThan(last);
          last = id;
        }
      }),
    );
  });

  it('never meet those of another node, nor those this number made before', () => {
    const first = new OrderIds({ number: 0, after: 0, until });
    const second = new OrderIds({ number: 1, after: 0, until });
    const again = new OrderIds({ number: 0, after: NOW + 30_000, until });
    const made = [first, second, again].flatMap((ids) => Array.from({ length: 1000 }, () => ids.next(NOW)));
    expect(new Set(made).size).toBe(3000);
  });

  it('are not made past the lease of the number, and go on when it is renewed', () => {
    const ids = new OrderIds({ number: 0, after: 0, until: NOW });
    const last = ids.next(NOW - 1);
    expect(() => ids.next(NOW)).toThrow(NodeNumberLost);
    ids.hold({ number: 1, after: 0, until: NOW + 1000 });
    expect(ids.next(NOW)).toBeGreaterThan(last);
  });

  it('stay below 2^53 for decades', () => {
    const ids = new OrderIds({ number: 63, after: 0, until });
    expect(ids.next(Date.UTC(2060, 0, 1))).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  });
});

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
