import { cardNotExpired, expiryWhole, payoutTarget } from '../checks.ts';
import * as field from '../fields.ts';
import { form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const payoutV4 = defineOperation({
  name: 'PAYOUT_V4',
  path: '/api/v4/payout',
  summary: 'Pay money out to a card, a stored card or a bank account.',
  schema: 'PayoutV4Request',
  auth: oauth('RSA-SHA256'),
  request: form(field.payout, payoutTarget, expiryWhole, cardNotExpired),
  response: asyncResponse,
});
