import { Refusal } from '../../domain/errors.ts';
import { cardReferenceReply, cardRefResponse, uniqueCardId } from '../card-reference-reply.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { reply, response } from '../response.ts';

const cardRefV4Response = response('CardRefV4AsyncResponse', cardRefResponse.type, {
  ...cardRefResponse.fields,
  'unq-card-ref-id': "The same for every order paid with this card number, different for another merchant's.",
  'recurring-payment-id': 'The stored card, for transfers, payouts and recurring payments.',
});

export const createCardRefV4 = defineOperation({
  name: 'CARDREF_V4',
  path: '/api/v4/create-card-ref',
  summary: 'Store the card of an approved order, to charge it or send money to it later.',
  schema: 'CreateCardRefV4Request',
  auth: oauth('RSA-SHA256'),
  request: form({ login: optional(field.login), clientOrderId: field.clientOrderId, orderId: field.orderId }),
  response: cardRefV4Response,
  handle: async ({ clientOrderId, orderId }, caller, gateway) => {
    const reference = await gateway.createCardReference({ clientOrderId, orderId }, caller);
    if (reference instanceof Refusal) return reference;
    return reply(cardRefV4Response, {
      ...cardReferenceReply(reference),
      'unq-card-ref-id': uniqueCardId(reference.card),
      'recurring-payment-id': String(reference.referenceId),
    });
  },
});
