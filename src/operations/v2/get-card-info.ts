import { Refusal } from '../../domain/errors.ts';
import * as field from '../fields.ts';
import { form } from '../form.ts';
import { C6, defineOperation } from '../operation.ts';
import { reply, response } from '../response.ts';

const cardInfoResponse = response('CardInfoAsyncResponse', 'get-card-info-response', {
  'card-printed-name': 'The name printed on the card.',
  bin: 'The first six digits of the card number.',
  'last-four-digits': 'The last four digits of the card number.',
  'expire-month': 'The month the card expires.',
  'expire-year': 'The year the card expires, four digits.',
  'card-type': 'The brand: VISA, MASTERCARD, AMEX …',
});

export const getCardInfo = defineOperation({
  name: 'CARDINFO',
  path: '/api/v2/get-card-info',
  summary: 'Ask what is known of a stored card: its brand, its ends and its expiry.',
  schema: 'GetCardInfoRequest',
  auth: C6,
  request: form({ login: field.login, cardReferenceId: field.cardReferenceId, control: field.controlField }),
  response: cardInfoResponse,
  handle: async ({ cardReferenceId }, caller, gateway) => {
    const card = await gateway.cardInfo(cardReferenceId, caller);
    if (card instanceof Refusal) return card;
    return reply(cardInfoResponse, {
      'card-printed-name': card.holder,
      bin: card.bin,
      'last-four-digits': card.lastFour,
      'expire-month': card.expireMonth?.toString().padStart(2, '0'),
      'expire-year': card.expireYear?.toString(),
      'card-type': card.brand,
    });
  },
});
