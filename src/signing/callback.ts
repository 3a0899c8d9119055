// What a merchant checks a callback by. The control: SHA-1 of status, orderid, client_orderid and key, as in final
// redirects. And the headers of Standard Webhooks: HMAC-SHA256 of "id.timestamp.query", which covers every parameter,
// one signature per valid key, so that a merchant can change keys without missing any.

import { createHmac } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';
import { controlDigest } from './control.ts';

export type ControlledValues = { readonly status: string; readonly orderId: string; readonly clientOrderId: string };

export function callbackControl({ status, orderId, clientOrderId }: ControlledValues, key: Secret<string>): string {
  return controlDigest([status, orderId, clientOrderId], key).toString('hex');
}

export type SignedMessage = {
  /** The same in every repeat. */
  readonly id: string;
  /** Unix time. */
  readonly seconds: number;
  /** The query as it stands behind the question mark. */
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
