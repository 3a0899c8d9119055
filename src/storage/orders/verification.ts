// Reads what `tender verify` looks at: orders a page at a time, each page in one statement and so as it was at one
// moment, what accounts say beside their entries, and the checks of whole tables.

import type { OrderKey } from '../../domain/order/order.ts';
import type { StoredOrder } from '../../domain/order/verification.ts';
import { overShards } from '../cluster/over-shards.ts';
import type { Database } from '../database.ts';
import { isAnyNodeAlive } from '../living-nodes.ts';
import { COLUMNS, Columns, column, ofMerchant, type RowOf, rowsInJson, statement } from '../tables/index.ts';
import { ledgerEntries } from './ledger-rows.ts';
import { orderEvents, orders, wholeOrder } from './order-rows.ts';
import { type DueBefore, MOST_ODDITIES, type Oddity, tableChecks } from './table-checks.ts';

const rowsOf = (name: string) => `from ${name} where ${orders.key.match(name, 'o')}`;

const page = statement('verification-orders', {
  order: wholeOrder('o'),
  changedAt: orders.parts.changedAt.of('o'),
  events: rowsInJson(orderEvents.pick('version', 'event'), rowsOf('order_events'), 'x.version'),
  entries: rowsInJson(
    ledgerEntries.pick('seq', 'line', 'account', 'currency', 'amount'),
    rowsOf('ledger_entries'),
    'x.seq, x.line',
  ),
  withCvv: column.json<readonly number[]>(
    `(select coalesce(json_agg(seq order by seq), '[]') ${rowsOf('transactions')} and sealed_cvv is not null)`,
  ),
})`
   select ${COLUMNS}
   from (select * from orders where (merchant_id, order_id) > ($1, $2) order by merchant_id, order_id limit $3) o
   order by o.merchant_id, o.order_id`;

const merchants = statement('verification-merchants', orders.pick('merchantId'))`
   select ${COLUMNS} from (select merchant_id from merchants union select merchant_id from accounts) m
   where merchant_id > $1 order by 1 limit $2`;

const orderCount = statement('verification-order-count', { count: column.id('count(*)') })`
   select ${COLUMNS} from orders`;

/** What an account says, and what its entries add up to. */
const accountColumns = new Columns({
  account: column.text('coalesce(a.account, e.account)'),
  currency: column.text('coalesce(a.currency, e.currency)'),
  balance: column.bigint('a.balance').optional(),
  total: column.bigint('e.total').optional(),
});

const accounts = statement('verification-accounts', accountColumns)`
   select ${COLUMNS}
   from (select * from accounts where ${ofMerchant()}) a
   full join (
     select account, currency, sum(amount) as total from ledger_entries where ${ofMerchant()} group by 1, 2
   ) e on e.account = a.account and e.currency = a.currency
   order by 2, 1`;

/** When its last change was written tells whether that can lie in a file. */
export type DatedOrder = StoredOrder & { readonly changedAt: number };

export type VerificationStore = ReturnType<typeof verificationStore>;

export function verificationStore(database: Database) {
  return {
    /** In the order of merchant and id, those after `after`. */
    orders: (after: OrderKey, limit: number): Promise<DatedOrder[]> =>
      overShards(database, page, [...orders.key.values(after), limit], { enough: limit }),
    orderCount: async () => (await database.query(orderCount))[0]?.count ?? 0,
    /** The merchants there are or ever had a balance, those after `after`. */
    merchants: async (after: number, limit: number) =>
      (await database.query(merchants, [after, limit])).map(({ merchantId }) => merchantId),
    /** What is wrong with a merchant's accounts. */
    accounts: async (merchantId: number) => accountOddities(merchantId, await database.query(accounts, [merchantId])),
    /** How many checks of whole tables there are. */
    tableChecks: tableChecks.length,
    /** Without `dueBefore` nobody is there to do what is due, and nothing of it is missed. */
    async tables(index: number, dueBefore: DueBefore | undefined): Promise<Oddity[]> {
      const check = tableChecks[index];
      if (!check || (check.dueBefore && !dueBefore)) return [];
      const values = check.dueBefore && dueBefore ? [new Date(dueBefore[check.dueBefore])] : [];
      return overShards(database, check.statement, values, { enough: MOST_ODDITIES });
    },
    /** Whether any node lives. */
    isServed: (now: number) => isAnyNodeAlive(database, now),
  };
}

function accountOddities(merchantId: number, rows: readonly RowOf<typeof accountColumns.parts>[]): Oddity[] {
  const place = `merchant ${merchantId}`;
  const odd: Oddity[] = [];
  const totals = new Map<string, bigint>();
  for (const { account, currency, balance, total } of rows) {
    if ((balance ?? 0n) !== (total ?? 0n)) {
      const cause = `account ${account} says ${balance ?? 'nothing'} ${currency}, its entries ${total ?? 'nothing'}`;
      odd.push({ place, cause });
    }
    totals.set(currency, (totals.get(currency) ?? 0n) + (total ?? 0n));
  }
  for (const [currency, total] of totals) {
    if (total !== 0n) odd.push({ place, cause: `the ledger is off by ${total} ${currency}` });
  }
  return odd;
}
