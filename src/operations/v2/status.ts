import { Refusal } from '../../domain/errors.ts';
import * as field from '../fields.ts';
import { form, optional } from '../form.ts';
import { C1, defineOperation } from '../operation.ts';
import { statusReply, statusResponse } from '../status-reply.ts';

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
  handle: async ({ clientOrderId, orderId, requestSerialNumber }, caller, gateway) => {
    const status = await gateway.findStatus({ clientOrderId, orderId, bySerial: requestSerialNumber }, caller);
    return status instanceof Refusal ? status : statusReply(status, requestSerialNumber);
  },
});
