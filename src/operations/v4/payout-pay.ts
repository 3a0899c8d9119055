import { acknowledged, asyncResponse } from '../acknowledgement.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';

export const payoutPay = defineOperation({
  name: 'PAYOUT_V4_PAY',
  path: '/api/v4/payout-pay',
  summary: 'Make the payout that payout-check checked, or that an unsigned payout form collected a card for.',
  schema: 'PayoutPayRequest',
  auth: oauth('RSA-SHA256'),
  request: form({ login: optional(field.login), clientOrderId: field.clientOrderId, orderId: field.orderId }),
  response: asyncResponse,
  handle: async ({ clientOrderId, orderId }, caller, gateway) =>
    acknowledged(await gateway.confirmPayout({ clientOrderId, orderId }, caller)),
});
