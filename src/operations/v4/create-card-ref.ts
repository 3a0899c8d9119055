import { Refusal } from '../../domain/errors.ts';
import { cardReferenceReply, uniqueCardId } from '../card-reference-reply.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { cardRefV4Response } from '../responses.ts';

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
    return {
      ...cardReferenceReply(reference),
      'unq-card-ref-id': uniqueCardId(reference.card),
      'recurring-payment-id': String(reference.referenceId),
    };
  },
});
