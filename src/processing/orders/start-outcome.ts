// What became of an order that was to be written: it is there, or another one stands in the way.

import type { Order } from '../../domain/order/order.ts';
import type { ExistingOrder, OrderRecord, OrderStore } from '../../storage/store.ts';

/** `order`: as it was written, which a limit may have ended. */
export type StartOutcome =
  | { readonly started: true; readonly order: Order }
  | { readonly started: false; readonly existing: ExistingOrder[] };

export function whatStandsInTheWay(store: OrderStore, record: OrderRecord): Promise<ExistingOrder[]> {
  const { order, control, idempotencyKey } = record;
  const { merchantId, clientOrderId } = order;
  return store.findExisting({ merchantId, clientOrderId, control, idempotencyKey });
}

/** The write met a conflict. */
export async function outcomeOfConflict(store: OrderStore, record: OrderRecord): Promise<StartOutcome> {
  return startOutcome(record, await whatStandsInTheWay(store, record));
}

/**
 * The write failed, maybe because another order took its idempotency key a moment ago: then that one stands in the way.
 */
export async function outcomeOfFailure(store: OrderStore, record: OrderRecord, error: unknown): Promise<StartOutcome> {
  const existing = await whatStandsInTheWay(store, record).catch(() => []);
  if (existing.length === 0) throw error;
  return startOutcome(record, existing);
}

function startOutcome(record: OrderRecord, existing: ExistingOrder[]): StartOutcome {
  // Our own order, written by a commit whose acknowledgement was lost.
  const own = existing.find((other) => other.order.orderId === record.order.orderId);
  return own ? { started: true, order: own.order } : { started: false, existing };
}
