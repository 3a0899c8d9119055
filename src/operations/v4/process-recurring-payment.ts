import * as field from '../fields.ts';
import { allOptional, form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { processRecurringPaymentResponse } from '../responses.ts';

export const processRecurringPayment = defineOperation({
  name: 'PROCESS_RP_V4',
  path: '/api/v4/process-recurring-payment',
  summary: 'Charge a recurring payment now.',
  schema: 'ProcessRecurringPaymentRequest',
  auth: oauth('RSA-SHA256'),
  groups: false,
  request: form({
    clientOrderId: field.clientOrderId,
    recurringPaymentId: field.recurringPaymentId,
    ...allOptional({
      amount: field.amountInProfileCurrency,
      orderDescription: field.orderDescription,
      ipAddress: field.ipAddress,
    }),
    ...field.links,
  }),
  response: processRecurringPaymentResponse,
});
