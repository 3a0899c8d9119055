// The acknowledgement of an order: from here on the merchant may rely on it.

import { Refusal } from '../domain/errors.ts';
import type { Caller } from '../processing/caller.ts';
import type { Gateway } from '../processing/gateway.ts';
import type { Accepted } from '../processing/start-order.ts';
import type { Reply } from './responses.ts';

/** `again` of an operation that makes an order. */
export async function acknowledgedAgain(
  clientOrderId: string,
  caller: Caller,
  gateway: Gateway,
): Promise<Reply | Refusal | undefined> {
  const earlier = await gateway.earlierOrder(clientOrderId, caller);
  return earlier && acknowledged(earlier);
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
