import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { transferByReferenceTarget } from '../checks.ts';
import { form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { transferByReferenceFields, transferByReferenceRequest } from '../transfer-order.ts';

export const transferByRef = defineOperation({
  name: 'TRANSFER_BY_REF',
  path: '/api/v4/transfer-by-ref',
  summary: "Send money from a stored card or the merchant's balance to a card.",
  schema: 'TransferByRefRequest',
  auth: oauth('RSA-SHA256'),
  request: form(transferByReferenceFields, transferByReferenceTarget),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) =>
    acknowledged(await gateway.transfer(transferByReferenceRequest(values), caller)),
});
