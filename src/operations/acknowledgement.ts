// The acknowledgement of an order: once it is sent the merchant may rely on the order.

import { Refusal } from '../domain/errors.ts';
import type { OpenedForm } from '../processing/checkout/open-form.ts';
import type { Accepted } from '../processing/orders/order-request.ts';
import type { Shape } from './form.ts';
import type { Operation } from './operation.ts';
import { type Reply, type ResponseSchema, reply, response } from './response.ts';

export const orderIds = {
  'merchant-order-id': "The merchant's own order id, as sent.",
  'paynet-order-id': 'The order id given by the service.',
};

export const asyncResponse = response('AsyncResponse', 'async-response', {
  ...orderIds,
  'end-point-id': 'The endpoint that took the order.',
  status: 'Always `processing`: poll STATUS or wait for the callback.',
});

/** The `again` of an operation that makes an order or opens a form for one. */
export function orderAgain<R extends ResponseSchema>(
  answer: (earlier: OpenedForm) => Reply<R> | Refusal,
): NonNullable<Operation<Shape, string, R>['again']> {
  return async (clientOrderId, caller, gateway) => {
    const earlier = await gateway.earlierOrder(clientOrderId, caller);
    return earlier && answer(earlier);
  };
}

export function acknowledged(result: Accepted | Refusal): Reply<typeof asyncResponse> | Refusal {
  if (result instanceof Refusal) return result;
  const { order, serialNumber } = result;
  return reply(asyncResponse, {
    'serial-number': serialNumber,
    'merchant-order-id': order.clientOrderId,
    'paynet-order-id': String(order.orderId),
    'end-point-id': String(order.endpointId),
    status: 'processing',
  });
}
