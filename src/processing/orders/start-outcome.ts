// What became of a new order: it was written, or another order stands in its way.

import type { Order } from '../../domain/order/order.ts';
import type { ExistingOrder, OrderRecord, OrderStore } from '../../storage/store.ts';

/**
 * `order` is the order as it was written; a limit may have ended it. Where no order stands in the way, a recurring
 * payment has the id.
 */
export type StartOutcome =
  | { readonly started: true; readonly order: Order }
  | { readonly started: false; readonly existing: ExistingOrder[] };

export function whatStandsInTheWay(store: OrderStore, record: OrderRecord): Promise<ExistingOrder[]> {
  const { order, control, idempotencyKey } = record;
  const { merchantId, clientOrderId, unsigned } = order;
  return store.findExisting({ merchantId, clientOrderId, unsigned, control, idempotencyKey });
}

/** For a write that met a conflict. */
export async function outcomeOfConflict(store: OrderStore, record: OrderRecord): Promise<StartOutcome> {
  const existing = await whatStandsInTheWay(store, record);
  const { merchantId, clientOrderId, orderId } = record.order;
  if (existing.length === 0 && !(await store.hasRecurringPayment(merchantId, clientOrderId))) {
    throw new Error(`Order ${orderId} was not written and nothing stands in its way`);
  }
  return startOutcome(record, existing);
}

/** For a write that failed, maybe because another order took its idempotency key a moment ago. */
export async function outcomeOfFailure(store: OrderStore, record: OrderRecord, error: unknown): Promise<StartOutcome> {
  const existing = await whatStandsInTheWay(store, record).catch(() => []);
  if (existing.length === 0) throw error;
  return startOutcome(record, existing);
}

function startOutcome(record: OrderRecord, existing: ExistingOrder[]): StartOutcome {
  // Our own order was written by a commit whose acknowledgement was lost.
  const own = existing.find((other) => other.order.orderId === record.order.orderId);
  return own ? { started: true, order: own.order } : { started: false, existing };
}
