// One callback as it goes over the wire: the merchant's address with all parameters, and the headers that sign them.

import { isValidAt, type Merchant } from '../domain/merchant/merchant.ts';
import { callbackId, callbackUrlOf } from '../domain/order/callbacks.ts';
import { transactionOf } from '../domain/order/order.ts';
import type { Secret } from '../domain/secret.ts';
import { webhookHeaders } from '../signing/callback.ts';
import type { CallbackKey } from '../storage/orders/callbacks.ts';
import type { OrderView } from '../storage/store.ts';
import { callbackFields, type PartialAt, withQuery } from './build.ts';

export type CallbackMessage = { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

export type MessageParts = {
  readonly callback: CallbackKey;
  readonly view: OrderView;
  readonly descriptor: string | undefined;
  /** The newest first. */
  readonly keys: readonly [Secret<string>, ...Secret<string>[]];
  readonly now: number;
  readonly partialAt: PartialAt;
};

/** Undefined when the order names no address for this callback. */
export function messageOf({
  callback,
  view,
  descriptor,
  keys,
  now,
  partialAt,
}: MessageParts): CallbackMessage | undefined {
  const address = callbackUrlOf(view.details, callback.target);
  if (address === undefined) return undefined;
  const told = { ...view, transaction: transactionOf(view.order, callback.seq), descriptor };
  const url = withQuery(new URL(address), callbackFields(told, keys[0], partialAt));
  const signed = { id: callbackId(callback), seconds: Math.floor(now / 1000), query: url.search.slice(1) };
  return {
    url,
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Tender', ...webhookHeaders(signed, keys) },
  };
}

/**
 * The control keys that are valid now, the newest first; the newest makes the control. A key that is limited to
 * operations is no key of the shop as a whole, and signs callbacks only where there is no other.
 */
export function signingKeys({ controlKeys }: Merchant, now: number): Secret<string>[] {
  const valid = controlKeys.filter((key) => isValidAt(key, now));
  const whole = valid.filter(({ operations }) => operations.length === 0);
  return (whole.length > 0 ? whole : valid).sort((one, other) => other.validFrom - one.validFrom).map(({ key }) => key);
}
