// What became of a booking, played from the lines that speak of it and from the clearings between them, in the order in
// which they were written.

import { type Booking, type Clearing, count } from '../booking.ts';
import { type BookLine, bookingOf, type TakenLine, usedBy } from './book-line.ts';
import { clearingsAfter, clears } from './clearing-rule.ts';

export type Told = { readonly position: number; readonly line: Exclude<BookLine, { event: 'cleared' | 'barred' }> };

/** The bookings that the lines take, by their references, as they stand in the end. */
export function play(told: readonly Told[], clearings: readonly Clearing[]): ReadonlyMap<string, Booking> {
  const bookings = new Map<string, Booking>();
  const lines = [...told].sort((a, b) => a.position - b.position);
  let next = clearingsAfter(clearings, lines[0]?.position ?? 0);
  const clearUntil = (position: number) => {
    for (; next < clearings.length && clearings[next]!.position < position; next += 1) {
      for (const booking of bookings.values()) clear(booking, clearings[next]!);
    }
  };
  for (const { position, line } of lines) {
    clearUntil(position);
    if (line.event === 'taken') take(bookings, line);
    else reverse(bookings, line);
  }
  clearUntil(Number.POSITIVE_INFINITY);
  return bookings;
}

function clear(booking: Booking, clearing: Clearing): void {
  if (!booking.clearing && clears(clearing, booking)) booking.clearing = clearing;
}

function take(bookings: Map<string, Booking>, line: TakenLine): void {
  const booking = bookingOf(line);
  bookings.set(booking.reference, booking);
  countIn(bookings, booking, usedBy(line), 1);
}

function reverse(bookings: Map<string, Booking>, { reference, at }: { reference: string; at: number }): void {
  const booking = bookings.get(reference);
  if (!booking) return;
  booking.reversedAt = at;
  countIn(bookings, booking, booking.original, -1);
}

/** Bookings that are not among the lines need not know of it. */
function countIn(
  bookings: ReadonlyMap<string, Booking>,
  booking: Booking,
  used: string | undefined,
  times: 1 | -1,
): void {
  const original = used === undefined ? undefined : bookings.get(used);
  if (!original) return;
  const preauth = original.kind === 'capture' ? bookings.get(original.original ?? '') : undefined;
  count(booking, original, preauth, times);
}
