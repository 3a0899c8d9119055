// The form of the rebills, and what they ask of the gateway: a sale or a preauthorization of a stored card.

import type { Refusal } from '../domain/errors.ts';
import type { Gateway } from '../processing/gateway.ts';
import type { Accepted } from '../processing/orders/order-request.ts';
import type { Caller } from '../processing/requests/caller.ts';
import { detailsOf } from './card-order.ts';
import { alternativesWithinAmount } from './checks.ts';
import * as field from './fields.ts';
import { allOptional, form, type Values } from './form.ts';

const fields = {
  login: field.login,
  cardReferenceId: field.cardReferenceId,
  ...field.order,
  ...allOptional({
    ipAddress: field.ipAddress,
    cvv2: field.cvv2,
    comment: field.comment,
    recurrentScenario: field.recurrentScenario,
    enumerateAmounts: field.enumerateAmounts,
  }),
  ...field.links,
  control: field.controlField,
};

export const rebillForm = form(fields, alternativesWithinAmount);

export function rebill(
  type: 'sale' | 'preauth',
  values: Values<typeof fields>,
  caller: Caller,
  gateway: Gateway,
): Promise<Accepted | Refusal> {
  const { clientOrderId, amount, cardReferenceId, cvv2, enumerateAmounts = [], comment, recurrentScenario } = values;
  const request = {
    operation: 'rebill',
    type,
    clientOrderId,
    amount,
    alternatives: enumerateAmounts.map(({ minor }) => minor),
    reference: cardReferenceId,
    cvv: cvv2,
    details: { ...detailsOf(values), comment, recurrentScenario },
  } as const;
  return gateway.rebill(request, caller);
}
