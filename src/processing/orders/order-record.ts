// The record of a new order: the order, its cards sealed, and the marks by which its request is known again.

import { randomUUID } from 'node:crypto';
import { isCardAttempt } from '../../domain/card/card-attempts.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { callbackPlan } from '../../domain/order/callbacks.ts';
import { startOrder } from '../../domain/order/decide.ts';
import { formTriesOf } from '../../domain/order/hosted-form.ts';
import { transactionOf } from '../../domain/order/order.ts';
import { newReceiptId } from '../../domain/order/receipt-id.ts';
import type { Secret } from '../../domain/secret.ts';
import { needsAuthentication } from '../../domain/three-d-secure/authentication.ts';
import type { OrderRecord } from '../../storage/store.ts';
import { cvvPlace, detailsPlace } from '../../vault/places.ts';
import { keepPayee, sealCard } from '../cards/payee.ts';
import { detailsToStore } from '../cards/secret-details.ts';
import type { Caller } from '../requests/caller.ts';
import type { OrderBeginning } from '../terminals/routing.ts';
import type { OrderParts } from './order-parts.ts';
import type { OrderRequest } from './order-request.ts';

/** The ids of a new order and of a card that somebody typed in to be paid. */
export type NewIds = { readonly orderId: number; readonly payeeCardId: number | undefined };

export function recordOf(
  { codes, door, instance, vault }: OrderParts,
  request: OrderRequest,
  caller: Caller,
  {
    endpoint,
    orderId,
    payeeCardId,
    beginning,
  }: NewIds & {
    readonly endpoint: Endpoint;
    readonly beginning: OrderBeginning | undefined;
  },
): OrderRecord {
  const { merchantId } = caller.merchant;
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
      formTries: request.form && formTriesOf(endpoint),
      unsigned: !caller.signed,
      needsAuthentication: needsAuthentication(endpoint, request.operation, request.card),
      requestSerial: caller.serialNumber,
      route: beginning?.route,
      terminal: beginning?.terminal,
    },
    door.moment,
  );
  const { card } = request;
  const typed = card && 'typed' in card ? sealCard(vault, card.typed, { merchantId, cardId: orderId }) : undefined;
  const cvv = codeIn(request);
  const kept = detailsToStore(vault, request.details, { card, payee: request.payee, place: detailsPlace(order) });
  const payee = keepPayee(vault, request.payee, order, payeeCardId);
  return {
    order,
    details: kept.details,
    sealedDetails: kept.sealedDetails,
    receiptId: newReceiptId(orderId, randomUUID()),
    fingerprint: vault.fingerprint(caller.said),
    control: caller.control?.digest,
    idempotencyKey: caller.idempotencyKey,
    leaseOwner: instance,
    cardId: typed?.cardId ?? (card && 'stored' in card ? card.stored.cardId : undefined),
    targetCardId: payee.targetCardId,
    sealedTarget: payee.sealedTarget,
    cards: [typed, payee.card].filter((one) => one !== undefined),
    sealedCvv: cvv && codes.seal(cvv, cvvPlace(order)),
    attemptedCard:
      card && 'stored' in card && isCardAttempt(order, transactionOf(order, 1)) ? card.stored.fingerprint : undefined,
  };
}

/** The security code the payer gave. */
export function codeIn({ card }: Pick<OrderRequest, 'card'>): Secret<string> | undefined {
  return card && ('typed' in card ? card.typed.cvv : card.cvv);
}
