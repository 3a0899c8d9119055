// Callback URLs that could never be called are refused when they are given.

import { type Fault, fault } from '../../domain/errors.ts';
import { type CallbackPolicy, whyNotCallable } from '../../domain/merchant/callback-url.ts';
import type { OrderDetails } from '../../domain/order/details.ts';

export type CallbackUrls = Pick<OrderDetails, 'serverCallbackUrl' | 'notifyUrl'>;

export function callbackFaults(policy: CallbackPolicy, { serverCallbackUrl, notifyUrl }: CallbackUrls): Fault[] {
  if (serverCallbackUrl === undefined && notifyUrl === undefined) return [];
  const given = [
    ['server_callback_url', serverCallbackUrl],
    ['notify_url', notifyUrl],
  ] as const;
  return given.flatMap(([field, url]): Fault[] => {
    const hint = url === undefined ? undefined : whyNotCallable(url, policy);
    return hint === undefined ? [] : [fault('callback-url-refused', { field, hint })];
  });
}
