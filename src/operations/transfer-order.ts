// Turns the values of a transfer's form into a request to the gateway.

import { invariant } from '../domain/errors.ts';
import type { Secret } from '../domain/secret.ts';
import type { CardChoice } from '../processing/cards/card-choice.ts';
import type { TypedCard } from '../processing/cards/payee.ts';
import type { TransferRequest } from '../processing/payouts/transfer.ts';
import { detailsOf, typedCard } from './card-order.ts';
import * as field from './fields.ts';
import { allOptional, optional, type Values } from './form.ts';

export const transferFields = {
  ...field.order,
  ...allOptional({
    ipAddress: field.ipAddress,
    ...field.card,
    cardRecurringPaymentId: field.cardRecurringPaymentId,
    depositToCard: field.depositToCard,
    destinationCardNumber: field.destinationCardNumber,
    destinationCardRecurringPaymentId: field.destinationCardRecurringPaymentId,
  }),
  ...field.receiver,
  ...field.links,
};

export const transferByReferenceFields = {
  ...field.order,
  sourceCardReferenceId: optional(field.sourceCardReferenceId),
  destinationCardNumber: optional(field.destinationCardNumber),
  destinationCardReferenceId: optional(field.destinationCardReferenceId),
  ...field.links,
};

type TransferValues = Values<typeof transferFields>;

export function transferRequest(values: TransferValues): TransferRequest {
  const { clientOrderId, amount, destinationCardNumber, destinationCardRecurringPaymentId: reference } = values;
  const name = [values.receiverFirstName, values.receiverMiddleName, values.receiverLastName].filter(Boolean).join(' ');
  return {
    clientOrderId,
    amount,
    from: sourceOf(values),
    to: destination(destinationCardNumber, reference, field.destinationCardRecurringPaymentId.wire, name),
    details: { ...detailsOf(values), receiver: receiverOf(values) },
  };
}

export function transferByReferenceRequest(values: Values<typeof transferByReferenceFields>): TransferRequest {
  const { clientOrderId, amount, sourceCardReferenceId, destinationCardNumber, destinationCardReferenceId } = values;
  return {
    clientOrderId,
    amount,
    from:
      sourceCardReferenceId === undefined
        ? undefined
        : { reference: sourceCardReferenceId, field: field.sourceCardReferenceId.wire },
    to: destination(destinationCardNumber, destinationCardReferenceId, field.destinationCardReferenceId.wire),
    details: detailsOf(values),
  };
}

/** Undefined when the merchant's balance pays. */
function sourceOf(values: TransferValues): TransferRequest['from'] {
  const { creditCardNumber, expireMonth, expireYear, cvv2, cardPrintedName, cardRecurringPaymentId } = values;
  if (cardRecurringPaymentId !== undefined) {
    return { reference: cardRecurringPaymentId, field: field.cardRecurringPaymentId.wire };
  }
  if (!creditCardNumber) return undefined;
  invariant(expireMonth !== undefined && expireYear !== undefined && cvv2, 'a typed card is whole');
  return { typed: typedCard({ creditCardNumber, expireMonth, expireYear, cvv2, cardPrintedName }) };
}

function destination(
  number: Secret<string> | undefined,
  reference: string | undefined,
  wire: string,
  holder = '',
): CardChoice<TypedCard> {
  if (number) return { typed: holder === '' ? { number } : { number, holder } };
  invariant(reference !== undefined, 'a transfer has one destination');
  return { reference, field: wire };
}

/** Identity documents are read but not kept: no acquirer asks for them. */
function receiverOf(values: TransferValues): Record<string, string> | undefined {
  const told = {
    firstName: values.receiverFirstName,
    middleName: values.receiverMiddleName,
    lastName: values.receiverLastName,
    phone: values.receiverPhone,
    resident: values.receiverResident?.toString(),
    address: values.receiverAddress1,
    city: values.receiverCity,
  };
  const known = Object.entries(told).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}
