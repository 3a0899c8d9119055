// Callback URLs that could never be called are refused when they are given, all at once.

import { type Fault, fault, Refusal } from '../../domain/errors.ts';
import { type CallbackPolicy, whyNotCallable } from '../../domain/merchant/callback-url.ts';
import type { OrderDetails } from '../../domain/order/details.ts';

export function callbackRefusal(
  policy: CallbackPolicy,
  { serverCallbackUrl, notifyUrl }: OrderDetails,
): Refusal | undefined {
  if (serverCallbackUrl === undefined && notifyUrl === undefined) return undefined;
  const given = [
    ['server_callback_url', serverCallbackUrl],
    ['notify_url', notifyUrl],
  ] as const;
  const [first, ...more] = given.flatMap(([field, url]): Fault[] => {
    const hint = url === undefined ? undefined : whyNotCallable(url, policy);
    return hint === undefined ? [] : [fault('callback-url-refused', { field, hint })];
  });
  return first && new Refusal(first, ...more);
}
