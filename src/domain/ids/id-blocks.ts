// How a node gets ids from the counter in the database: in blocks, ahead of need. It tops its stock up when half of it
// is used, so it never holds more than one block, and a crash loses no more. A block grows while it is used up quickly
// and shrinks while it lasts.

/** Ids nobody else gets: `from` is the first of them, `until` the first behind them. */
export type IdRange = { readonly from: number; readonly until: number };

export const LEAST_BLOCK = 16;
export const MOST_BLOCK = 8192;

/** A top-up that comes sooner than this after the one before doubles the block. */
const SOON_MS = 1000;
/** A top-up that comes later than this halves it. */
const LATE_MS = 10_000;

/**
 * The id `step` places ahead, and the ranges that are left. Undefined when they do not reach that far: then all of them
 * stay. A range that is too short for the step is passed over.
 */
export function takeId(
  ranges: readonly IdRange[],
  step: number,
): { readonly id: number; readonly ranges: readonly IdRange[] } | undefined {
  const index = ranges.findIndex(({ from, until }) => until - from >= step);
  const range = ranges[index];
  if (!range) return undefined;
  const id = range.from + step - 1;
  const behind = ranges.slice(index + 1);
  return { id, ranges: id + 1 < range.until ? [{ from: id + 1, until: range.until }, ...behind] : behind };
}

/** Neighbouring ranges become one, so that a node alone leaves no gap between its blocks. */
export function addRange(ranges: readonly IdRange[], added: IdRange): readonly IdRange[] {
  const last = ranges.at(-1);
  if (last?.until !== added.from) return [...ranges, added];
  return [...ranges.slice(0, -1), { from: last.from, until: added.until }];
}

export function leftIn(ranges: readonly IdRange[]): number {
  return ranges.reduce((sum, { from, until }) => sum + until - from, 0);
}

/** A block of so many ids has room for as many of the longest steps. */
export function isLow(left: number, size: number, stride: number): boolean {
  return left * 2 <= size * stride;
}

export type TopUp = {
  /** How many ids the last block was for. */
  readonly size: number;
  /** Numbers left of it. */
  readonly left: number;
  /** Since the last top-up. */
  readonly lastedMs: number;
  /** Requests that wait for an id. */
  readonly waiting: number;
  readonly stride: number;
};

/** The next block's size, and how many numbers to take from the counter now: none if a shrunken block is still full. */
export function topUp({ size, left, lastedMs, waiting, stride }: TopUp): { size: number; taken: number } {
  const paced = lastedMs < SOON_MS ? size * 2 : lastedMs > LATE_MS ? size / 2 : size;
  const next = Math.min(MOST_BLOCK, Math.max(LEAST_BLOCK, paced, waiting));
  return { size: next, taken: Math.max(0, next * stride - left) };
}
