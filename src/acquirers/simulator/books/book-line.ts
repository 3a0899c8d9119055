// The lines of the bank's log. Only the first six and last four digits of a card are ever written; security codes never
// are.

import { type Booking, type ClearingRun, isFollowUp, type Subject } from '../booking.ts';
import { onDisk } from './book-log.ts';

export type TakenLine = Omit<Subject, 'amount'> &
  Pick<Booking, 'verdict' | 'arrivedAt' | 'rrn' | 'approvalCode'> & {
    readonly event: 'taken';
    readonly minor: string;
    readonly currency: string;
  };

export type BookLine =
  | TakenLine
  | { readonly event: 'reversed' | 'barred'; readonly reference: string; readonly at: number }
  | (ClearingRun & { readonly event: 'cleared' });

const EVENTS: ReadonlySet<unknown> = new Set(['taken', 'reversed', 'barred', 'cleared']);

/** Throws for whatever is not a line of the books. */
export function readBookLine(text: string): BookLine {
  const line = JSON.parse(text) as BookLine;
  if (!EVENTS.has(line?.event)) throw new Error('Not a line of the books');
  return line;
}

export function takenLineOf(booking: Booking): TakenLine {
  const { kind, reference, original, amount, card, to, eci, verdict, arrivedAt, rrn, approvalCode } = booking;
  const { currency } = amount;
  const minor = amount.minor.toString();
  const event = 'taken';
  return { event, kind, reference, original, card, to, eci, verdict, arrivedAt, rrn, approvalCode, minor, currency };
}

export function bookingOf(line: TakenLine): Booking {
  const { kind, reference, original, card, to, eci, verdict, arrivedAt, rrn, approvalCode, minor, currency } = line;
  const amount = { minor: BigInt(minor), currency };
  const durable = onDisk;
  return { kind, reference, original, amount, card, to, eci, verdict, arrivedAt, rrn, approvalCode, durable };
}

/** The reference whose money a line uses, when it uses it: what is declined changes nothing. */
export function usedBy({ kind, original, verdict }: TakenLine): string | undefined {
  return isFollowUp(kind) && verdict.word !== 'decline' ? original : undefined;
}
