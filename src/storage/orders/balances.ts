// What accounts hold, as they stand or as their entries add up to at a moment.

import type { Account } from '../../domain/money/ledger.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';

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
  };
}
