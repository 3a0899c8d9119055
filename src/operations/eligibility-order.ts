// Turns the values of an eligibility form into a request to the gateway.

import type { CardDetails } from '../acquirers/acquirer.ts';
import { invariant } from '../domain/errors.ts';
import type { CardChoice } from '../processing/cards/card-choice.ts';
import type { TypedCard } from '../processing/cards/payee.ts';
import type { EligibilityRequest } from '../processing/payouts/eligibility.ts';
import * as field from './fields.ts';
import type { Values } from './form.ts';

type Asked = Values<typeof field.eligibility>;

export function eligibilityRequest(
  { clientOrderId, serverCallbackUrl }: Asked,
  cards: Pick<EligibilityRequest, 'sending' | 'receiving'>,
): EligibilityRequest {
  return { clientOrderId, ...cards, details: { serverCallbackUrl } };
}

export function chosenSendingCard(values: Values<typeof field.sendingCard>): CardChoice<CardDetails> {
  const { sendingCardReferenceId: reference, sendingCardNumber: number, cardPrintedName: holder } = values;
  const { expireMonth, expireYear } = values;
  if (reference !== undefined) return { reference, field: field.sendingCard.sendingCardReferenceId.wire };
  invariant(number && holder !== undefined, 'a typed card is whole');
  invariant(expireMonth !== undefined && expireYear !== undefined, 'a typed card has an expiry');
  return { typed: { number, expireMonth, expireYear, holder } };
}

export function chosenReceivingCard(values: Values<typeof field.receivingCard>): CardChoice<TypedCard> {
  const { receivingCardReferenceId: reference, receivingCardNumber: number } = values;
  if (number) return { typed: { number } };
  invariant(reference !== undefined, 'a question is about a card');
  return { reference, field: field.receivingCard.receivingCardReferenceId.wire };
}
