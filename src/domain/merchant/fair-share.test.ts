import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimedUpTo, isCrowded, ROOM } from './fair-share.ts';

it.each<[all: number, own: number, most: number, share: number, crowded: boolean]>([
  [0, 0, 20_000, 25, false],
  [4_999, 4_999, 20_000, 25, false],
  [5_000, 5_000, 20_000, 25, true],
  [19_999, 4_999, 20_000, 25, false],
  [20_000, 0, 20_000, 25, true],
  [19_999, 19_999, 20_000, 100, false],
  [20_000, 20_000, 20_000, 100, true],
  [2, 0, 3, 1, false],
  [1, 1, 3, 1, true],
])(
  '%i in flight, %i of them the merchant’s, of %i with a share of %i %%: crowded %s',
  (all, own, most, share, crowded) => {
    expect(isCrowded({ all, own }, { most, share })).toBe(crowded);
  },
);

it('never lets one merchant take what others need, however large its share', () => {
  const numbers = fc.record({ most: fc.integer({ min: 4, max: 100_000 }), share: fc.integer({ min: 1, max: 74 }) });
  fc.assert(
    fc.property(numbers, (room) => {
      let own = 0;
      while (!isCrowded({ all: own, own }, room)) own += 1;
      expect(isCrowded({ all: own, own: 0 }, room)).toBe(false);
      expect(claimedUpTo(room)).toBeLessThan(room.most);
    }),
    { numRuns: 50 },
  );
});

it('is a quarter of 20,000 unless told otherwise', () => {
  expect(ROOM).toEqual({ most: 20_000, share: 25 });
});
