// The hosted form, pure: how long the payer has, and how many cards may fail before it is locked. Every card is a
// transaction of its own, so each has its own reference at the acquirer and only the last one is how the order ended.

import type { Decline } from '../acquirer/acquirer-answer.ts';
import type { EndpointSettings } from '../merchant/endpoint-settings.ts';
import { type HostedForm, type Order, purposeOf } from './order.ts';
import { FORM_MS } from './retry-schedule.ts';

export type FormOrder = Order & { readonly form: HostedForm };

export function isFormOrder(order: Order): order is FormOrder {
  return order.form !== undefined;
}

/** Not `dueAt`: a node that takes due work moves that to the end of its lease. */
export function payableUntil({ createdAt }: Pick<Order, 'createdAt'>): number {
  return createdAt + FORM_MS;
}

const USUAL_TRIES = 3;
/** Clients that know only legacy replies expect the payer back after the first decline. */
const LEGACY_TRIES = 1;

/** How many cards may be tried on a new form of the endpoint. */
export function formTriesOf({ formTries, legacyReplies }: Pick<EndpointSettings, 'formTries' | 'legacyReplies'>) {
  return formTries ?? (legacyReplies ? LEGACY_TRIES : USUAL_TRIES);
}

/** How many cards may fail on the form of an order. */
export function triesOf({ formTries = USUAL_TRIES }: Pick<Order, 'formTries'>): number {
  return formTries;
}

/** The cards that failed so far. */
export function failedCards(order: Order): number {
  return order.transactions.filter(({ originalSeq, stage }) => originalSeq === undefined && stage === 'declined')
    .length;
}

/**
 * Whether a payer whose card was declined just now may enter another one. Where the merchant must confirm first, the
 * payee has left long before a decline: the order ends with it, and the merchant is told.
 */
export function mayGiveAnotherCard(order: Order, now: number): boolean {
  // The transaction that failed just now is not marked as such yet.
  return order.form === 'pays' && failedCards(order) + 1 < triesOf(order) && now < payableUntil(order);
}

/** The answer to the card before the one that the form asks for; undefined when it asks for the first. */
export function declineBefore(order: Order): Decline | undefined {
  const { answer } = order.transactions[purposeOf(order).seq - 2] ?? {};
  return answer?.word === 'declined' ? answer : undefined;
}

/** Whether several cards failed, so many that the form takes no more; the order has ended like the last of them. */
export function isLocked(order: Order): boolean {
  return isFormOrder(order) && triesOf(order) > 1 && failedCards(order) >= triesOf(order);
}
