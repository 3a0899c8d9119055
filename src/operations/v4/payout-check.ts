import { acknowledged, asyncResponse, orderAgain } from '../acknowledgement.ts';
import { defineOperation, oauth } from '../operation.ts';
import { payoutRequest, payoutRequestForm } from '../payout-order.ts';

export const payoutCheck = defineOperation({
  name: 'PAYOUT_V4_CHECK',
  path: '/api/v4/payout-check',
  summary: 'Check a payout without moving money; payout-pay then makes it, within 24 hours.',
  schema: 'PayoutCheckRequest',
  auth: oauth('RSA-SHA256'),
  request: payoutRequestForm,
  response: asyncResponse,
  again: orderAgain(acknowledged),
  handle: async (values, caller, gateway) =>
    acknowledged(await gateway.payOut(payoutRequest(values, 'checked'), caller)),
});
