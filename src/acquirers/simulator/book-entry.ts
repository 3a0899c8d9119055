// One line of the bank's books as others see it: what became of one instruction, as things stand now.

import type { Money } from '../../domain/money.ts';
import type { Instruction } from '../acquirer.ts';
import type { Booking, CardDigits } from './books.ts';

export type BookEntry = {
  readonly reference: string;
  readonly kind: Instruction['kind'];
  readonly amount: Money;
  readonly card: CardDigits;
  /** `held` and `approved` are authorisations; `reversed` was one. */
  readonly outcome: 'approved' | 'declined' | 'held' | 'reversed';
  /** The action code of a decline. */
  readonly code?: string;
  readonly approvalCode?: string;
  readonly rrn: string;
  readonly arrivedAt: number;
  readonly reversedAt?: number;
};

/** `held` says whether the booking is still in doubt. */
export function entryOf(booking: Booking, held: boolean): BookEntry {
  const { reference, kind, amount, card, verdict, rrn, approvalCode, arrivedAt, reversedAt } = booking;
  const entry = { reference, kind, amount, card, rrn, arrivedAt };
  if (verdict.word === 'decline') return { ...entry, outcome: 'declined', code: verdict.code };
  if (reversedAt !== undefined) return { ...entry, outcome: 'reversed', approvalCode, reversedAt };
  return { ...entry, outcome: held ? 'held' : 'approved', approvalCode };
}
