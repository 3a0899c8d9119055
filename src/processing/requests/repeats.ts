// Repeated requests: a merchant who lost a reply sends the request again and gets the order that exists, whatever has
// changed since. A request that contradicts an earlier one is refused.

import { type Refusal, refuse } from '../../domain/errors.ts';
import type { Order } from '../../domain/order/order.ts';
import { DatabaseError } from '../../storage/database.ts';
import type { EqualRequest, ExistingOrder, OrderRecord, OrderStore } from '../../storage/store.ts';
import { isSameFingerprint, type Vault } from '../../vault/vault.ts';
import type { Accepted } from '../orders/order-request.ts';
import type { Caller } from './caller.ts';

/** What identifies a request that makes an order. */
type OrderMarks = Pick<OrderRecord, 'idempotencyKey' | 'fingerprint'> & Pick<Order, 'clientOrderId'>;

export type RepeatParts = { readonly store: Pick<OrderStore, 'findByIdempotencyKey'> };

/** The order that the same request made earlier, even if it would be refused now. */
export async function earlierOrder(
  { store, vault }: { readonly store: OrderStore; readonly vault: Vault },
  clientOrderId: string,
  caller: Caller,
): Promise<Accepted | undefined> {
  const { merchantId } = caller.merchant;
  const fingerprint = vault.fingerprint(caller.said);
  // An idempotency key stands for one request, even one that made no order.
  const byKey = await earlierReply({ store }, caller, fingerprint);
  if (byKey) return 'order' in byKey ? byKey : undefined;
  const keyless = { clientOrderId, idempotencyKey: undefined };
  const existing = await store.findExisting({ ...keyless, merchantId, control: undefined });
  const repeat = repeatOf({ ...keyless, fingerprint }, existing, caller.serialNumber);
  return repeat && 'order' in repeat ? repeat : undefined;
}

/** The reply to a request that could not make its order because of existing ones. */
export function judgeRepeat(
  { order, idempotencyKey, fingerprint }: OrderRecord,
  existing: readonly ExistingOrder[],
  serialNumber: string,
): Accepted | Refusal {
  const { clientOrderId } = order;
  if (existing.length === 0) return refuse('client-order-id-used', { field: 'client_orderid' });
  const repeat = repeatOf({ clientOrderId, idempotencyKey, fingerprint }, existing, serialNumber);
  return repeat ?? refuse('control-has-other-reading', { field: 'control' });
}

/** A repeat with the same key gets the stored reply, with the serial number of the first request. */
function repeatOf(
  { clientOrderId, idempotencyKey, fingerprint }: OrderMarks,
  existing: readonly ExistingOrder[],
  serialNumber: string,
): Accepted | Refusal | undefined {
  const byKey = existing.find((other) => idempotencyKey !== undefined && other.idempotencyKey === idempotencyKey);
  if (byKey) {
    return isSameFingerprint(byKey.fingerprint, fingerprint)
      ? { order: byKey.order, serialNumber: byKey.order.transactions[0]?.requestSerial ?? serialNumber }
      : refuse('idempotency-key-used', { field: 'Idempotency-Key' });
  }
  const byId = existing.find((other) => other.order.clientOrderId === clientOrderId);
  if (!byId) return undefined;
  return isSameFingerprint(byId.fingerprint, fingerprint)
    ? { order: byId.order, serialNumber }
    : refuse('client-order-id-used', { field: 'client_orderid' });
}

/** How long the same bytes are the same request (D-76). */
export const SAME_BODY_MS = 24 * 60 * 60 * 1000;

/**
 * The stored reply of an idempotency key that was used before. A key of the body stands for all its values; `equal`
 * also finds what an earlier version took without one.
 */
export async function earlierReply(
  { store }: RepeatParts,
  { merchant, idempotencyKey, isKeyOfBody }: Caller,
  fingerprint: Buffer,
  equal?: Pick<EqualRequest, 'orderId' | 'since'>,
): Promise<Accepted | Refusal | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const unkeyed = isKeyOfBody && equal ? { ...equal, fingerprint } : undefined;
  const earlier = await store.findByIdempotencyKey(merchant.merchantId, idempotencyKey, unkeyed);
  if (!earlier) return undefined;
  return isKeyOfBody || isSameFingerprint(earlier.fingerprint, fingerprint)
    ? { order: earlier.order, serialNumber: earlier.requestSerial }
    : refuse('idempotency-key-used', { field: 'Idempotency-Key' });
}

/** Two parallel requests with one key: the second is answered like the first. */
export async function whoWasFaster(
  parts: RepeatParts,
  caller: Caller,
  fingerprint: Buffer,
  error: unknown,
): Promise<Accepted | Refusal> {
  const earlier =
    error instanceof DatabaseError && error.constraint?.endsWith('_idempotency')
      ? await earlierReply(parts, caller, fingerprint)
      : undefined;
  if (!earlier) throw error;
  return earlier;
}
