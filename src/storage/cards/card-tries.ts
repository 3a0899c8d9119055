// Which cards were tried from where, for all nodes: one row for each card of a source, with how its latest try ended.

import type { OrderDetails } from '../../domain/order/details.ts';
import type { SourceKind } from '../../domain/screening/card-testing.ts';
import type { Database } from '../database.ts';
import { orders, transactions } from '../orders/order-rows.ts';
import type { DueTransaction } from '../store.ts';
import { COLUMNS, Columns, column, type RowOf, statement } from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';

const tries = new Columns({
  merchantId: column.id('merchant_id'),
  /** A keyed digest, as is the card. */
  source: column.hex('source'),
  card: column.hex('card'),
  kind: column.text<SourceKind>('kind'),
  declined: column.boolean('declined'),
  at: column.moment('at'),
});

export type StoredTry = RowOf<typeof tries.parts>;

/** A payment that its issuer declined: the card's fingerprint, and what is known of the payer. */
export type DeclinedPayment = {
  readonly merchantId: number;
  readonly orderId: number;
  readonly seq: number;
  readonly card: Buffer | undefined;
  readonly details: OrderDetails;
};

export type CardTryStore = {
  declined(keys: readonly DueTransaction[]): Promise<DeclinedPayment[]>;
  /** A later try of the same card takes the place of an earlier one. */
  write(tries: readonly StoredTry[]): Promise<void>;
  /** Those that were written after this moment, the newest first. */
  since(moment: number, limit: number): Promise<StoredTry[]>;
  /** Removes at most `limit` tries from before this moment, and tells how many. */
  forget(before: number, limit: number): Promise<number>;
};

const TRY = tries.batchOfRows();

const write = statement<never>('card-tries-write')`
    insert into card_tries (${tries.names()})
    select ${tries.names('r.')} from ${unnest('r', TRY)} order by r.merchant_id, r.source, r.card
    on conflict (merchant_id, source, card) do update set declined = excluded.declined, at = excluded.at`;

const since = statement('card-tries-since', tries)`
  select ${COLUMNS} from card_tries where at > $1 order by at desc limit $2`;

const forget = statement('card-tries-forget')`
    delete from card_tries where ctid = any(array(
      select ctid from card_tries where at <= $1 order by at limit $2 for update skip locked))
    returning 1`;

const declined = statement('card-tries-declined', {
  ...transactions.key.of('t').parts,
  card: transactions.parts.cardFingerprint.of('t'),
  details: orders.parts.details.of('o'),
})`
    select ${COLUMNS} from unnest($1::bigint[], $2::bigint[], $3::int[]) as r(merchant_id, order_id, seq)
    join transactions t on ${transactions.key.match('t', 'r')}
    join orders o on ${orders.key.match('o', 'r')}`;

export function cardTryStore(database: Database): CardTryStore {
  return {
    declined: (keys) =>
      database.query(declined, [
        keys.map(({ merchantId }) => merchantId),
        keys.map(({ orderId }) => orderId),
        keys.map(({ seq }) => seq),
      ]),
    write: async (rows) => {
      await database.query(write, columnValues(TRY, rows));
    },
    since: (moment, limit) => database.query(since, [new Date(moment), limit]),
    forget: async (before, limit) => (await database.query(forget, [new Date(before), limit])).length,
  };
}
