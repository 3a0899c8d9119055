// Which cards were tried from where, for all nodes: one row for each card of a source, with how its latest try ended.

import { byShard } from '../../domain/merchant/shard.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { SourceKind } from '../../domain/screening/card-testing.ts';
import { FIRST_SHARD, forgetByShard, type ListShards } from '../claims.ts';
import { insertedStep, insertion } from '../cluster/insertion.ts';
import type { Database } from '../database.ts';
import { orders, transactions } from '../orders/order-rows.ts';
import type { DueTransaction } from '../store.ts';
import { COLUMNS, Columns, column, type RowOf, shardOfBatch, statement } from '../tables/index.ts';

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

const LATER = `
    on conflict (merchant_id, source, card, shard) do update set declined = excluded.declined, at = excluded.at`;

const written = insertion('card-tries-write', {
  into: 'card_tries',
  names: tries.names(),
  batch: TRY,
  values: tries.names('r.'),
  conflict: LATER,
});
const write = statement<never>('card-tries-write')`
    ${written.text()} order by r.merchant_id, r.source, r.card${LATER}`;

const digestsOf = ({ source, card }: StoredTry) => `${source} ${card}`;
const inOrder = (one: StoredTry, other: StoredTry) =>
  one.merchantId - other.merchantId || (digestsOf(one) < digestsOf(other) ? -1 : 1);

const since = statement('card-tries-since', tries)`
  select ${COLUMNS} from card_tries where at > $1 order by at desc limit $2`;

const forget = statement('card-tries-forget')`
    delete from card_tries where shard = $3 and ctid = any(array(
      select ctid from card_tries where shard = $3 and at <= $1 order by at limit $2 for update skip locked))
    returning 1`;

const declined = statement('card-tries-declined', {
  ...transactions.key.of('t').parts,
  card: transactions.parts.cardFingerprint.of('t'),
  details: orders.parts.details.of('o'),
})`
    select ${COLUMNS} from unnest($1::bigint[], $2::bigint[], $3::int[]) as r(merchant_id, order_id, seq)
    cross join lateral (
      select * from transactions t where ${transactions.key.among('t', 'r', shardOfBatch())} offset 0) t
    cross join lateral (select * from orders o where ${orders.key.among('o', 'r', shardOfBatch())} offset 0) o`;

export function cardTryStore(database: Database, shards: ListShards = FIRST_SHARD): CardTryStore {
  return {
    async declined(keys) {
      const found: DeclinedPayment[] = [];
      for (const ofShard of byShard(keys, ({ merchantId }) => merchantId)) {
        const ids = [ofShard.map(({ merchantId }) => merchantId), ofShard.map(({ orderId }) => orderId)];
        found.push(...(await database.query(declined, [...ids, ofShard.map(({ seq }) => seq)])));
      }
      return found;
    },
    async write(rows) {
      for (const ofShard of byShard(rows, ({ merchantId }) => merchantId)) {
        await database.flight([insertedStep(write, written, ofShard.toSorted(inOrder))]);
      }
    },
    since: (moment, limit) => database.query(since, [new Date(moment), limit]),
    forget: (before, limit) =>
      forgetByShard(shards, limit, (shard, most) => database.query(forget, [new Date(before), most, shard])),
  };
}
