import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { defineOperation, oauth } from '../operation.ts';
import { payoutRequest, payoutRequestForm } from '../payout-order.ts';

export const payoutV4 = defineOperation({
  name: 'PAYOUT_V4',
  path: '/api/v4/payout',
  summary: 'Pay money out to a card, a stored card or a bank account.',
  schema: 'PayoutV4Request',
  auth: oauth('RSA-SHA256'),
  request: payoutRequestForm,
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) => acknowledged(await gateway.payOut(payoutRequest(values, 'now'), caller)),
});
