// Questions about cards: whether money can be sent from one card, to another, or both. These orders move no money.

import type { CardDetails } from '../../acquirers/acquirer.ts';
import type { Refusal } from '../../domain/errors.ts';
import { type CardChoice, type ChosenCard, findCard, notFound } from '../cards/card-choice.ts';
import type { Payee, TypedCard } from '../cards/payee.ts';
import type { StoredCardsParts } from '../cards/stored-cards.ts';
import { type AcceptParts, acceptOrder } from '../orders/accept-order.ts';
import type { Accepted, OrderRequest } from '../orders/order-request.ts';
import type { Caller } from '../requests/caller.ts';
import { payingCard } from './transfer.ts';

export type EligibilityRequest = Pick<OrderRequest, 'clientOrderId' | 'details'> & {
  readonly sending?: CardChoice<CardDetails> | undefined;
  readonly receiving?: CardChoice<TypedCard> | undefined;
};

export async function askEligibility(
  parts: AcceptParts & StoredCardsParts,
  { sending, receiving, ...order }: EligibilityRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const { merchantId } = caller.merchant;
  const sender = sending && (await findCard(parts, merchantId, sending));
  const receiver = receiving && (await findCard(parts, merchantId, receiving));
  const missing = notFound(sender, receiver);
  if (missing) return missing;
  return acceptOrder(
    parts,
    {
      ...order,
      operation: 'pan-eligibility',
      type: 'pan-eligibility',
      amount: { minor: 0n, currency: caller.endpoint?.currency ?? '' },
      // `notFound` has looked: neither is a refusal.
      card: sender && payingCard(sender as ChosenCard<CardDetails>),
      payee: receiver as Payee | undefined,
    },
    caller,
  );
}
