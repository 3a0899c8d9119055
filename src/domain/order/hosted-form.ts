// The hosted form, pure: how long the payer has, and how many cards may fail before it is locked. Every card is a
// transaction of its own, so each has its own reference at the acquirer and only the last one is how the order ended.

import { type HostedForm, type Order, purposeOf } from './order.ts';
import { FORM_MS, MAX_CARDS } from './retry-schedule.ts';

export type FormOrder = Order & { readonly form: HostedForm };

export function isFormOrder(order: Order): order is FormOrder {
  return order.form !== undefined;
}

/** Not `dueAt`: a node that takes due work moves that to the end of its lease. */
export function payableUntil({ createdAt }: Pick<Order, 'createdAt'>): number {
  return createdAt + FORM_MS;
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
  return order.form === 'pays' && purposeOf(order).seq < MAX_CARDS && now < payableUntil(order);
}

/** Whether so many cards failed that the form takes no more; the order has ended like the last of them. */
export function isLocked(order: Order): boolean {
  return isFormOrder(order) && failedCards(order) >= MAX_CARDS;
}
