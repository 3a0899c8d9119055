import { currencyWithAmount } from '../checks.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C3, defineOperation } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const capture = defineOperation({
  name: 'CAPTURE',
  path: '/api/v2/capture',
  summary: 'Take all or part of the amount a preauthorization holds.',
  schema: 'CaptureRequest',
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
