// The acknowledgement of an order: from here on the merchant may rely on it.

import { Refusal } from '../domain/errors.ts';
import type { OpenedForm } from '../processing/checkout/open-form.ts';
import type { Accepted } from '../processing/orders/start-order.ts';
import type { Operation } from './operation.ts';
import type { Reply } from './responses.ts';

/** `again` of an operation that makes an order, or opens a form for one, and answers so. */
export function orderAgain(answer: (earlier: OpenedForm) => Reply | Refusal): NonNullable<Operation['again']> {
  return async (clientOrderId, caller, gateway) => {
    const earlier = await gateway.earlierOrder(clientOrderId, caller);
    return earlier && answer(earlier);
  };
}

export function acknowledged(result: Accepted | Refusal): Reply | Refusal {
  if (result instanceof Refusal) return result;
  const { order, serialNumber } = result;
  return {
    'serial-number': serialNumber,
    'merchant-order-id': order.clientOrderId,
    'paynet-order-id': String(order.orderId),
    'end-point-id': String(order.endpointId),
    status: 'processing',
  };
}
