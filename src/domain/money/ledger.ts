// Double entry: every money event writes entries that sum to zero per currency.
//   merchant  what we owe the merchant, which is the merchant's balance
//   clearing  between us and the acquirer; negative: the acquirer owes us
//   reserved  taken from a merchant's balance for a payout that is on its way
//   transit   taken from a sender's card and not yet sent to the receiver's

import { SECURITY_CODE_LOST } from '../acquirer/action-codes.ts';
import type { OrderEvent } from '../order/decide.ts';
import type { Order, Transaction } from '../order/order.ts';
import { isReturnedPayout, transactionOf } from '../order/order.ts';
import { isFinal } from '../order/stages.ts';
import { paysFromBalance } from '../order/transaction-types.ts';

export type Account = 'merchant' | 'clearing' | 'reserved' | 'transit';

export type LedgerEntry = {
  readonly seq: number;
  /** The number is unique within the transaction: each booking has two lines of its own. */
  readonly line: number;
  readonly account: Account;
  readonly currency: string;
  readonly amount: bigint;
};

/** The bookings a transaction can make, by the number of their first line. */
const LINES = { first: 1, second: 3, undo: 5 } as const;

/** The entries that set money aside when an order is accepted. */
export function reservationOf(order: Order): LedgerEntry[] {
  const first = transactionOf(order, 1);
  if (!paysFromBalance(first) || first.stage !== 'sending') return [];
  return booking(order, first, 'first', { from: 'merchant', to: 'reserved' });
}

/** The entries an event books; `order` is the order after it. */
export function entriesOf(order: Order, event: OrderEvent): LedgerEntry[] {
  if (event.type !== 'transaction-moved') return [];
  const transaction = transactionOf(order, event.seq);
  if (paysFromBalance(transaction)) return balanceEntries(order, transaction, event);
  switch (transaction.type) {
    case 'sale':
    case 'capture':
      return event.to === 'approved' ? booking(order, transaction, 'first', { from: 'clearing', to: 'merchant' }) : [];
    case 'void':
    case 'reversal':
    case 'chargeback':
      return event.to === 'approved' ? booking(order, transaction, 'first', wayBack(order, transaction)) : [];
    case 'transfer':
      return transferEntries(order, transaction, event);
    default:
      return [];
  }
}

/** Money goes back to where it came from: to a payer's card, or to the balance that paid. */
function wayBack(order: Order, transaction: Transaction): { from: Account; to: Account } {
  if (isReturnedPayout(order, transaction)) return { from: 'clearing', to: 'merchant' };
  return { from: 'merchant', to: 'clearing' };
}

type Moved = Extract<OrderEvent, { type: 'transaction-moved' }>;

/** A payout is set aside when it is sent, paid when it is approved, and given back when it is not. */
function balanceEntries(order: Order, transaction: Transaction, { finding, from }: Moved): LedgerEntry[] {
  // The merchant confirmed it, or it is paid at once because the payee gave a card.
  if (finding === 'confirmed' || finding === 'card-given')
    return booking(order, transaction, 'first', { from: 'merchant', to: 'reserved' });
  if (!isFinal(transaction.stage) || from === 'waiting' || from === 'awaiting-payer') return [];
  const to = transaction.stage === 'approved' ? 'clearing' : 'merchant';
  return booking(order, transaction, 'second', { from: 'reserved', to });
}

/** Money from card to card is taken with the first leg, sent with the second, and given back when that fails. */
function transferEntries(order: Order, transaction: Transaction, event: Moved): LedgerEntry[] {
  if (event.to === 'approved') return booking(order, transaction, 'second', { from: 'transit', to: 'clearing' });
  if (event.leg > event.fromLeg) return booking(order, transaction, 'first', { from: 'clearing', to: 'transit' });
  const isUndone = isFinal(event.to) && (event.from === 'undoing' || event.from === 'stuck');
  if (isUndone && wasTaken(transaction))
    return booking(order, transaction, 'undo', { from: 'transit', to: 'clearing' });
  return [];
}

/** Without a bank's answer the first leg was never booked; that a code was lost before it is our own word. */
function wasTaken({ answer }: Transaction): boolean {
  return answer !== undefined && !(answer.word === 'declined' && answer.code === SECURITY_CODE_LOST);
}

function booking(
  { currency }: Order,
  { seq, amount }: Transaction,
  which: keyof typeof LINES,
  { from, to }: { from: Account; to: Account },
): LedgerEntry[] {
  const line = LINES[which];
  return [
    { seq, line, account: from, currency, amount: -amount },
    { seq, line: line + 1, account: to, currency, amount },
  ];
}
