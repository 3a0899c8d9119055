// The form of capture and return, and what it asks of the gateway.

import type { FollowUpKind } from '../domain/order/follow-up.ts';
import type { FollowUpRequest } from '../processing/orders/follow-up.ts';
import { currencyWithAmount } from './checks.ts';
import * as field from './fields.ts';
import { form, optional, type Values } from './form.ts';

const fields = {
  ...field.orderReference,
  amount: optional(field.amount),
  currency: optional(field.currency),
  comment: optional(field.comment),
};

const returnFields = { ...fields, returnType: optional(field.returnType) };

export const captureForm = form(fields, currencyWithAmount);
export const returnForm = form(returnFields, currencyWithAmount);

export function followUpRequest(kind: FollowUpKind, values: Values<typeof fields>): FollowUpRequest {
  const { clientOrderId, orderId, amount, comment } = values;
  return { kind, clientOrderId, orderId, amounts: amount === undefined ? [] : [amount], comment };
}

export function returnRequest(values: Values<typeof returnFields>): FollowUpRequest {
  const { returnType } = values;
  const from = returnType && ({ cancel: 'hold', reversal: 'payment' } as const)[returnType];
  return { ...followUpRequest('return', values), from };
}
