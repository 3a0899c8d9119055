// Ledger entries as rows, and the statement that books them by themselves: for an order that was written a moment ago.

import type { LedgerEntry } from '../../domain/money/ledger.ts';
import type { Order } from '../../domain/order/order.ts';
import type { Step } from '../database.ts';
import { column, statement, table } from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';
import { orders, transactions } from './order-rows.ts';

export type OrderEntry = { readonly entry: LedgerEntry; readonly order: Order };

export const ledgerEntries = table('ledger_entries', ['merchantId', 'orderId', 'seq', 'line'], {
  ...transactions.key.parts,
  line: column.int('line'),
  account: column.text<LedgerEntry['account']>('account'),
  currency: column.text('currency'),
  amount: column.bigint('amount'),
  at: column.moment('at'),
});

export const ENTRY = [
  ...orders.key.batchOfRows<OrderEntry>(({ order }) => order),
  ...ledgerEntries.pick('seq', 'line', 'account', 'currency', 'amount').batchOfRows<OrderEntry>(({ entry }) => entry),
  ...ledgerEntries.batch<OrderEntry>({ at: ({ order, entry }) => order.transactions[entry.seq - 1]?.changedAt }),
];

/** Adds the rows of the query `entries` to the accounts, which it locks in one order everywhere. */
export const ADD_TO_ACCOUNTS = `
      insert into accounts (merchant_id, account, currency, balance)
      select merchant_id, account, currency, sum(amount) from entries
      group by merchant_id, account, currency order by merchant_id, account, currency
      on conflict (merchant_id, account, currency) do update set balance = accounts.balance + excluded.balance`;

// Nothing is booked of an order that was not written.
const book = statement<never>('ledger-book')`
    with entries as (
      insert into ledger_entries (${ledgerEntries.names()})
      select ${ledgerEntries.names('r.')}
      from ${unnest('r', ENTRY)}
      join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
      on conflict do nothing
      returning merchant_id, account, currency, amount
    )${ADD_TO_ACCOUNTS}`;

export function bookEntries(order: Order, entries: readonly LedgerEntry[]): Step<never> {
  const rows = entries.map((entry) => ({ entry, order }));
  return { statement: book, values: columnValues(ENTRY, rows) };
}
