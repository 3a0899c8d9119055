import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fairLot } from './fair-lot.ts';

/** Each item is a letter, its merchant, and a number. */
const lot = (waiting: string, most: number) =>
  fairLot(waiting.split(' '), most, (item) => item.charCodeAt(0)).taken.join(' ');

it.each<[waiting: string, most: number, taken: string]>([
  ['a1 a2 a3 a4', 2, 'a1 a2'],
  ['a1 a2 a3 a4 b1', 2, 'a1 b1'],
  ['a1 a2 a3 a4 b1 c1', 4, 'a1 a2 b1 c1'],
  ['a1 a2 a3 b1 b2 b3 c1', 5, 'a1 a2 b1 b2 c1'],
  ['a1 b1 c1 d1', 2, 'a1 b1'],
  ['a1 a2 b1 c1 d1', 2, 'a1 b1'],
  ['b1 a1 a2 c1', 3, 'b1 a1 c1'],
  ['a1 a2', 8, 'a1 a2'],
])('of %s, %i: %s', (waiting, most, taken) => {
  expect(lot(waiting, most)).toBe(taken);
});

it('is full while there is enough, loses nothing, keeps the order, and gives nobody more than who has as many', () => {
  const merchants = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(merchants, fc.integer({ min: 1, max: 70 }), (whose, most) => {
      const waiting = whose.map((merchant, number) => ({ merchant, number }));
      const { taken, left } = fairLot(waiting, most, ({ merchant }) => merchant);
      expect(taken.length).toBe(Math.min(most, waiting.length));
      expect([...taken, ...left].sort((a, b) => a.number - b.number)).toEqual(waiting);
      for (const items of [taken, left]) expect(items).toEqual(items.toSorted((a, b) => a.number - b.number));
      for (const merchant of new Set(whose)) {
        const own = taken.filter((one) => one.merchant === merchant);
        const kept = left.filter((one) => one.merchant === merchant);
        expect(Math.max(-1, ...own.map(({ number }) => number))).toBeLessThan(
          Math.min(Number.POSITIVE_INFINITY, ...kept.map(({ number }) => number)),
        );
        // Who was left waiting had no less than anybody else, but for one item.
        for (const other of kept.length > 0 ? new Set(whose) : []) {
          const theirs = taken.filter((one) => one.merchant === other).length;
          expect(theirs).toBeLessThanOrEqual(own.length + 1);
        }
      }
    }),
  );
});
