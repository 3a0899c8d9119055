import { cardNotExpired, transferSource, transferTarget } from '../checks.ts';
import * as field from '../fields.ts';
import { allOptional, form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const transfer = defineOperation({
  name: 'TRANSFER',
  path: '/api/v4/transfer',
  summary: "Send money from a card, a stored card or the merchant's balance to a card.",
  schema: 'TransferRequest',
  auth: oauth('RSA-SHA256'),
  request: form(
    {
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
    },
    transferSource,
    transferTarget,
    cardNotExpired,
  ),
  response: asyncResponse,
});
