import {
  browserComplete,
  cardNotExpired,
  recurringAmountsAgree,
  scheduleAgrees,
  sourceCardHasExpiry,
} from '../checks.ts';
import * as field from '../fields.ts';
import { allOptional, form, optional } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { createRecurringPaymentResponse } from '../responses.ts';

export const createRecurringPayment = defineOperation({
  name: 'CREATE_RP_V4',
  path: '/api/v4/create-recurring-payment',
  summary: 'Store a card with the amounts and times it is to be charged, or to send money to it.',
  schema: 'RecurringPaymentForCreation',
  auth: oauth('RSA-SHA256'),
  groups: false,
  request: form(
    {
      clientOrderId: field.clientOrderId,
      recurringCardType: field.recurringCardType,
      creditCardNumber: field.creditCardNumber,
      ...allOptional({
        cvv2: field.cvv2,
        expireMonth: field.expireMonth,
        expireYear: field.expireYear,
        cardPrintedName: field.cardPrintedName,
      }),
      currency: field.currency,
      orderDescription: optional(field.orderDescription),
      ...field.recurringAmounts,
      ...field.schedule,
      ...allOptional(field.payer),
    },
    sourceCardHasExpiry,
    cardNotExpired,
    recurringAmountsAgree,
    scheduleAgrees,
    browserComplete,
  ),
  response: createRecurringPaymentResponse,
});
