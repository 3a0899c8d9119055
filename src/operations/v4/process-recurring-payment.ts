import { Refusal } from '../../domain/errors.ts';
import type { Accepted } from '../../processing/orders/order-request.ts';
import { asyncResponse, orderAgain, orderIds } from '../acknowledgement.ts';
import { detailsOf } from '../card-order.ts';
import * as field from '../fields.ts';
import { allOptional, form } from '../form.ts';
import { defineOperation, oauth } from '../operation.ts';
import { type Reply, reply, response } from '../response.ts';

const processRecurringPaymentResponse = response(
  'ProcessRecurringPaymentResponse',
  'process-recurring-payment-response',
  { status: asyncResponse.fields.status, ...orderIds },
);

export const processRecurringPayment = defineOperation({
  name: 'PROCESS_RP_V4',
  path: '/api/v4/process-recurring-payment',
  summary: 'Charge a recurring payment now.',
  schema: 'ProcessRecurringPaymentRequest',
  auth: oauth('RSA-SHA256'),
  groups: false,
  request: form({
    clientOrderId: field.clientOrderId,
    recurringPaymentId: field.recurringPaymentId,
    ...allOptional({
      amount: field.amountInProfileCurrency,
      orderDescription: field.orderDescription,
      ipAddress: field.ipAddress,
    }),
    ...field.links,
  }),
  response: processRecurringPaymentResponse,
  again: orderAgain(begun),
  handle: async ({ amount, ...values }, caller, gateway) => {
    const { clientOrderId, recurringPaymentId } = values;
    const request = { clientOrderId, recurringPaymentId, amount, details: detailsOf(values) };
    const accepted = await gateway.chargeRecurringPayment(request, caller);
    return accepted instanceof Refusal ? accepted : begun(accepted);
  },
});

function begun({ order, serialNumber }: Accepted): Reply<typeof processRecurringPaymentResponse> {
  return reply(processRecurringPaymentResponse, {
    'serial-number': serialNumber,
    status: 'processing',
    'merchant-order-id': order.clientOrderId,
    'paynet-order-id': String(order.orderId),
  });
}
