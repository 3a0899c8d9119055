// The record of a new order: the order, its cards sealed, and the marks by which its request is known again.

import { randomUUID } from 'node:crypto';
import { isCardAttempt } from '../../domain/card/network-limits.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { callbackPlan } from '../../domain/order/callbacks.ts';
import { startOrder } from '../../domain/order/decide.ts';
import { transactionOf } from '../../domain/order/order.ts';
import { needsAuthentication } from '../../domain/three-d-secure/authentication.ts';
import type { OrderRecord } from '../../storage/store.ts';
import { cvvPlace } from '../../vault/places.ts';
import { keepPayee, sealCard } from '../cards/payee.ts';
import { withoutNumbers } from '../cards/secret-details.ts';
import type { OrderIds } from '../node/identifiers.ts';
import type { Caller } from '../requests/caller.ts';
import type { OrderParts } from './order-parts.ts';
import type { OrderRequest } from './order-request.ts';

export type RecordParts = OrderParts & { readonly clock: Clock; readonly ids: OrderIds };

export function recordOf(parts: RecordParts, request: OrderRequest, caller: Caller, endpoint: Endpoint): OrderRecord {
  const { clock, door, ids, instance, vault } = parts;
  const { merchantId } = caller.merchant;
  const orderId = ids.next(clock.now());
  const order = startOrder(
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
      callbacks: callbackPlan(request.details),
      legs: request.legs ?? 1,
      awaitsConfirmation: request.awaitsConfirmation ?? false,
      form: request.form,
      needsAuthentication: needsAuthentication(endpoint, request.operation, request.card),
      requestSerial: caller.serialNumber,
    },
    door.moment,
  );
  const { card } = request;
  const typed = card && 'typed' in card ? sealCard(vault, card.typed, { merchantId, cardId: orderId }) : undefined;
  const cvv = card && ('typed' in card ? card.typed.cvv : card.cvv);
  const payee = keepPayee(parts, request.payee, order);
  return {
    order,
    details: withoutNumbers(request.details, { card, payee: request.payee }),
    receiptId: randomUUID(),
    fingerprint: vault.fingerprint(caller.said),
    control: caller.control?.digest,
    idempotencyKey: caller.idempotencyKey,
    leaseOwner: instance,
    cardId: typed?.cardId ?? (card && 'stored' in card ? card.stored.cardId : undefined),
    targetCardId: payee.targetCardId,
    sealedTarget: payee.sealedTarget,
    cards: [typed, payee.card].filter((one) => one !== undefined),
    sealedCvv: cvv && vault.seal(cvv, cvvPlace(order)),
    attemptedCard:
      card && 'stored' in card && isCardAttempt(order, transactionOf(order, 1)) ? card.stored.fingerprint : undefined,
  };
}
