import { currencyWithAmount } from '../checks.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C3, defineOperation } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const returnPayment = defineOperation({
  name: 'RETURN',
  path: '/api/v2/return',
  summary: 'Give all or part of a payment back, or release what a preauthorization holds.',
  schema: 'ReturnRequest',
  auth: C3,
  request: form(
    {
      ...field.orderReference,
      amount: optional(field.amount),
      currency: optional(field.currency),
      comment: optional(field.comment),
    },
    currencyWithAmount,
  ),
  response: asyncResponse,
});
