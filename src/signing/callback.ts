// How a merchant can verify a callback. The control is the SHA-1 of status, orderid, client_orderid and key, as in
// final redirects. The headers of Standard Webhooks hold an HMAC-SHA256 of "id.timestamp.query", which covers every
// parameter, with one signature per valid key, so that a merchant can change keys without missing a callback.

import { createHmac } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';
import { controlDigest } from './control.ts';

export type ControlledValues = { readonly status: string; readonly orderId: string; readonly clientOrderId: string };

export function callbackControl({ status, orderId, clientOrderId }: ControlledValues, key: Secret<string>): string {
  return controlDigest([status, orderId, clientOrderId], key).toString('hex');
}

export type SignedMessage = {
  /** The same in every repetition of the callback. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly seconds: number;
  /** The query of the URL without the question mark. */
  readonly query: string;
};

export function webhookHeaders(message: SignedMessage, keys: readonly Secret<string>[]): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.seconds),
    'webhook-signature': keys.map((key) => `v1,${signature(message, key)}`).join(' '),
  };
}

function signature({ id, seconds, query }: SignedMessage, key: Secret<string>): string {
  return createHmac('sha256', key.reveal()).update(`${id}.${seconds}.${query}`).digest('base64');
}
