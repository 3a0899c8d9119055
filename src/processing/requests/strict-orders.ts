// An order of an endpoint with strict signing needs strict signatures on every path: a request by way of another
// endpoint of the merchant needs one too.

import { type Refusal, refuse } from '../../domain/errors.ts';
import type { Order } from '../../domain/order/order.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';
import type { Caller } from './caller.ts';

/** OAuth signs everything too, so only a control needs the second signature. */
export function strictRefusal(
  configuration: LiveConfiguration,
  { endpointId }: Order,
  { strict, control }: Caller,
): Refusal | undefined {
  const endpoint = configuration.endpoint(endpointId);
  if (strict !== undefined || !control || !endpoint || !configuration.isStrict(endpoint)) return undefined;
  const hint = `the order belongs to end point ${endpointId}, which takes strictly signed requests only`;
  return refuse('strict-signature-invalid', { hint });
}
