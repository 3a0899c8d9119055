import { expect, it } from 'vitest';
import { type MovableClock, movableClock } from '../../domain/time/movable-clock.ts';
import { ClockMover, type ClockMoverParts } from './clock-mover.ts';

const NOTHING = { orders: 0, charges: 0, approved: 0, declined: 0, receipts: 0 };

/** Stands still where nobody moves it. */
const still = () => movableClock({ now: () => 1_000, sleep: async () => {} }, 0);

function moverOf(clock: MovableClock, differs: Partial<ClockMoverParts>): { mover: ClockMover; kept: number[] } {
  const kept: number[] = [];
  const mover = new ClockMover({
    ...{ clock, loops: [], written: async () => {}, tries: { delivered: 0, failed: 0 } },
    keep: async (aheadMs) => void kept.push(aheadMs),
    moments: { next: async () => undefined, happened: async () => NOTHING },
    reopensAfter: () => undefined,
    ...differs,
  });
  return { mover, kept };
}

it('stops at whole milliseconds, not before what it stops for, also when it is stopped midway', async () => {
  const clock = still();
  const stopping = new AbortController();
  const reopensAfter = (now: number) => now + 500.25;
  const { mover, kept } = moverOf(clock, { reopensAfter });
  const show = ({ steps }: { steps: number }) => steps === 2 && stopping.abort();
  await mover.move(10_000, { signal: stopping.signal, show });
  expect(kept).toEqual([501, 1_002, 1_503]);
  expect([clock.aheadMs, mover.lastMove?.steps]).toEqual([1_503, 3]);
});

it.each([0.5, Number.NaN, -1])('is not moved by %d, and nothing is kept', async (byMs) => {
  const clock = still();
  const { mover, kept } = moverOf(clock, {});
  await expect(mover.move(byMs)).rejects.toThrow(RangeError);
  expect([kept, clock.aheadMs, mover.movingTo]).toEqual([[], 0, undefined]);
});
