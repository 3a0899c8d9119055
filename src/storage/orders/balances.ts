// What accounts hold, as they stand or as their entries add up to at a moment.

import type { Account } from '../../domain/money/ledger.ts';
import type { BookedInDay } from '../../domain/money/statement.ts';
import type { TransactionType } from '../../domain/order/transaction-types.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, ofMerchant, type RowOf, sameMerchant, statement } from '../tables/index.ts';

const balanceColumns = {
  merchantId: column.id('merchant_id'),
  account: column.text<Account>('account'),
  currency: column.text('currency'),
  balance: column.bigint('balance'),
};

const statements = {
  now: statement('balances-now', balanceColumns)`
    select ${COLUMNS} from accounts
    where merchant_id = any($1::bigint[]) and ($2::text is null or currency = $2)
    order by merchant_id, currency, account`,
  at: statement('balances-at', balanceColumns)`
    select ${COLUMNS} from (
      select merchant_id, account, currency, sum(amount)::bigint as balance from ledger_entries
      where merchant_id = any($1::bigint[]) and ($2::text is null or currency = $2) and at <= $3
      group by merchant_id, account, currency
    ) x order by merchant_id, currency, account`,
};

/** What an account of a merchant holds, and what entries on it did in a day. */
const movementColumns = {
  currency: column.text('currency'),
  account: column.text<Account>('account'),
  balance: column.bigint('balance'),
  day: column.text('day').optional(),
  type: column.text<TransactionType>('type').optional(),
  isIn: column.boolean('is_in').optional(),
  amount: column.bigint('amount').optional(),
  count: column.int('count').optional(),
};

// Only what came since is read: what an account held before is what it holds now without it. Both are read by one
// statement, for what is booked between two would be missing in one of them.
const movements = statement('balances-movements', movementColumns)`
    select ${COLUMNS} from (
      select a.currency, a.account, a.balance, m.day, m.type, m.is_in, m.amount, m.count from accounts a left join (
        select to_char(e.at at time zone 'UTC', 'YYYY-MM-DD') as day, e.currency, e.account, t.type,
          e.amount > 0 as is_in, sum(e.amount)::bigint as amount, count(*)::int as count
        from ledger_entries e
        join transactions t on ${sameMerchant('t', 'e')} and t.order_id = e.order_id and t.seq = e.seq
        where ${ofMerchant('e')} and e.account = any($2::text[]) and ($3::text is null or e.currency = $3)
          and e.at >= $4
        group by 1, 2, 3, 4, 5
      ) m on m.currency = a.currency and m.account = a.account
      where ${ofMerchant('a')} and a.account = any($2::text[]) and ($3::text is null or a.currency = $3)
    ) x order by currency, account, day`;

/** What an account holds, and what was booked on it since: by day (UTC), type of transaction and direction. */
export type MovedAccount = {
  readonly account: Account;
  readonly currency: string;
  readonly balance: bigint;
  readonly booked: readonly BookedInDay[];
};

export type MovementQuery = {
  readonly merchantId: number;
  readonly accounts: readonly Account[];
  readonly currency: string | undefined;
  readonly since: number;
};

export type BalanceStore = ReturnType<typeof balanceStore>;

export type BalanceQuery = {
  readonly merchantIds: readonly number[];
  readonly currency: string | undefined;
  /** As they were when this moment was over; as they stand unless given. */
  readonly at: number | undefined;
};

export function balanceStore(database: Database) {
  return {
    list: ({ merchantIds, currency = undefined, at }: BalanceQuery) =>
      at === undefined
        ? database.query(statements.now, [merchantIds, currency ?? null])
        : database.query(statements.at, [merchantIds, currency ?? null, new Date(at)]),
    /** By currency; also accounts on which nothing was booked since. */
    movements: async ({ merchantId, accounts, currency, since }: MovementQuery) =>
      movedAccounts(await database.query(movements, [merchantId, accounts, currency ?? null, new Date(since)])),
  };
}

function movedAccounts(rows: readonly RowOf<typeof movementColumns>[]): MovedAccount[] {
  const moved = new Map<string, MovedAccount & { booked: BookedInDay[] }>();
  for (const { account, currency, balance, day, type, isIn, amount, count } of rows) {
    const name = `${account} ${currency}`;
    const one = moved.get(name) ?? { account, currency, balance, booked: [] };
    moved.set(name, one);
    if (day === undefined || type === undefined) continue;
    one.booked.push({ day, type, isIn: isIn === true, amount: amount ?? 0n, count: count ?? 0 });
  }
  return [...moved.values()];
}
