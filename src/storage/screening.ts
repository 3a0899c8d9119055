// Orders that limits may stop. Each is one transaction: it takes the locks its digests fall on, counts what is marked
// already, lets the rules decide, and writes the order with its own marks or as filtered. Whoever comes with an equal
// digest, on this node or another, waits for the locks and then counts what was committed, so of any number of parallel
// orders no more pass than the limit allows. Locks are taken first and in one order: nobody waits in a circle.

import { reservationOf } from '../domain/money/ledger.ts';
import { type Order, transactionOf } from '../domain/order/order.ts';
import { type Tally, type VelocityLimit, windowStart } from '../domain/screening/screening.ts';
import type { Database, Row, Session, Statement, Step } from './database.ts';
import { spend, Undone, undoing } from './orders/covered-commit.ts';
import { spendingOf, startSteps } from './orders/order-writes.ts';
import type { OrderRecord } from './store.ts';
import { bytes, moments, numbers, texts } from './wire/arrays.ts';

/** Locks per merchant: orders whose digests meet in one wait for each other without need, which is harmless. */
export const LOCK_BUCKETS = 64;

/** A limit on what this order is counted by. */
export type PlacedLimit = { readonly limit: VelocityLimit; readonly digest: Buffer };

export type ScreenedWrite = {
  readonly order: Pick<Order, 'merchantId' | 'endpointId' | 'createdAt'>;
  readonly limits: readonly PlacedLimit[];
  /** How far the merchant's balance may fall below zero if it pays. */
  readonly creditLimit: bigint;
  /** What is to be written, filtered or not, given what was counted for each limit. It may be asked again. */
  decide(tallies: readonly Tally[]): OrderRecord;
};

/** `conflict`: another order stands in the way. `available`: what the balance would cover. */
export type ScreenedOutcome = { readonly written: Order } | 'conflict' | { readonly available: bigint };

export type ScreeningStore = {
  commit(write: ScreenedWrite): Promise<ScreenedOutcome>;
  /** Removes at most `limit` marks no limit looks at any more, and tells how many. */
  forget(now: number, limit: number): Promise<number>;
};

const lock: Statement = {
  name: 'velocity-lock',
  text: `select bucket from velocity_locks where merchant_id = $1 and bucket = any($2::int[]) order by bucket for update`,
};

// A payment that came to nothing was not made: whoever repeats it makes no duplicate.
const tally: Statement = {
  name: 'velocity-tally',
  text: `
    select l.place, count(m.order_id)::int as count, coalesce(sum(m.amount), 0)::text as sum
    from unnest($3::bytea[], $4::timestamptz[], $5::text[]) with ordinality as l(digest, since, kind, place)
    left join lateral (
      select v.order_id, v.amount from velocity_marks v
      where v.merchant_id = $1 and v.endpoint_id = $2 and v.digest = l.digest and v.at > l.since
        and (l.kind <> 'payment' or exists (
          select 1 from transactions t
          where t.merchant_id = v.merchant_id and t.order_id = v.order_id and t.original_seq is null
            and t.stage not in ('declined', 'expired', 'error', 'abandoned', 'awaiting-payer')))
    ) m on true
    group by l.place order by l.place`,
};

const mark: Statement = {
  name: 'velocity-mark',
  text: `
    insert into velocity_marks (merchant_id, endpoint_id, digest, at, order_id, kind, amount, forget_at)
    select $1, $2, digest, $3, $4, kind, $5, forget_at
    from unnest($6::bytea[], $7::text[], $8::timestamptz[]) as m(digest, kind, forget_at)`,
};

const forget: Statement = {
  name: 'velocity-forget',
  text: `
    delete from velocity_marks where ctid = any(array(
      select ctid from velocity_marks where forget_at <= $1 order by forget_at limit $2 for update skip locked))
    returning 1`,
};

export function screeningStore(database: Database): ScreeningStore {
  return {
    commit: (write) => undoing(() => database.transaction((session) => commit(session, write))),
    async forget(now, limit) {
      return (await database.query(forget, [new Date(now), limit])).length;
    },
  };
}

/** Which lock a digest falls on. */
function bucketOf(digest: Buffer): number {
  return digest.readUInt16BE(0) % LOCK_BUCKETS;
}

async function commit(session: Session, write: ScreenedWrite): Promise<ScreenedOutcome> {
  const record = write.decide(await countUnderLocks(session, write.order, write.limits));
  await save(session, record, write);
  return { written: record.order };
}

/** What each limit counts, held until the transaction ends; `createdAt` is the moment their windows end. */
export async function countUnderLocks(
  session: Session,
  order: ScreenedWrite['order'],
  limits: readonly PlacedLimit[],
): Promise<Tally[]> {
  const buckets = [...new Set(limits.map(({ digest }) => bucketOf(digest)))];
  const locks = { statement: lock, values: [order.merchantId, numbers(buckets)] };
  // Each statement sees what is committed when it begins: the count is taken under the locks.
  const [locked = [], counted = []] = await session.flight([locks, tallyStep({ order, limits })]);
  if (locked.length !== buckets.length) throw new Error(`Merchant ${order.merchantId} has limits but no locks`);
  return counted.map(tallyFrom);
}

async function save(session: Session, record: OrderRecord, { limits, creditLimit }: ScreenedWrite): Promise<void> {
  const isFiltered = transactionOf(record.order, 1).stage === 'filtered';
  const marks = isFiltered ? [] : [markStep(record.order, limits)];
  const entries = reservationOf(record.order);
  if (entries.length > 0) {
    const spending = spendingOf({ record, entries, creditLimit });
    await spend(session, { ...spending, steps: [...spending.steps, ...marks] });
    return;
  }
  const [written = []] = await session.flight([...startSteps(record), ...marks]);
  if (written.length !== 1) throw new Undone('conflict');
}

function tallyStep({
  order: { merchantId, endpointId, createdAt },
  limits,
}: Pick<ScreenedWrite, 'order' | 'limits'>): Step {
  const values = [
    merchantId,
    endpointId,
    bytes(limits.map(({ digest }) => digest)),
    moments(limits.map(({ limit }) => windowStart(limit, createdAt))),
    texts(limits.map(({ limit }) => limit.kind)),
  ];
  return { statement: tally, values };
}

/** Several limits may count by the same: its mark is kept for the longest. */
export function markStep(
  { merchantId, endpointId, orderId, createdAt, amount }: Order,
  limits: readonly PlacedLimit[],
): Step {
  const byDigest = new Map<string, PlacedLimit>();
  for (const placed of limits) {
    const key = placed.digest.toString('latin1');
    const other = byDigest.get(key);
    if (!other || other.limit.windowMs < placed.limit.windowMs) byDigest.set(key, placed);
  }
  const marks = [...byDigest.values()];
  const values = [
    merchantId,
    endpointId,
    new Date(createdAt),
    orderId,
    amount,
    bytes(marks.map(({ digest }) => digest)),
    texts(marks.map(({ limit }) => limit.kind)),
    moments(marks.map(({ limit }) => createdAt + limit.windowMs)),
  ];
  return { statement: mark, values };
}

function tallyFrom(row: Row): Tally {
  return { count: Number(row.count), sum: BigInt(row.sum as string) };
}
