// When a booking is cleared: by the first clearing after it that finds it due, not taken back and not voided. A void
// may still be reversed, and then the money moves after all.

import type { Booking, Clearing } from '../booking.ts';
import { isVoided } from '../caps.ts';

const MOVES_MONEY: ReadonlySet<Booking['kind']> = new Set(['sale', 'capture', 'refund', 'pull', 'push']);

export function movesMoney({ kind, verdict }: Pick<Booking, 'kind' | 'verdict'>): boolean {
  return verdict.word !== 'decline' && MOVES_MONEY.has(kind);
}

/** Whether the clearing clears the booking as it stands, if no earlier one did. */
export function clears({ upTo, holdMs }: Clearing, booking: Booking): boolean {
  const { verdict, arrivedAt, reversedAt } = booking;
  const dueAt = arrivedAt + (verdict.word === 'hold' ? holdMs : 0);
  return movesMoney(booking) && reversedAt === undefined && dueAt <= upTo && !isVoided(booking);
}

/** The clearing of a booking that stands at a position and has no later line. */
export function clearingOf(booking: Booking, position: number, clearings: readonly Clearing[]): Clearing | undefined {
  for (let next = clearingsAfter(clearings, position); next < clearings.length; next += 1) {
    if (clears(clearings[next]!, booking)) return clearings[next];
  }
  return undefined;
}

/** The index of the first clearing behind a position. */
export function clearingsAfter(clearings: readonly Clearing[], position: number): number {
  let [low, high] = [0, clearings.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (clearings[middle]!.position > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
