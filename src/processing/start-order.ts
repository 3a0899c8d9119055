// Accepting an order: the rules of the endpoint, the card into the vault, one durable write, and straight on to the acquirer.
// The same request again gets the same order; a request that contradicts an earlier one is refused.

import { randomUUID } from 'node:crypto';
import type { CardDetails } from '../acquirers/acquirer.ts';
import { binOf, brandOf, lastFourOf } from '../domain/card.ts';
import { endpointFaults } from '../domain/endpoint-rules.ts';
import { Refusal, refuse } from '../domain/errors.ts';
import type { Endpoint } from '../domain/merchant.ts';
import type { Money } from '../domain/money.ts';
import { startOrder as startedOrder } from '../domain/order/decide.ts';
import type { OrderDetails } from '../domain/order/details.ts';
import type { Order, OrderOperation } from '../domain/order/order.ts';
import { movesNoMoney, type TransactionType } from '../domain/order/transaction-types.ts';
import type { Secret } from '../domain/secret.ts';
import type { ExistingOrder, OrderRecord, StoredCard } from '../storage/store.ts';
import { cardPlace, cvvPlace } from '../vault/places.ts';
import type { Caller } from './caller.ts';
import type { GatewayParts } from './gateway.ts';
import type { Materials } from './instruction.ts';

/** The card that pays: typed by the payer now, or stored with an earlier order. */
export type PayingCard =
  | { readonly typed: CardDetails }
  | { readonly stored: StoredCard; readonly cvv: Secret<string> | undefined };

export type OrderRequest = {
  readonly operation: OrderOperation;
  readonly type: TransactionType;
  readonly clientOrderId: string;
  readonly amount: Money;
  /** Amounts to try in turn when this one is declined. */
  readonly alternatives?: readonly bigint[];
  readonly card: PayingCard;
  readonly details: OrderDetails;
};

/** An order the merchant may rely on: written down, whoever dies. */
export type Accepted = { readonly order: Order; readonly serialNumber: string };

export async function startOrder(
  parts: GatewayParts,
  request: OrderRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const { endpoint } = caller;
  if (!endpoint) return refuse('currency-mismatch', { field: 'currency', hint: 'no endpoint for this currency' });
  const refusal = endpointRefusal(endpoint, request, caller);
  if (refusal) return refusal;
  if (parts.work.isFull) return refuse('unavailable');

  const record = recordOf(parts, request, caller, endpoint);
  const earlier = await earlierByIdempotencyKey(parts, record, caller);
  if (earlier) return earlier;
  const outcome = await parts.door.start(record);
  if (!outcome.started) return judgeRepeat(record, outcome.existing, caller.serialNumber);
  parts.work.proceed(record.order, 1, await materialsOf(parts, request, endpoint, caller));
  return { order: record.order, serialNumber: caller.serialNumber };
}

function endpointRefusal(endpoint: Endpoint, request: OrderRequest, caller: Caller): Refusal | undefined {
  if (movesNoMoney(request.type)) {
    return endpoint.enabled ? undefined : refuse('endpoint-disabled', { hint: String(endpoint.endpointId) });
  }
  const [first, ...more] = endpointFaults(endpoint, request.amount, caller.notation);
  if (first) return new Refusal(first, ...more);
  // Authentication of the payer comes with the 3-D Secure server; until then such a gate cannot let a payer pass.
  const payerIsThere = request.operation !== 'rebill' && request.operation !== 'recurring';
  return endpoint.threeDSecure === 'required' && payerIsThere ? refuse('not-built') : undefined;
}

function recordOf(parts: GatewayParts, request: OrderRequest, caller: Caller, endpoint: Endpoint): OrderRecord {
  const { clock, door, ids, instance, vault } = parts;
  const { merchantId } = caller.merchant;
  const orderId = ids.next(clock.now());
  const order = startedOrder(
    {
      merchantId,
      orderId,
      endpointId: endpoint.endpointId,
      clientOrderId: request.clientOrderId,
      operation: request.operation,
      type: request.type,
      currency: request.amount.currency,
      notation: caller.notation,
      amount: request.amount.minor,
      alternatives: request.alternatives ?? [],
      requestSerial: caller.serialNumber,
    },
    door.moment,
  );
  const { card } = request;
  const cvv = 'typed' in card ? card.typed.cvv : card.cvv;
  const typed = 'typed' in card ? storeCard(parts, card.typed, merchantId, orderId) : undefined;
  return {
    order,
    details: withoutCardNumber(request.details, card),
    receiptId: randomUUID(),
    fingerprint: vault.fingerprint(caller.said),
    control: caller.control?.digest,
    idempotencyKey: caller.idempotencyKey,
    leaseOwner: instance,
    cardId: 'stored' in card ? card.stored.cardId : orderId,
    targetCardId: undefined,
    sealedTarget: undefined,
    cards: typed ? [typed] : [],
    sealedCvv: cvv && vault.seal(cvv, cvvPlace(merchantId, orderId)),
  };
}

export function storeCard({ vault }: GatewayParts, card: CardDetails, merchantId: number, cardId: number): StoredCard {
  const number = card.number.reveal();
  return {
    cardId,
    sealed: vault.seal(card.number, cardPlace(merchantId, cardId)),
    fingerprint: vault.fingerprint(['card', number]),
    bin: binOf(number),
    lastFour: lastFourOf(number),
    brand: brandOf(number),
    expireMonth: card.expireMonth,
    expireYear: card.expireYear,
    holder: card.holder,
  };
}

/** A merchant who writes the card number into a description does not get it into our tables. */
function withoutCardNumber(details: OrderDetails, card: PayingCard): OrderDetails {
  if (!('typed' in card)) return details;
  const number = card.typed.number.reveal();
  const text = JSON.stringify(details);
  return text.includes(number)
    ? JSON.parse(text.replaceAll(number, `${binOf(number)}******${lastFourOf(number)}`))
    : details;
}

async function materialsOf(
  { materials }: GatewayParts,
  { card }: OrderRequest,
  { descriptor }: Endpoint,
  { merchant }: Caller,
): Promise<Materials> {
  if ('typed' in card) return { card: card.typed, descriptor };
  return { card: await materials.cardDetails(merchant.merchantId, card.stored, card.cvv), descriptor };
}

/** A key that was used before answers before anything is written; parallel repeats meet in the door. */
async function earlierByIdempotencyKey(
  { store }: GatewayParts,
  record: OrderRecord,
  caller: Caller,
): Promise<Accepted | Refusal | undefined> {
  const { idempotencyKey, order, control } = record;
  if (idempotencyKey === undefined) return undefined;
  const { merchantId, clientOrderId } = order;
  const existing = await store.findExisting({ merchantId, clientOrderId, control, idempotencyKey });
  return existing.length > 0 ? judgeRepeat(record, existing, caller.serialNumber) : undefined;
}

/** A request met something that exists: it is the same request again, or it contradicts. */
export function judgeRepeat(
  record: OrderRecord,
  existing: readonly ExistingOrder[],
  serialNumber: string,
): Accepted | Refusal {
  const { idempotencyKey, fingerprint } = record;
  const byKey = existing.find((other) => idempotencyKey !== undefined && other.idempotencyKey === idempotencyKey);
  if (byKey) {
    // The stored reply, with the serial number of the request that got it first.
    return byKey.fingerprint.equals(fingerprint)
      ? { order: byKey.order, serialNumber: byKey.order.transactions[0]?.requestSerial ?? serialNumber }
      : refuse('idempotency-key-used', { field: 'Idempotency-Key' });
  }
  const byClientOrderId = existing.find((other) => other.order.clientOrderId === record.order.clientOrderId);
  if (byClientOrderId) {
    return byClientOrderId.fingerprint.equals(fingerprint)
      ? { order: byClientOrderId.order, serialNumber }
      : refuse('client-order-id-used', { field: 'client_orderid' });
  }
  if (existing.length > 0) return refuse('control-has-other-reading', { field: 'control' });
  throw new Error(`Order ${record.order.orderId} was not written and nothing stands in its way`);
}
