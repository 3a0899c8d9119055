// Double entry: every money event writes entries that sum to zero per currency.
// `merchant` is what we owe the merchant, `clearing` what the acquirer owes us (negative: it owes).

import type { OrderEvent } from './order/decide.ts';
import type { Order } from './order/order.ts';
import { transactionOf } from './order/order.ts';

export type Account = 'merchant' | 'clearing';

export type LedgerEntry = {
  readonly seq: number;
  readonly line: number;
  readonly account: Account;
  readonly currency: string;
  readonly amount: bigint;
};

/** The entries an event books; `order` is the order before or after it, amounts do not differ. */
export function entriesOf(order: Order, event: OrderEvent): LedgerEntry[] {
  if (event.to !== 'approved') return [];
  const { seq, amount } = transactionOf(order, event.seq);
  const { currency } = order;
  return [
    { seq, line: 1, account: 'clearing', currency, amount: -amount },
    { seq, line: 2, account: 'merchant', currency, amount },
  ];
}
