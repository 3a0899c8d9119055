import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { defineOperation, oauth } from '../operation.ts';
import { payoutRequest, payoutRequestForm } from '../payout-order.ts';

export const payout = defineOperation({
  name: 'PAYOUT',
  path: '/api/v2/payout',
  summary: 'Pay money out to a card, a stored card or a bank account.',
  schema: 'PayoutRequest',
  auth: oauth('HMAC-SHA1'),
  request: payoutRequestForm,
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await gateway.payOut(payoutRequest(values, 'now'), caller)),
});
