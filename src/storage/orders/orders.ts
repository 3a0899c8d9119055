// Orders and all that hangs on them, in PostgreSQL's dialect: written in batches, found, claimed when due, and forgotten in time.

import { callbacksDue, type DueCallback } from '../../domain/order/callbacks.ts';
import type { Order, Transaction } from '../../domain/order/order.ts';
import { CVV_MS } from '../../domain/order/retry-schedule.ts';
import { cardColumns, cardFrom } from '../cards/card-rows.ts';
import { type Database, isUniqueViolation, type Statement, type Step } from '../database.ts';
import type { Batch, ExistingOrder, OrderRecord, OrderStore } from '../store.ts';
import { numbers } from '../wire/arrays.ts';
import { callbackSteps } from './callbacks.ts';
import { commitAlone } from './conditional-write.ts';
import { orderFrom, sealedFrom, transactionFrom } from './order-rows.ts';
import { findOrderViews, OrderViews } from './order-views.ts';
import { changeStep, FEW, insertNewOrders, insertOrders, startValues } from './order-writes.ts';

const selectOrders: Statement = {
  name: 'orders-load',
  text: `
    select o.merchant_id, o.order_id, o.endpoint_id, o.client_order_id, o.operation, o.currency, o.notation, o.amount,
      o.alternatives, o.authorised, o.captured, o.released, o.reversed, o.hold_until, o.version, o.created_at, o.callbacks, o.form
    from unnest($1::bigint[], $2::bigint[]) as r(merchant_id, order_id)
    join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
    where ${FEW}`,
};

const selectTransactions: Statement = {
  name: 'transactions-load',
  text: `
    select t.merchant_id, t.order_id, t.seq, t.type, t.amount, t.stage, t.leg, t.legs, t.original_seq, t.due_at,
      t.attempts, t.sends, t.request_serial, t.approval_code, t.rrn, t.processor_tx_id, t.terminal_id, t.decline_code,
      t.eligibility, t.filter_reason, t.comment, t.created_at, t.changed_at
    from unnest($1::bigint[], $2::bigint[]) as r(merchant_id, order_id)
    join transactions t on t.merchant_id = r.merchant_id and t.order_id = r.order_id
    where ${FEW}
    order by t.order_id, t.seq`,
};

const selectExisting: Statement = {
  name: 'orders-existing',
  text: `
    select o.order_id, o.control, t.fingerprint, t.idempotency_key
    from orders o join transactions t on t.merchant_id = o.merchant_id and t.order_id = o.order_id and t.seq = 1
    where o.merchant_id = $1 and o.order_id in (
      select order_id from orders where merchant_id = $1 and client_order_id = $2
      union select order_id from orders where merchant_id = $1 and control = $3
      union select order_id from transactions where merchant_id = $1 and idempotency_key = $4)`,
};

const claimDue: Statement = {
  name: 'transactions-claim',
  text: `
    update transactions t set due_at = $2, lease_owner = $3
    from (
      select merchant_id, order_id, seq from transactions
      where due_at <= $1 order by due_at limit $4 for update skip locked
    ) as d
    where t.merchant_id = d.merchant_id and t.order_id = d.order_id and t.seq = d.seq
    returning t.merchant_id, t.order_id, t.seq`,
};

const releaseLeases: Statement = {
  name: 'transactions-release',
  text: `update transactions set due_at = $1 where due_at > $1 and lease_owner is not null returning 1`,
};

const selectCards: Statement = {
  name: 'orders-cards',
  text: `
    select ${cardColumns('c')}, ${cardColumns('g', 'to_')}, o.sealed_target, o.target_data_key_id, t.sealed_cvv,
      t.cvv_data_key_id
    from transactions t
    join orders o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
    left join cards c on c.merchant_id = o.merchant_id and c.card_id = o.card_id
    left join cards g on g.merchant_id = o.merchant_id and g.card_id = o.target_card_id
    where t.merchant_id = $1 and t.order_id = $2 and t.seq = $3`,
};

const selectByIdempotencyKey: Statement = {
  name: 'transactions-by-idempotency-key',
  text: `
    select order_id, fingerprint, request_serial from transactions where merchant_id = $1 and idempotency_key = $2
    union all
    select order_id, fingerprint, request_serial from confirmations where merchant_id = $1 and idempotency_key = $2`,
};

const selectConfirmation: Statement = {
  name: 'confirmations-find',
  text: `select request_serial from confirmations where merchant_id = $1 and order_id = $2`,
};

const forgetCvv: Statement = {
  name: 'transactions-forget-cvv',
  text: `update transactions set sealed_cvv = null, cvv_data_key_id = null where sealed_cvv is not null
    and coalesce(card_given_at, created_at) < $1`,
};

const forgetIdempotency: Statement = {
  name: 'transactions-forget-idempotency',
  text: `update transactions set idempotency_key = null, idempotency_until = null
    where idempotency_key is not null and idempotency_until < $1`,
};

const forgetConfirmationKeys: Statement = {
  name: 'confirmations-forget-idempotency',
  text: `update confirmations set idempotency_key = null, idempotency_until = null
    where idempotency_key is not null and idempotency_until < $1`,
};

/** `callbacksAreDue` hears when a batch made some. */
export function orderStore(database: Database, callbacksAreDue = () => {}): OrderStore {
  const writer = new BatchWriter(database, callbacksAreDue);
  const views = new OrderViews(database);
  return {
    commit: (batch) => writer.commit(batch),
    commitAlone: (write) => commitAlone(database, write),
    load: (keys) => load(database, keys),

    async findExisting({ merchantId, clientOrderId, control, idempotencyKey }) {
      const rows = await database.query(selectExisting, [merchantId, clientOrderId, control, idempotencyKey]);
      const orders = await load(
        database,
        rows.map((row) => ({ merchantId, orderId: Number(row.order_id) })),
      );
      return rows.flatMap((row): ExistingOrder[] => {
        const order = orders.get(Number(row.order_id));
        if (!order) return [];
        return [
          {
            order,
            fingerprint: row.fingerprint as Buffer,
            control: (row.control as Buffer | null) ?? undefined,
            idempotencyKey: (row.idempotency_key as string | null) ?? undefined,
          },
        ];
      });
    },

    async claimDue({ now, leaseUntil, leaseOwner, limit }) {
      const rows = await database.query(claimDue, [new Date(now), new Date(leaseUntil), leaseOwner, limit]);
      return rows.map((row) => ({
        merchantId: Number(row.merchant_id),
        orderId: Number(row.order_id),
        seq: Number(row.seq),
      }));
    },

    async releaseLeases(now) {
      return (await database.query(releaseLeases, [new Date(now)])).length;
    },

    async loadCards({ merchantId, orderId, seq }) {
      const [row] = await database.query(selectCards, [merchantId, orderId, seq]);
      if (!row) throw new Error(`There is no transaction ${seq} of order ${orderId}`);
      return {
        card: cardFrom(row),
        targetCard: cardFrom(row, 'to_'),
        sealedTarget: sealedFrom(row.sealed_target, row.target_data_key_id),
        sealedCvv: sealedFrom(row.sealed_cvv, row.cvv_data_key_id),
      };
    },

    async findByIdempotencyKey(merchantId, idempotencyKey) {
      const [row] = await database.query(selectByIdempotencyKey, [merchantId, idempotencyKey]);
      if (!row) return undefined;
      const orderId = Number(row.order_id);
      const order = (await load(database, [{ merchantId, orderId }])).get(orderId);
      const [fingerprint, requestSerial] = [row.fingerprint as Buffer, row.request_serial as string];
      return order && { order, fingerprint, requestSerial };
    },

    async findConfirmation({ merchantId, orderId }) {
      const [row] = await database.query(selectConfirmation, [merchantId, orderId]);
      return row?.request_serial as string | undefined;
    },

    findOrderView: (query) => views.find(query),
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
  #waryFor = 0;

  constructor(database: Database, callbacksAreDue: () => void) {
    this.#database = database;
    this.#callbacksAreDue = callbacksAreDue;
  }

  async commit({ starts, changes }: Batch): Promise<ReadonlySet<number>> {
    const due: DueCallback[] = [];
    for (const { order } of starts) if (order.callbacks) due.push(...callbacksDue(undefined, order));
    for (const { before, after } of changes) if (after.callbacks) due.push(...callbacksDue(before, after));
    const behind = callbackSteps(due);
    if (changes.length > 0) behind.unshift(changeStep(changes));
    const written = starts.length > 0 ? await this.#writeStarts(starts, behind) : await this.#write(behind);
    if (due.length > 0) this.#callbacksAreDue();
    return written;
  }

  /** Batches with an order that exists already are rare: most are written without looking for one. */
  async #writeStarts(starts: readonly OrderRecord[], behind: readonly Step[]): Promise<ReadonlySet<number>> {
    const values = startValues(starts);
    if (this.#waryFor > 0) {
      this.#waryFor -= 1;
      return this.#write([{ statement: insertOrders, values }, ...behind]);
    }
    try {
      const written = await this.#write([{ statement: insertNewOrders, values }, ...behind]);
      for (const { order } of starts) written.add(order.orderId);
      return written;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.#waryFor = WARY_BATCHES;
      return this.#write([{ statement: insertOrders, values }, ...behind]);
    }
  }

  async #write(steps: readonly Step[]): Promise<Set<number>> {
    const written = new Set<number>();
    for (const rows of await this.#database.flight(steps)) {
      for (const row of rows) written.add(Number(row.order_id));
    }
    return written;
  }
}

async function load(
  database: Database,
  keys: readonly { merchantId: number; orderId: number }[],
): Promise<Map<number, Order>> {
  const orders = new Map<number, Order>();
  if (keys.length === 0) return orders;
  const columns = [numbers(keys.map((key) => key.merchantId)), numbers(keys.map((key) => key.orderId))];
  // One flight is one transaction, and a change bumps the version: a pair read across a change is caught when written.
  const [orderRows = [], transactionRows = []] = await database.flight([
    { statement: selectOrders, values: columns },
    { statement: selectTransactions, values: columns },
  ]);
  const transactions = new Map<number, Transaction[]>();
  for (const row of transactionRows) {
    const orderId = Number(row.order_id);
    const list = transactions.get(orderId);
    if (list) list.push(transactionFrom(row));
    else transactions.set(orderId, [transactionFrom(row)]);
  }
  for (const row of orderRows) {
    const orderId = Number(row.order_id);
    orders.set(orderId, orderFrom(row, transactions.get(orderId) ?? []));
  }
  return orders;
}
