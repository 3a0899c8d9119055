import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { askedStatus, statusResponse } from '../status-reply.ts';

export const statusV4 = defineOperation({
  name: 'STATUS_V4',
  path: '/api/v4/status',
  summary: "Ask how an order stands; signed with the merchant's private key.",
  schema: 'StatusV4Request',
  isAddition: true,
  auth: oauth('RSA-SHA256'),
  request: form({
    login: optional(field.login),
    clientOrderId: field.clientOrderId,
    orderId: optional(field.orderId),
    requestSerialNumber: optional(field.requestSerialNumber),
  }),
  response: statusResponse,
  handle: askedStatus,
});
