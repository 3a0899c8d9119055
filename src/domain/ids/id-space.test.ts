import { expect, it } from 'vitest';
import { idWarning, SMALL_IDS_END, shareOfSmallIds } from './id-space.ts';

it.each([
  [1, 0, undefined],
  [1_717_986_917, 0.79, undefined],
  [1_717_986_919, 0.8, /^80 % of the ids that fit a signed 32-bit integer are taken/],
  [SMALL_IDS_END - 1, 0.99, /^99 %/],
  [SMALL_IDS_END, 1, /^new ids no longer fit a signed 32-bit integer/],
  [3 * SMALL_IDS_END, 3, /^new ids no longer fit/],
])('when the next id is %d', (nextId, share, warning) => {
  expect(shareOfSmallIds(nextId)).toBeGreaterThanOrEqual(share);
  expect(shareOfSmallIds(nextId)).toBeLessThan(share + 0.01);
  if (warning === undefined) expect(idWarning(nextId)).toBeUndefined();
  else expect(idWarning(nextId)).toMatch(warning);
});
