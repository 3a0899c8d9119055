// Transfers: money to a card, taken from another card first (two instructions to the acquirer) or from the merchant's
// balance (one). The order machine undoes the first when the second fails.

import type { CardDetails } from '../../acquirers/acquirer.ts';
import type { Refusal } from '../../domain/errors.ts';
import { type CardChoice, type ChosenCard, findCard, notFound } from '../cards/card-choice.ts';
import type { Payee, TypedCard } from '../cards/payee.ts';
import type { StoredCardsParts } from '../cards/stored-cards.ts';
import { type AcceptParts, acceptOrder } from '../orders/accept-order.ts';
import type { Accepted, OrderRequest } from '../orders/order-request.ts';
import type { Caller } from '../requests/caller.ts';

export type TransferRequest = Pick<OrderRequest, 'clientOrderId' | 'amount' | 'details'> & {
  /** The card that pays; without one the merchant's balance does. */
  readonly from: CardChoice<CardDetails> | undefined;
  readonly to: CardChoice<TypedCard>;
};

export async function transferMoney(
  parts: AcceptParts & StoredCardsParts,
  { from, to, details, ...order }: TransferRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const { merchantId } = caller.merchant;
  const source = from && (await findCard(parts, merchantId, from));
  const target = await findCard(parts, merchantId, to);
  const missing = notFound(source, target);
  if (missing) return missing;
  const named = 'reference' in to ? { payeeCardReference: to.reference } : {};
  return acceptOrder(
    parts,
    {
      ...order,
      operation: 'transfer',
      type: 'transfer',
      // `notFound` has looked: neither is a refusal.
      card: source && payingCard(source as ChosenCard<CardDetails>),
      payee: target as Payee,
      legs: source ? 2 : 1,
      details: { ...details, ...named },
    },
    caller,
  );
}

/** A stored card pays without its security code. */
export function payingCard(card: ChosenCard<CardDetails>): NonNullable<OrderRequest['card']> {
  return 'typed' in card ? card : { stored: card.stored, cvv: undefined };
}
