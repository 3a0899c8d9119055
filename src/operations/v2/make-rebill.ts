import * as field from '../fields.ts';
import { allOptional, form } from '../form.ts';
import { C4, defineOperation } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const makeRebill = defineOperation({
  name: 'REBILL',
  path: '/api/v2/make-rebill',
  summary: 'Charge a stored card again.',
  schema: 'RebillRequest',
  auth: C4,
  request: form({
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
    control: field.control,
  }),
  response: asyncResponse,
});
