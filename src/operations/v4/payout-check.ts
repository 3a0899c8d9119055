import { cardNotExpired, expiryWhole, payoutTarget } from '../checks.ts';
import * as field from '../fields.ts';
import { form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const payoutCheck = defineOperation({
  name: 'PAYOUT_V4_CHECK',
  path: '/api/v4/payout-check',
  summary: 'Check a payout without moving money; payout-pay then makes it, within 24 hours.',
  schema: 'PayoutCheckRequest',
  auth: oauth('RSA-SHA256'),
  request: form(field.payout, payoutTarget, expiryWhole, cardNotExpired),
  response: asyncResponse,
});
