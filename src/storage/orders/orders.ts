// Orders and all that hangs on them: written in batches, found, claimed when due, and forgotten in time.

import { grouped } from '../../domain/grouped.ts';
import { byShard } from '../../domain/merchant/shard.ts';
import { callbacksDue, type DueCallback } from '../../domain/order/callbacks.ts';
import type { Order, OrderKey } from '../../domain/order/order.ts';
import { CVV_MS } from '../../domain/order/retry-schedule.ts';
import { stagesBefore } from '../../domain/order/stages.ts';
import { storedCard } from '../cards/card-rows.ts';
import { claimByShard, FIRST_SHARD, type ListShards } from '../claims.ts';
import { type Database, isUniqueViolation, type Step } from '../database.ts';
import type { Batch, ExistingOrder, OrderRecord, OrderStore } from '../store.ts';
import {
  COLUMNS,
  column,
  inShard,
  lookedUp,
  ofMerchant,
  sameMerchant,
  shardOfBatch,
  shardOfId,
  statement,
} from '../tables/index.ts';
import { callbackSteps } from './callbacks.ts';
import { hasRecurringPayment, refuseTakenStep, takenIds } from './client-order-ids.ts';
import { commitAlone } from './conditional-write.ts';
import { confirmations, orderColumns, orders, transactionColumns, transactions } from './order-rows.ts';
import { findOrderViews, orderFinder } from './order-views.ts';
import { stageIn, stageIs } from './order-words.ts';
import { changeStep, FEW, startStep, type WrittenOrder } from './order-writes.ts';
import { countingSteps, type IsCounted } from './terminal-days.ts';

const ASKED_FOR = `unnest($1::bigint[], $2::bigint[]) as r(${orders.key.names()})`;

// One lookup after the other, however the tables are filled.
const selectOrders = statement('orders-load', orderColumns.of('o'))`
    select ${COLUMNS} from ${ASKED_FOR} cross join lateral (
      select * from orders o where ${orders.key.among('o', 'r', shardOfBatch())} offset 0) o where ${FEW}`;

const selectTransactions = statement('transactions-load', {
  orderId: transactions.parts.orderId.of('t'),
  transaction: transactionColumns.of('t'),
})`
    select ${COLUMNS} from ${ASKED_FOR} cross join lateral (
      select * from transactions t where ${orders.key.among('t', 'r', shardOfBatch())} offset 0) t where ${FEW}
    order by t.order_id, t.seq`;

const selectExisting = statement('orders-existing', {
  ...orders.pick('orderId', 'control').of('o').parts,
  ...transactions.pick('fingerprint', 'idempotencyKey').of('t').parts,
})`
    select ${COLUMNS} from orders o join transactions t on ${orders.key.match('t', 'o')} and t.seq = 1
    where ${ofMerchant('o')} and o.order_id in (
      select order_id from orders where ${ofMerchant()} and client_order_id = $2 and unsigned = $5
      union select order_id from orders where ${ofMerchant()} and control = $3
      union select order_id from transactions where ${ofMerchant()} and idempotency_key = $4)`;

// Materialized: looked for once for each row it is joined with, it would find others every time.
const claimDue = statement('transactions-claim', transactions.key.of('t'))`
    with d as materialized (
      select ${transactions.key.names()} from transactions
      where shard = $5 and due_at <= $1 order by due_at limit $4 for update skip locked
    )
    update transactions t set due_at = $2, lease_owner = $3 from d
    where ${transactions.key.among('t', 'd', '$5')}
    returning ${COLUMNS}`;

/** What is due within this time is not made due earlier. */
const SOON_MS = 1_000;

const ASKED_LATER = `${stageIn(stagesBefore('inquire'))} and lease_owner is null`;

const dueNow = statement('transactions-due-now')`
    update transactions set due_at = $4
    where ${transactions.key.equal()} and ${ASKED_LATER} and due_at > $5 returning 1`;

const isHeld = statement('transactions-is-held')`
    select 1 from transactions
    where ${transactions.key.equal()} and (lease_owner is not null and due_at is not null or ${stageIs('sending')})`;

const giveBack = statement('transactions-give-back')`
    update transactions set due_at = $5, lease_owner = null
    where ${transactions.key.equal()} and due_at = $4 and lease_owner is not null`;

const releaseLeases = statement('transactions-release')`
  update transactions set due_at = $1 where due_at > $1 and lease_owner is not null returning 1`;

const SHARD_OF_FIRST = shardOfId('$1::bigint');

const selectCards = statement('orders-cards', {
  card: storedCard.of('c').optional(),
  targetCard: storedCard.of('g').optional(),
  sealedTarget: orders.parts.sealedTarget.of('o'),
  sealedCvv: transactions.parts.sealedCvv.of('t'),
  details: orders.parts.details.of('o'),
  sealedDetails: orders.parts.sealedDetails.of('o'),
  // A card that was sent with an order has the order's id.
  firstNetworkTransactionId: column
    .text(`(select f.told ->> 'networkTransactionId' from transactions f
        where ${inShard(sameMerchant('f', 'o'), SHARD_OF_FIRST)} and f.order_id = o.card_id and f.order_id <> o.order_id
          and ${stageIs('approved', 'f')} and f.original_seq is null)`)
    .optional(),
})`
    select ${COLUMNS}
    from transactions t
    join orders o on ${inShard(orders.key.match('o', 't'), SHARD_OF_FIRST)}
    ${lookedUp('cards', 'c', `${inShard(sameMerchant('c', 'o'), SHARD_OF_FIRST)} and c.card_id = o.card_id`)}
    ${lookedUp('cards', 'g', `${inShard(sameMerchant('g', 'o'), SHARD_OF_FIRST)} and g.card_id = o.target_card_id`)}
    where ${ofMerchant('t')} and t.order_id = $2 and t.seq = $3`;

const selectByIdempotencyKey = statement(
  'transactions-by-idempotency-key',
  confirmations.pick('orderId', 'fingerprint', 'requestSerial'),
)`
    select ${COLUMNS} from transactions where ${ofMerchant()} and idempotency_key = $2
    union all
    select ${COLUMNS} from confirmations where ${ofMerchant()} and idempotency_key = $2
    union all
    select ${COLUMNS} from transactions where ${ofMerchant()} and order_id = $3 and fingerprint = $4
      and idempotency_key is null and created_at >= $5`;

const selectConfirmation = statement('confirmations-find', confirmations.pick('requestSerial'))`
  select ${COLUMNS} from confirmations where ${confirmations.key.equal()}`;

const forgetCvv = statement('transactions-forget-cvv')`
  update transactions set sealed_cvv = null where sealed_cvv is not null
    and coalesce(card_given_at, created_at) < $1`;

const forgetIdempotency = statement('transactions-forget-idempotency')`
  update transactions set idempotency_key = null, idempotency_until = null
    where idempotency_key is not null and idempotency_until < $1`;

const forgetConfirmationKeys = statement('confirmations-forget-idempotency')`
  update confirmations set idempotency_key = null, idempotency_until = null
    where idempotency_key is not null and idempotency_until < $1`;

/** `callbacksAreDue` hears when a batch made some. */
export function orderStore(
  database: Database,
  callbacksAreDue = () => {},
  isCounted: IsCounted = () => false,
  shards: ListShards = FIRST_SHARD,
): OrderStore {
  const claimEach = claimByShard(shards);
  const writer = new BatchWriter(database, callbacksAreDue, isCounted);
  return {
    commit: (batch) => writer.commit(batch),
    commitAlone: (write) => commitAlone(database, write),
    load: (keys) => load(database, keys),

    async findExisting({ merchantId, clientOrderId, unsigned = false, control, idempotencyKey }) {
      const values = [merchantId, clientOrderId, control, idempotencyKey, unsigned];
      const rows = await database.query(selectExisting, values);
      const found = await load(
        database,
        rows.map(({ orderId }) => ({ merchantId, orderId })),
      );
      return rows.flatMap(({ orderId, ...row }): ExistingOrder[] => {
        const order = found.get(orderId);
        return order ? [{ order, ...row }] : [];
      });
    },

    hasRecurringPayment: (merchantId, clientOrderId) => hasRecurringPayment(database, merchantId, clientOrderId),

    claimDue: ({ now, leaseUntil, leaseOwner, limit }) =>
      claimEach(limit, (shard, most) =>
        database.query(claimDue, [new Date(now), new Date(leaseUntil), leaseOwner, most, shard]),
      ),

    async dueNow({ merchantId, orderId, seq }, now) {
      const key = [merchantId, orderId, seq];
      // In this order: whoever takes it between the two asks the bank later than we were told to, and nobody who gives
      // it back between them is missed.
      if ((await database.query(isHeld, key)).length > 0) return 'held';
      const made = await database.query(dueNow, [...key, new Date(now), new Date(now + SOON_MS)]);
      return made.length > 0 ? 'due' : 'not-open';
    },

    async giveBack({ merchantId, orderId, seq, leaseUntil }, dueAt) {
      await database.query(giveBack, [merchantId, orderId, seq, new Date(leaseUntil), new Date(dueAt)]);
    },

    releaseLeases: async (now) => (await database.query(releaseLeases, [new Date(now)])).length,

    async loadCards({ merchantId, orderId, seq }) {
      const [row] = await database.query(selectCards, [merchantId, orderId, seq]);
      if (!row) throw new Error(`There is no transaction ${seq} of order ${orderId}`);
      return row;
    },

    async findByIdempotencyKey(merchantId, idempotencyKey, equal) {
      const since = equal && new Date(equal.since);
      const values = [merchantId, idempotencyKey, equal?.orderId, equal?.fingerprint, since];
      const [row] = await database.query(selectByIdempotencyKey, values);
      if (!row) return undefined;
      const { orderId, fingerprint, requestSerial } = row;
      const order = (await load(database, [{ merchantId, orderId }])).get(orderId);
      return order && { order, fingerprint, requestSerial };
    },

    findConfirmation: async ({ merchantId, orderId }) =>
      (await database.query(selectConfirmation, [merchantId, orderId]))[0]?.requestSerial,

    findOrderView: orderFinder(database),
    findOrderViews: (keys) => findOrderViews(database, keys),

    async forgetExpired(now) {
      await database.query(forgetCvv, [new Date(now - CVV_MS)]);
      await database.query(forgetIdempotency, [new Date(now)]);
      await database.query(forgetConfirmationKeys, [new Date(now)]);
    },
  };
}

/** After a batch that met an order which exists already, so many are written the slower way that expects it. */
const WARY_BATCHES = 100;

class BatchWriter {
  readonly #database: Database;
  readonly #callbacksAreDue: () => void;
  readonly #isCounted: IsCounted;
  #waryFor = 0;

  constructor(database: Database, callbacksAreDue: () => void, isCounted: IsCounted) {
    this.#database = database;
    this.#callbacksAreDue = callbacksAreDue;
    this.#isCounted = isCounted;
  }

  async commit(batch: Batch): Promise<ReadonlySet<number>> {
    try {
      return await this.#commit(batch);
    } catch (error) {
      const taken = await takenIds(this.#database, batch.starts, error);
      if (taken.size === 0) throw error;
      return this.commit({ ...batch, starts: batch.starts.filter((record) => !taken.has(record)) });
    }
  }

  async #commit({ starts, changes }: Batch): Promise<ReadonlySet<number>> {
    const due: DueCallback[] = [];
    for (const { order } of starts) if (order.callbacks) due.push(...callbacksDue(undefined, order));
    for (const { before, after } of changes) if (after.callbacks) due.push(...callbacksDue(before, after));
    const behind: Step<WrittenOrder>[] = [...callbackSteps(due), ...countingSteps(changes, this.#isCounted)];
    if (changes.length > 0) behind.unshift(changeStep(changes));
    if (starts.length > 0) behind.unshift(refuseTakenStep(starts));
    const written = starts.length > 0 ? await this.#writeStarts(starts, behind) : await this.#write(behind);
    if (due.length > 0) this.#callbacksAreDue();
    return written;
  }

  /** Batches with an order that exists already are rare: most are written without looking for one. */
  async #writeStarts(
    starts: readonly OrderRecord[],
    behind: readonly Step<WrittenOrder>[],
  ): Promise<ReadonlySet<number>> {
    if (this.#waryFor > 0) {
      this.#waryFor -= 1;
      return this.#write([startStep(starts, { leavesOut: true }), ...behind]);
    }
    try {
      const written = await this.#write([startStep(starts, { leavesOut: false }), ...behind]);
      for (const { order } of starts) written.add(order.orderId);
      return written;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.#waryFor = WARY_BATCHES;
      return this.#write([startStep(starts, { leavesOut: true }), ...behind]);
    }
  }

  async #write(steps: readonly Step<WrittenOrder>[]): Promise<Set<number>> {
    const written = new Set<number>();
    if (steps.length === 0) return written;
    for (const rows of await this.#database.flight(steps)) {
      for (const { orderId } of rows) written.add(orderId);
    }
    return written;
  }
}

async function load(database: Database, keys: readonly OrderKey[]): Promise<Map<number, Order>> {
  const loaded = new Map<number, Order>();
  for (const ofShard of byShard(keys, ({ merchantId }) => merchantId)) await loadInto(loaded, database, ofShard);
  return loaded;
}

async function loadInto(loaded: Map<number, Order>, database: Database, keys: readonly OrderKey[]): Promise<void> {
  const values = [keys.map((key) => key.merchantId), keys.map((key) => key.orderId)];
  // One flight is one transaction, and a change bumps the version: a pair read across a change is caught when written.
  const [orderRows, transactionRows] = await database.flight([
    { statement: selectOrders, values },
    { statement: selectTransactions, values },
  ]);
  const ofOrder = grouped(transactionRows, ({ orderId }) => orderId);
  for (const row of orderRows) {
    const transactions = (ofOrder.get(row.orderId) ?? []).map(({ transaction }) => transaction);
    loaded.set(row.orderId, Object.assign(row, { transactions }));
  }
}
