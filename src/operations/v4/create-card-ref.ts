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
});
