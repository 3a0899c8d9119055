// What a receipt says of an order: how it stands in one word, and what has happened to its money since.

import { type Order, purposeOf, type Transaction } from './order.ts';
import { isFinal, type PublicStatus, stages } from './stages.ts';
import { movesNoMoney } from './transaction-types.ts';

export type ReceiptStanding =
  | 'in-progress'
  | 'paid'
  | 'held'
  | 'released'
  | 'partly-refunded'
  | 'refunded'
  | 'confirmed'
  | 'sent'
  | 'returned'
  | 'declined'
  | 'filtered'
  | 'failed';

const BY_STATUS: Readonly<Record<Exclude<PublicStatus, 'approved'>, ReceiptStanding>> = {
  processing: 'in-progress',
  unknown: 'in-progress',
  declined: 'declined',
  filtered: 'filtered',
  error: 'failed',
};

export function standingOf(order: Order): ReceiptStanding {
  const { stage, type } = purposeOf(order);
  const { status } = stages[stage];
  if (status !== 'approved') return BY_STATUS[status];
  if (movesNoMoney(type)) return 'confirmed';
  if (type === 'payout' || type === 'transfer') return order.reversed > 0n ? 'returned' : 'sent';
  return moneyStanding(order);
}

function moneyStanding({ authorised, captured, released, reversed }: Order): ReceiptStanding {
  if (captured === 0n) return released === authorised ? 'released' : 'held';
  if (reversed === 0n) return 'paid';
  return reversed === captured ? 'refunded' : 'partly-refunded';
}

/** The amount that the standing is about: what was taken of a hold, or is left of it, else what was asked for. */
export function standingAmount(order: Order): bigint {
  const { type, amount } = purposeOf(order);
  const { authorised, captured, released } = order;
  if (type !== 'preauth' || authorised === 0n) return amount;
  if (captured > 0n) return captured;
  return released === authorised ? amount : authorised - released;
}

/** What was made of the order's money later, or is being made; what came to nothing is no matter of the payer. */
export function laterMoves({ transactions }: Order): Transaction[] {
  return transactions.filter(
    ({ originalSeq, stage }) => originalSeq !== undefined && (stage === 'approved' || !isFinal(stage)),
  );
}

/** What the payer has paid after all; undefined where nothing has changed since, and where they were to be paid. */
export function restOf(order: Order): bigint | undefined {
  if (purposeOf(order).type === 'payout') return undefined;
  const isChanged = laterMoves(order).some(({ stage }) => stage === 'approved');
  return isChanged ? order.captured - order.reversed : undefined;
}
