// The gateway's verbs: everything an operation can ask for. Each checks the rules, writes through the one door and,
// once the promise is durable, goes on to act on the world.

import { randomUUID } from 'node:crypto';
import type { CardDetails } from '../acquirers/acquirer.ts';
import { binOf, brandOf, lastFourOf } from '../domain/card.ts';
import type { Clock } from '../domain/clock.ts';
import { endpointFaults } from '../domain/endpoint-rules.ts';
import { Refusal, refuse } from '../domain/errors.ts';
import type { Endpoint } from '../domain/merchant.ts';
import type { Money } from '../domain/money.ts';
import { startOrder } from '../domain/order/decide.ts';
import type { OrderDetails } from '../domain/order/details.ts';
import type { Order, OrderOperation, Transaction } from '../domain/order/order.ts';
import type { ExistingOrder, OrderQuery, OrderRecord, OrderStore, OrderView, StoredCard } from '../storage/store.ts';
import { cardPlace, cvvPlace } from '../vault/places.ts';
import type { Vault } from '../vault/vault.ts';
import type { Caller } from './caller.ts';
import type { ControlReadings } from './control-readings.ts';
import type { Directory } from './directory.ts';
import type { Door } from './door.ts';
import type { OrderIds } from './identifiers.ts';
import type { Work } from './work.ts';

export type OrderRequest = {
  readonly operation: OrderOperation;
  readonly clientOrderId: string;
  readonly amount: Money;
  readonly card: CardDetails;
  readonly details: OrderDetails;
};

/** An order the merchant may rely on: written down, whoever dies. */
export type Accepted = { readonly order: Order; readonly serialNumber: string };

export type StatusQuery = Omit<OrderQuery, 'merchantId'> & { readonly bySerial: string | undefined };

export type Status = OrderView & { readonly transaction: Transaction; readonly descriptor: string | undefined };

export type GatewayParts = {
  readonly clock: Clock;
  readonly controls: ControlReadings;
  readonly directory: Directory;
  readonly door: Door;
  readonly ids: OrderIds;
  /** Names this process in leases. */
  readonly instance: string;
  readonly store: OrderStore;
  readonly vault: Vault;
  readonly work: Work;
};

export class Gateway {
  readonly #parts: GatewayParts;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  async startOrder(request: OrderRequest, caller: Caller): Promise<Accepted | Refusal> {
    const { endpoint } = caller;
    if (!endpoint) return refuse('currency-mismatch', { field: 'currency', hint: 'no endpoint for this currency' });
    const [first, ...more] = endpointFaults(endpoint, request.amount, caller.notation);
    if (first) return new Refusal(first, ...more);
    // Authentication of the payer comes with the 3-D Secure server; until then such a gate cannot let anybody pass.
    if (endpoint.threeDSecure === 'required') return refuse('not-built');
    if (this.#parts.work.isFull) return refuse('unavailable');

    const record = this.#record(request, caller, endpoint);
    const earlier = await this.#earlierByIdempotencyKey(record, caller);
    if (earlier) return earlier;
    const outcome = await this.#parts.door.start(record);
    if (!outcome.started) return judgeRepeat(record, outcome.existing, caller.serialNumber);
    this.#parts.work.proceed(record.order, request.card, endpoint.descriptor);
    return { order: record.order, serialNumber: caller.serialNumber };
  }

  async findStatus({ clientOrderId, orderId, bySerial }: StatusQuery, caller: Caller): Promise<Status | Refusal> {
    const { merchantId } = caller.merchant;
    if (!(await this.#controlHasThisReading(caller))) return refuse('control-has-other-reading', { field: 'control' });
    const view = await this.#parts.store.findOrderView({ merchantId, clientOrderId, orderId });
    if (!view) return refuse('order-not-found', { field: 'orderid' });
    const { transactions } = view.order;
    const transaction = bySerial
      ? transactions.find((one) => one.requestSerial === bySerial.toLowerCase())
      : transactions.at(-1);
    if (!transaction) return refuse('order-not-found', { field: 'by-request-sn' });
    const descriptor = this.#parts.directory.endpoint(view.order.endpointId)?.descriptor;
    return { ...view, transaction, descriptor };
  }

  /** Operations that create no order leave the reading of their control here; orders keep their own. */
  async #controlHasThisReading({ merchant, control }: Caller): Promise<boolean> {
    return !control || this.#parts.controls.accepts(merchant.merchantId, control.digest, control.reading);
  }

  #record(request: OrderRequest, caller: Caller, endpoint: Endpoint): OrderRecord {
    const { clock, door, ids, instance, vault } = this.#parts;
    const { merchantId } = caller.merchant;
    const orderId = ids.next(clock.now());
    const order = startOrder(
      {
        merchantId,
        orderId,
        endpointId: endpoint.endpointId,
        clientOrderId: request.clientOrderId,
        operation: request.operation,
        currency: request.amount.currency,
        notation: caller.notation,
        amount: request.amount.minor,
        requestSerial: caller.serialNumber,
      },
      door.moment,
    );
    const { cvv } = request.card;
    return {
      order,
      details: request.details,
      receiptId: randomUUID(),
      fingerprint: vault.fingerprint(caller.said),
      control: caller.control?.digest,
      idempotencyKey: caller.idempotencyKey,
      leaseOwner: instance,
      card: this.#storedCard(request.card, merchantId, orderId),
      sealedCvv: cvv && vault.seal(cvv, cvvPlace(merchantId, orderId)),
    };
  }

  #storedCard(card: CardDetails, merchantId: number, cardId: number): StoredCard {
    const { vault } = this.#parts;
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

  /** A key that was used before answers before anything is written; parallel repeats meet in the door. */
  async #earlierByIdempotencyKey(record: OrderRecord, caller: Caller): Promise<Accepted | Refusal | undefined> {
    const { idempotencyKey, order, control } = record;
    if (idempotencyKey === undefined) return undefined;
    const { merchantId, clientOrderId } = order;
    const existing = await this.#parts.store.findExisting({ merchantId, clientOrderId, control, idempotencyKey });
    return existing.length > 0 ? judgeRepeat(record, existing, caller.serialNumber) : undefined;
  }
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
