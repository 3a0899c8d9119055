import { transferByReferenceTarget } from '../checks.ts';
import * as field from '../fields.ts';
import { allOptional, form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const transferByRef = defineOperation({
  name: 'TRANSFER_BY_REF',
  path: '/api/v4/transfer-by-ref',
  summary: "Send money from a stored card or the merchant's balance to a card.",
  schema: 'TransferByRefRequest',
  auth: oauth('RSA-SHA256'),
  request: form(
    {
      ...field.order,
      ...allOptional({
        sourceCardReferenceId: field.sourceCardReferenceId,
        destinationCardNumber: field.destinationCardNumber,
        destinationCardReferenceId: field.destinationCardReferenceId,
      }),
      ...field.links,
    },
    transferByReferenceTarget,
  ),
  response: asyncResponse,
});
