// One line of the bank's books as others see it: the present state of one instruction.

import type { Money } from '../../domain/money/money.ts';
import type { Booking } from './booking.ts';
import type { CardDigits, TargetDigits } from './digits.ts';

export type BookEntry = {
  readonly reference: string;
  readonly kind: Booking['kind'];
  /** The reference of the instruction whose money this one uses. */
  readonly original?: string;
  readonly amount: Money;
  readonly card?: CardDigits;
  /** Who was paid or, for an eligibility question, would be. */
  readonly to?: TargetDigits;
  /** The electronic commerce indicator of a payer who was asked by 3-D Secure. */
  readonly eci?: string;
  /** `held` means in doubt, `approved` is certain; a `reversed` entry was one of these before. */
  readonly outcome: 'approved' | 'declined' | 'held' | 'reversed';
  /** The action code of a decline. */
  readonly code?: string;
  readonly approvalCode?: string;
  readonly rrn: string;
  readonly arrivedAt: number;
  readonly reversedAt?: number;
  readonly clearedAt?: number;
  /** The business day it was cleared for, as in `2031-12-31`. */
  readonly businessDate?: string;
};

/** `held` says whether the booking is still in doubt. */
export function entryOf(booking: Booking, held: boolean): BookEntry {
  const { reference, kind, original, amount, card, to, eci, verdict, rrn, approvalCode, arrivedAt, reversedAt } =
    booking;
  const entry = {
    reference,
    kind,
    ...(original === undefined ? {} : { original }),
    amount,
    ...(card ? { card } : {}),
    ...(to ? { to } : {}),
    ...(eci === undefined ? {} : { eci }),
    rrn,
    arrivedAt,
    ...(booking.clearing ? { clearedAt: booking.clearing.at, businessDate: booking.clearing.date } : {}),
  };
  if (verdict.word === 'decline') return { ...entry, outcome: 'declined', code: verdict.code };
  if (reversedAt !== undefined) return { ...entry, outcome: 'reversed', approvalCode, reversedAt };
  return { ...entry, outcome: held ? 'held' : 'approved', approvalCode };
}
