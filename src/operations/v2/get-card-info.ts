import * as field from '../fields.ts';
import { form } from '../form.ts';
import { C6, defineOperation } from '../operation.ts';
import { cardInfoResponse } from '../responses.ts';

export const getCardInfo = defineOperation({
  name: 'CARDINFO',
  path: '/api/v2/get-card-info',
  summary: 'Ask what is known of a stored card: its brand, its ends and its expiry.',
  schema: 'GetCardInfoRequest',
  auth: C6,
  request: form({ login: field.login, cardReferenceId: field.cardReferenceId, control: field.control }),
  response: cardInfoResponse,
});
