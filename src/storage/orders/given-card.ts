// The card a payer entered on the hosted form: stored, and set as the card of its order and of the try it was entered
// for.

import { type Order, transactionOf } from '../../domain/order/order.ts';
import { insertCards, ORDER_CARD } from '../cards/card-rows.ts';
import type { Statement, Step } from '../database.ts';
import type { GivenCard } from '../store.ts';
import { columnValues, unnest } from '../wire/columns.ts';

const insertCard: Statement = {
  name: 'forms-card',
  text: `
    ${insertCards('c', 'c.card_id')}
      from ${unnest('c', ORDER_CARD)}`,
};

const setOrder: Statement = {
  name: 'forms-order',
  text: `
    update orders set details = $3, card_id = coalesce($4, card_id), target_card_id = coalesce($5, target_card_id)
    where merchant_id = $1 and order_id = $2`,
};

const setTransaction: Statement = {
  name: 'forms-transaction',
  text: `
    update transactions set card_given_at = $4, sealed_cvv = $5, cvv_data_key_id = $6, lease_owner = $7, filter_reason = $8
    where merchant_id = $1 and order_id = $2 and seq = $3`,
};

/** For an order whose change was written a moment before, in the same transaction. */
export function givenCardSteps(
  order: Order,
  { seq, card, role, sealedCvv, details, leaseOwner }: GivenCard,
  at: number,
): Step[] {
  const { merchantId, orderId } = order;
  const { stage, filterReason } = transactionOf(order, seq);
  const [pays, receives] = role === 'pays' ? [card.cardId, null] : [null, card.cardId];
  const lease = stage === 'sending' ? leaseOwner : null;
  const cvv = [sealedCvv?.bytes ?? null, sealedCvv?.dataKeyId ?? null];
  return [
    { statement: insertCard, values: columnValues(ORDER_CARD, [{ card, order: { ...order, createdAt: at } }]) },
    { statement: setOrder, values: [merchantId, orderId, JSON.stringify(details), pays, receives] },
    {
      statement: setTransaction,
      values: [merchantId, orderId, seq, new Date(at), ...cvv, lease, filterReason ?? null],
    },
  ];
}
