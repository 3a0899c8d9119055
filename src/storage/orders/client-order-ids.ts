// A merchant's own id names one thing only: an order or a recurring payment. Each table keeps its own ids apart, and
// both writes look at the other table in their own transaction. Neither sees what the other has not committed, so one
// of them must wait: a recurring payment holds its id in the index of orders until it is written, and an order looks
// for recurring payments after its own row is there. Ids that clashed before this rule stay as they are. Orders that
// nobody signed have an id space of their own: a stranger's order stands in the way of other unsigned ones only.

import type { Order } from '../../domain/order/order.ts';
import { type Database, DatabaseError, type Session, type Step } from '../database.ts';
import type { OrderRecord } from '../store.ts';
import { COLUMNS, column, shardOfBatch, shardOfId, statement } from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';
import { orders } from './order-rows.ts';

type ClientOrder = Pick<Order, 'merchantId' | 'clientOrderId'>;

const ID = orders.batch<ClientOrder>({
  merchantId: ({ merchantId }) => merchantId,
  clientOrderId: ({ clientOrderId }) => clientOrderId,
});

/** `r.merchant_id + 0`: the planner expects few rows, and looks each up however small the table is. */
const OF_RECURRING = `${unnest('r', ID)}
    where p.shard = ${shardOfBatch()} and p.merchant_id = r.merchant_id and p.client_order_id = r.client_order_id and r.merchant_id = r.merchant_id + 0`;

/** Fails if a recurring payment has one of the ids, and else does nothing: no recurring payment is without an id. */
const refusing = (shard: string) => `
  with r as materialized (select *, ${shardOfBatch()} as shard from ${unnest('r', ID)})
  update recurring_payments p set client_order_id = null from r
    where p.shard = ${shard} and p.merchant_id = r.merchant_id and p.client_order_id = r.client_order_id
      and r.merchant_id = r.merchant_id + 0`;
const refuseTakenIds = statement<never>('recurring-refuse-taken')`${refusing('r.shard')}`;
const refuseTakenAlone = statement<never>('recurring-refuse-taken-apart')`${refusing(shardOfBatch())}`;

const selectTakenIds = statement('recurring-taken', {
  merchantId: column.id('p.merchant_id'),
  clientOrderId: column.text('p.client_order_id'),
})`select ${COLUMNS} from recurring_payments p, ${OF_RECURRING}`;

/** To be sent behind the insert of these orders, in the same transaction. */
export function refuseTakenStep(records: readonly OrderRecord[]): Step<never> {
  const signed = records.filter(isSigned);
  const values = idValues(signed);
  // Without a merchant no shard could be named.
  const apart = async (session: Session) => (signed.length === 0 ? [] : session.query(refuseTakenAlone, values));
  return { statement: refuseTakenIds, values, apart };
}

/** The id of an unsigned order names nothing of the merchant's own. */
function isSigned({ order }: OrderRecord): boolean {
  return !order.unsigned;
}

/** The orders whose ids recurring payments have, if the error is about that: then the others can be written. */
export async function takenIds(
  database: Database | Session,
  records: readonly OrderRecord[],
  error: unknown,
): Promise<ReadonlySet<OrderRecord>> {
  if (!(error instanceof DatabaseError && error.sqlState === NOT_NULL_VIOLATION)) return new Set();
  const signed = records.filter(isSigned);
  const taken = await database.query(selectTakenIds, idValues(signed));
  const names = new Set(taken.map(({ merchantId, clientOrderId }) => `${merchantId} ${clientOrderId}`));
  return new Set(signed.filter(({ order }) => names.has(`${order.merchantId} ${order.clientOrderId}`)));
}

const NOT_NULL_VIOLATION = '23502';

export async function hasRecurringPayment(
  database: Database,
  merchantId: number,
  clientOrderId: string,
): Promise<boolean> {
  return (await database.query(selectTakenIds, columnValues(ID, [{ merchantId, clientOrderId }]))).length > 0;
}

function idValues(records: readonly OrderRecord[]): (Buffer | null)[] {
  return columnValues(
    ID,
    records.map(({ order }) => order),
  );
}

export type HeldId = {
  readonly merchantId: number;
  /** An id that no order has. */
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly at: number;
};

/**
 * An order that nobody ever sees, because it is removed again in the same transaction. While that runs, an order with
 * the same id waits for its end; an order that is there already, or about to be, makes the transaction fail.
 */
const holdId = statement<never>('orders-hold-id')`
    insert into orders (shard, merchant_id, order_id, client_order_id, endpoint_id, operation, currency, notation, amount,
      alternatives, authorised, captured, released, reversed, version, details, receipt_id, created_at, changed_at)
    values (${shardOfId('$1::bigint')}, $1, $2, $3, 0, '', '', 'minor', 0, '{}', 0, 0, 0, 0, 0, '{}', '00000000-0000-0000-0000-000000000000', $4, $4)`;

const releaseId = statement<never>('orders-release-id')`
  delete from orders where ${orders.key.equal()}`;

/** The steps to put before and behind the write of a recurring payment. */
export function holding({ merchantId, orderId, clientOrderId, at }: HeldId): [hold: Step<never>, release: Step<never>] {
  return [
    { statement: holdId, values: [merchantId, orderId, clientOrderId, new Date(at)] },
    { statement: releaseId, values: [merchantId, orderId] },
  ];
}

/** Whether the write failed because an order has the id. */
export function isTakenByOrder(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'orders_client_order_id';
}
