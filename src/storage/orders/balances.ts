// What accounts hold, as they stand or as their entries add up to at a moment.

import type { Account } from '../../domain/money/ledger.ts';
import type { TransactionType } from '../../domain/order/transaction-types.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, type RowOf, statement } from '../tables/index.ts';

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

/** What entries on the accounts of a merchant did in a day. */
const movementColumns = {
  day: column.text('day'),
  currency: column.text('currency'),
  account: column.text<Account>('account'),
  type: column.text<TransactionType>('type'),
  isIn: column.boolean('is_in'),
  amount: column.bigint('amount'),
  count: column.int('count'),
};

// Only what came since is read: what an account held before is what it holds now without it.
const movements = statement('balances-movements', movementColumns)`
    select ${COLUMNS} from (
      select to_char(e.at at time zone 'UTC', 'YYYY-MM-DD') as day, e.currency, e.account, t.type, e.amount > 0 as is_in,
        sum(e.amount)::bigint as amount, count(*)::int as count
      from ledger_entries e
      join transactions t on t.merchant_id = e.merchant_id and t.order_id = e.order_id and t.seq = e.seq
      where e.merchant_id = $1 and e.account = any($2::text[]) and ($3::text is null or e.currency = $3) and e.at >= $4
      group by 1, 2, 3, 4, 5
    ) x order by day, currency`;

export type Movement = RowOf<typeof movementColumns>;

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
    /** By day (UTC), currency, account, type of transaction and direction. */
    movements: ({ merchantId, accounts, currency, since }: MovementQuery) =>
      database.query(movements, [merchantId, accounts, currency ?? null, new Date(since)]),
  };
}
