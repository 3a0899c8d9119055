// The acknowledgement of an order: from here on the merchant may rely on it.

import { Refusal } from '../domain/errors.ts';
import type { Accepted } from '../processing/start-order.ts';
import type { Reply } from './responses.ts';

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
