// How long answers took, kept as counts on a scale: small, added up across spans, and good enough for a median.

import type { Finding } from '../order/transitions.ts';

/** A timeout or a refused connection is no answer. */
export const ANSWERS: readonly Finding[] = ['approved', 'declined', 'challenge'];

/** A cell ends below each of these milliseconds; the last cell has no end. */
export const CELL_ENDS = [
  5, 10, 20, 50, 100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 20_000, 30_000,
  45_000, 60_000,
] as const;

export type CellCount = { readonly cell: number; readonly answers: number; readonly slowestMs: number };

/** The time within which this share of all answers came: within the cell it lies in, as if spread evenly. */
export function timeOfShare(cells: readonly CellCount[], share: number): number | undefined {
  const all = cells.reduce((sum, { answers }) => sum + answers, 0);
  const slowest = Math.max(...cells.map(({ slowestMs }) => slowestMs));
  let left = all * share;
  for (const { cell, answers } of cells.toSorted((one, other) => one.cell - other.cell)) {
    if (left <= answers) {
      const begin = CELL_ENDS[cell - 1] ?? 0;
      const end = Math.min(CELL_ENDS[cell] ?? slowest, slowest);
      return Math.round(begin + Math.max(0, end - begin) * (left / answers));
    }
    left -= answers;
  }
  return undefined;
}
