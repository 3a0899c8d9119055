import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { cardNotExpired, transferSource, transferTarget } from '../checks.ts';
import { form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { transferFields, transferRequest } from '../transfer-order.ts';

export const transfer = defineOperation({
  name: 'TRANSFER',
  path: '/api/v4/transfer',
  summary: "Send money from a card, a stored card or the merchant's balance to a card.",
  schema: 'TransferRequest',
  auth: oauth('RSA-SHA256'),
  request: form(transferFields, transferSource, transferTarget, cardNotExpired),
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await gateway.transfer(transferRequest(values), caller)),
});
