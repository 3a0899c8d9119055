// Capture, return and void: a new transaction on an order that exists, as far as its money reaches.

import { Refusal, refuse } from '../domain/errors.ts';
import type { Money } from '../domain/money.ts';
import type { FollowUpKind } from '../domain/order/follow-up.ts';
import { DatabaseError } from '../storage/database.ts';
import type { Caller } from './caller.ts';
import type { GatewayParts } from './gateway.ts';
import type { Accepted } from './start-order.ts';

export type FollowUpRequest = {
  readonly kind: FollowUpKind;
  readonly clientOrderId: string;
  readonly orderId: number;
  /** None means all that is left; several are the readings of an amount no signature decides. */
  readonly amounts: readonly Money[];
  readonly comment: string | undefined;
};

export async function followUp(
  parts: GatewayParts,
  request: FollowUpRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const { merchantId } = caller.merchant;
  const { orderId, clientOrderId, kind, comment } = request;
  const [amount] = request.amounts;
  const order = (await parts.store.load([{ merchantId, orderId }])).get(orderId);
  if (order?.clientOrderId !== clientOrderId) return refuse('order-not-found', { field: 'orderid' });
  if (amount && amount.currency !== order.currency) {
    const hint = `${order.currency} currency does not apply request with currency ${amount.currency}`;
    return refuse('currency-mismatch', { field: 'currency', hint });
  }
  if (parts.work.isFull) return refuse('unavailable');

  const { serialNumber: requestSerial, idempotencyKey } = caller;
  const fingerprint = parts.vault.fingerprint(caller.said);
  const earlier = await earlierReply(parts, caller, fingerprint);
  if (earlier) return earlier;
  const command = {
    type: 'follow-up',
    kind,
    amounts: request.amounts.map(({ minor }) => minor),
    requestSerial,
    comment,
  } as const;
  const marks = { leaseOwner: parts.instance, fingerprint, idempotencyKey };
  const after = await parts.door
    .begin(order, command, marks)
    .catch((error) => whoWasFaster(parts, caller, fingerprint, error));
  // The money may be gone because the same request took it a moment ago.
  if (after instanceof Refusal) return (await earlierReply(parts, caller, fingerprint)) ?? after;
  if ('serialNumber' in after) return after;
  const begun = after.transactions.find((one) => one.requestSerial === requestSerial);
  if (!begun) throw new Error(`Order ${orderId} did not begin what it was asked`);
  parts.work.proceed(after, begun.seq, { descriptor: '' }, begun.createdAt);
  return { order: after, serialNumber: requestSerial };
}

/** The stored reply of an idempotency key that was used before. */
export async function earlierReply(
  { store }: GatewayParts,
  { merchant, idempotencyKey }: Caller,
  fingerprint: Buffer,
): Promise<Accepted | Refusal | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const earlier = await store.findByIdempotencyKey(merchant.merchantId, idempotencyKey);
  if (!earlier) return undefined;
  return earlier.fingerprint.equals(fingerprint)
    ? { order: earlier.order, serialNumber: earlier.requestSerial }
    : refuse('idempotency-key-used', { field: 'Idempotency-Key' });
}

/** Two parallel requests with one key: the second is answered like the first. */
export async function whoWasFaster(
  parts: GatewayParts,
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
