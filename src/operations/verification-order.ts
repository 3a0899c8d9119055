// The form of account verifications that bring the card, and what they ask of the gateway.

import type { Refusal } from '../domain/errors.ts';
import type { Gateway } from '../processing/gateway.ts';
import type { Accepted } from '../processing/orders/order-request.ts';
import type { Caller } from '../processing/requests/caller.ts';
import { detailsOf, typedCard } from './card-order.ts';
import { browserComplete, cardNotExpired } from './checks.ts';
import * as field from './fields.ts';
import { form, optional, type Values } from './form.ts';

const fields = {
  clientOrderId: field.clientOrderId,
  orderDescription: optional(field.orderDescription),
  currency: optional(field.verificationCurrency),
  ...field.payer,
  ...field.card,
  ...field.links,
  control: field.controlField,
};

export const verificationForm = form(fields, cardNotExpired, browserComplete);

export function verification(
  values: Values<typeof fields>,
  caller: Caller,
  gateway: Gateway,
): Promise<Accepted | Refusal> {
  const { clientOrderId, currency } = values;
  const request = { clientOrderId, currency, card: { typed: typedCard(values) }, details: detailsOf(values) };
  return gateway.verifyAccount(request, caller);
}
