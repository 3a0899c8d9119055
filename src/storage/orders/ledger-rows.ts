// Ledger entries as rows, and the statement that books them by themselves: for an order that was written a moment ago.

import type { LedgerEntry } from '../../domain/money/ledger.ts';
import type { Order } from '../../domain/order/order.ts';
import { doAll, insertion } from '../cluster/insertion.ts';
import type { Session, Step } from '../database.ts';
import { Columns, column, type RowOf, shardOfId, statement, table } from '../tables/index.ts';
import { columnValues } from '../wire/columns.ts';
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

const ON_ACCOUNT =
  'on conflict (merchant_id, account, currency, shard) do update set balance = accounts.balance + excluded.balance';

/** Adds the rows of the query `entries` to the accounts, which it locks in one order everywhere. */
export const ADD_TO_ACCOUNTS = `
      insert into accounts (shard, merchant_id, account, currency, balance)
      select ${shardOfId('merchant_id')}, merchant_id, account, currency, sum(amount) from entries
      group by merchant_id, account, currency order by merchant_id, account, currency
      ${ON_ACCOUNT}`;

export const entryInsertion = insertion('ledger-entries', {
  into: 'ledger_entries',
  names: ledgerEntries.names(),
  batch: ENTRY,
  values: ledgerEntries.names('r.'),
});

const sums = new Columns({
  ...ledgerEntries.pick('merchantId', 'account', 'currency').parts,
  balance: column.bigint('balance'),
});
type Sum = RowOf<typeof sums.parts>;

const accountInsertion = insertion('accounts-add', {
  into: 'accounts',
  names: sums.names(),
  batch: sums.batchOfRows(),
  values: sums.names('r.'),
  conflict: ON_ACCOUNT,
});

/** Books entries of orders that were written, on a cluster; accounts are locked in one order everywhere. */
export function bookingSteps(entries: readonly OrderEntry[]): Step<never>[] {
  const byAccount = new Map<string, Sum>();
  for (const { order, entry } of entries) {
    const { merchantId } = order;
    const { account, currency, amount } = entry;
    const place = `${String(merchantId).padStart(16, '0')} ${account} ${currency}`;
    const balance = (byAccount.get(place)?.balance ?? 0n) + amount;
    byAccount.set(place, { merchantId, account, currency, balance });
  }
  const places = [...byAccount.keys()].sort();
  return [...entryInsertion.apart(entries), ...accountInsertion.apart(places.map((place) => byAccount.get(place)!))];
}

// Nothing is booked of an order that was not written.
const book = statement<never>('ledger-book')`
    with entries as (
      ${entryInsertion.text()}
      join orders o on ${orders.key.among('o', 'r', shardOfId('r.merchant_id'))}
      on conflict do nothing
      returning merchant_id, account, currency, amount
    )${ADD_TO_ACCOUNTS}`;

const selectWritten = statement('orders-is-written')`select 1 from orders where ${orders.key.equal()}`;

export function bookEntries(order: Order, entries: readonly LedgerEntry[]): Step<never> {
  const rows = entries.map((entry) => ({ entry, order }));
  // It was written in front of them in this transaction: on a cluster that is asked.
  const apart = async (session: Session) => {
    const written = await session.query(selectWritten, [order.merchantId, order.orderId]);
    return doAll(session, written.length > 0 ? bookingSteps(rows) : []);
  };
  return { statement: book, values: columnValues(ENTRY, rows), apart };
}
