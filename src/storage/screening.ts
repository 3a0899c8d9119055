// What limits count: every accepted order leaves a mark under the digest of what it has in common with others. Whoever
// comes with an equal digest, on this node or another, waits for its lock and then counts what was committed, so of any
// number of parallel orders no more pass than the limit allows. Locks are taken first and in one order: nobody waits in
// a circle.

import type { Order } from '../domain/order/order.ts';
import { CAME_TO_NOTHING, type CountedLimit, windowStart } from '../domain/screening/screening.ts';
import { FIRST_SHARD, forgetByShard, type ListShards } from './claims.ts';
import { insertedStep, insertion } from './cluster/insertion.ts';
import type { Database, Session, Step } from './database.ts';
import { orders } from './orders/order-rows.ts';
import { stageIn } from './orders/order-words.ts';
import type { ConditionalWrite, PlacedLimit } from './store.ts';
import { COLUMNS, Columns, column, ofMerchant, shardOfId, statement } from './tables/index.ts';

/** Locks per merchant: orders whose digests meet in one wait for each other without need, which is harmless. */
export const LOCK_BUCKETS = 64;

export type ScreeningStore = {
  /** Removes at most `limit` marks no limit looks at any more, and tells how many. */
  forget(now: number, limit: number): Promise<number>;
};

const lock = statement('velocity-lock')`
  select bucket from velocity_locks where ${ofMerchant()} and bucket = any($2::int[]) order by bucket for update`;

const tally = statement('velocity-tally', {
  count: column.int('count(m.order_id)::int'),
  sum: column.bigint('coalesce(sum(m.amount), 0)::text'),
})`
    select ${COLUMNS}
    from unnest($3::bytea[], $4::timestamptz[], $5::text[], $6::int[]) as l(digest, since, kind, place)
    left join lateral (
      select v.order_id, v.amount from velocity_marks v
      where ${ofMerchant('v')} and v.endpoint_id = $2 and v.digest = l.digest and v.at > l.since
        and (l.kind <> 'payment' or exists (
          select 1 from transactions t
          where ${orders.key.among('t', 'v', shardOfId('$1::bigint'))} and t.original_seq is null
            and not (${stageIn(CAME_TO_NOTHING, 't')})))
    ) m on true
    group by l.place order by l.place`;

const marks = new Columns({
  ...orders.pick('merchantId', 'endpointId').parts,
  digest: column.bytea('digest'),
  at: column.moment('at'),
  orderId: column.id('order_id'),
  kind: column.text('kind'),
  amount: column.bigint('amount'),
  forgetAt: column.moment('forget_at'),
});

const marked = insertion('velocity-mark', {
  into: 'velocity_marks',
  names: marks.names(),
  batch: marks.batchOfRows(),
  values: marks.names('r.'),
});
const mark = statement<never>('velocity-mark')`${marked.text()}`;

const forget = statement('velocity-forget')`
    delete from velocity_marks where shard = $3 and ctid = any(array(
      select ctid from velocity_marks where shard = $3 and forget_at <= $1 order by forget_at limit $2 for update skip locked))
    returning 1`;

export function screeningStore(database: Database, shards: ListShards = FIRST_SHARD): ScreeningStore {
  return {
    forget: (now, limit) =>
      forgetByShard(shards, limit, (shard, most) => database.query(forget, [new Date(now), most, shard])),
  };
}

/** Which lock a digest falls on. */
function bucketOf(digest: Buffer): number {
  return digest.readUInt16BE(0) % LOCK_BUCKETS;
}

/** What each limit counts, held until the transaction ends. */
export async function countUnderLocks(
  session: Session,
  { order, at, limits }: Pick<ConditionalWrite, 'order' | 'at' | 'limits'>,
): Promise<CountedLimit[]> {
  const { merchantId, endpointId } = order;
  const rows = limits.flatMap(({ limit, digest, older = [] }, place) =>
    [digest, ...older].map((one) => ({ limit, digest: one, place })),
  );
  const buckets = [...new Set(rows.map(({ digest }) => bucketOf(digest)))];
  const values = [
    merchantId,
    endpointId,
    rows.map(({ digest }) => digest),
    rows.map(({ limit }) => new Date(windowStart(limit, at))),
    rows.map(({ limit }) => limit.kind),
    rows.map(({ place }) => place),
  ];
  // Each statement sees what is committed when it begins: the count is taken under the locks.
  const [locked, counted] = await session.flight([
    { statement: lock, values: [merchantId, buckets] },
    { statement: tally, values },
  ]);
  if (locked.length !== buckets.length) throw new Error(`Merchant ${merchantId} has limits but no locks`);
  // One row for each limit, in their order.
  return limits.map(({ limit }, index) => ({ limit, tally: counted[index]! }));
}

/** Several limits may count by the same: its mark is kept for the longest. */
export function markStep(
  { merchantId, endpointId, orderId, amount }: Order,
  at: number,
  limits: readonly PlacedLimit[],
): Step<never> {
  const byDigest = new Map<string, PlacedLimit>();
  for (const placed of limits) {
    const key = placed.digest.toString('latin1');
    const other = byDigest.get(key);
    if (!other || other.limit.windowMs < placed.limit.windowMs) byDigest.set(key, placed);
  }
  const rows = [...byDigest.values()].map(({ digest, limit: { kind, windowMs } }) => {
    return { merchantId, endpointId, digest, at, orderId, kind, amount, forgetAt: at + windowMs };
  });
  return insertedStep(mark, marked, rows);
}
