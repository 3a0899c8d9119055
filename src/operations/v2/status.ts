import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C1, defineOperation } from '../operation.ts';
import { askedStatus, statusResponse } from '../status-reply.ts';

export const status = defineOperation({
  name: 'STATUS',
  path: '/api/v2/status',
  summary: 'Ask how an order stands: whether it was approved, why it was not, or what the payer has to do next.',
  schema: 'StatusRequest',
  auth: C1,
  request: form({
    ...field.orderReference,
    orderId: optional(field.orderId),
    requestSerialNumber: optional(field.requestSerialNumber),
  }),
  response: statusResponse,
  handle: askedStatus,
});
