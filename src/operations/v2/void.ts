import { currencyWithAmount } from '../checks.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C1, defineOperation } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const voidPayment = defineOperation({
  name: 'VOID',
  path: '/api/v2/void',
  summary: 'Take back a sale or capture that is not yet in clearing, as if it had not been.',
  schema: 'VoidRequest',
  auth: C1,
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
