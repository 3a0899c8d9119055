import { Refusal } from '../../domain/errors.ts';
import { cardReferenceReply, cardRefResponse } from '../card-reference-reply.ts';
import * as field from '../fields.ts';
import { form } from '../form.ts';
import { C1, defineOperation } from '../operation.ts';

export const createCardRef = defineOperation({
  name: 'CARDREF',
  path: '/api/v2/create-card-ref',
  summary: 'Store the card of an approved order, to charge it again later.',
  schema: 'CreateCardRefRequest',
  auth: C1,
  request: form(field.orderReference),
  response: cardRefResponse,
  handle: async ({ clientOrderId, orderId }, caller, gateway) => {
    const reference = await gateway.createCardReference({ clientOrderId, orderId }, caller);
    return reference instanceof Refusal ? reference : cardReferenceReply(reference);
  },
});
