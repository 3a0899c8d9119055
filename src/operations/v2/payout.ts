import { cardNotExpired, expiryWhole, payoutTarget } from '../checks.ts';
import * as field from '../fields.ts';
import { form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const payout = defineOperation({
  name: 'PAYOUT',
  path: '/api/v2/payout',
  summary: 'Pay money out to a card, a stored card or a bank account.',
  schema: 'PayoutRequest',
  auth: oauth('HMAC-SHA1'),
  request: form(field.payout, payoutTarget, expiryWhole, cardNotExpired),
  response: asyncResponse,
});
