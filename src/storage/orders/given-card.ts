// The card a payer entered on the hosted form: stored, and set as the card of its order and of the try it is for.

import { type Order, transactionOf } from '../../domain/order/order.ts';
import { insertCards, ORDER_CARD } from '../cards/card-rows.ts';
import type { Step } from '../database.ts';
import type { GivenCard } from '../store.ts';
import { statement } from '../tables/statement.ts';
import { columnValues, unnest } from '../wire/columns.ts';
import { orders, transactions } from './order-rows.ts';

const insertCard = statement<never>('forms-card')`
    ${insertCards('c', 'c.card_id')}
      from ${unnest('c', ORDER_CARD)}`;

const setOrder = statement<never>('forms-order')`
    update orders set details = $3, card_id = coalesce($4, card_id), target_card_id = coalesce($5, target_card_id)
    where ${orders.key.equal()}`;

const given = transactions.pick('cardGivenAt', 'sealedCvv', 'leaseOwner', 'filterReason');

const setTransaction = statement<never>('forms-transaction')`
  update transactions set ${given.equal(4, ', ')} where ${transactions.key.equal()}`;

/** For an order whose change was written a moment before, in the same transaction. */
export function givenCardSteps(
  order: Order,
  { seq, card, role, sealedCvv, details, leaseOwner }: GivenCard,
  at: number,
): Step<never>[] {
  const { merchantId, orderId } = order;
  const { stage, filterReason } = transactionOf(order, seq);
  const [pays, receives] = role === 'pays' ? [card.cardId, null] : [null, card.cardId];
  const row = { cardGivenAt: at, sealedCvv, leaseOwner: stage === 'sending' ? leaseOwner : undefined, filterReason };
  return [
    { statement: insertCard, values: columnValues(ORDER_CARD, [{ card, order: { ...order, createdAt: at } }]) },
    { statement: setOrder, values: [merchantId, orderId, JSON.stringify(details), pays, receives] },
    { statement: setTransaction, values: [merchantId, orderId, seq, ...given.values(row)] },
  ];
}
