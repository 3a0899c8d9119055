// An order of an endpoint with strict signing is protected by it wherever it is asked about: another endpoint of the merchant is
// no way around.

import { type Refusal, refuse } from '../../domain/errors.ts';
import type { Order } from '../../domain/order/order.ts';
import type { Directory } from '../node/directory.ts';
import type { Caller } from './caller.ts';

/** OAuth signs everything too, so only a control needs the second signature. */
export function strictRefusal(
  directory: Directory,
  { endpointId }: Order,
  { strict, control }: Caller,
): Refusal | undefined {
  if (strict !== undefined || !control || !directory.endpoint(endpointId)?.strictSigning) return undefined;
  const hint = `the order belongs to end point ${endpointId}, which takes strictly signed requests only`;
  return refuse('strict-signature-invalid', { hint });
}
