// Strict signing: header `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.OPERATION.endpointId.raw body">`
// under the control key. It covers the operation and every byte, which a control does not.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';

export const STRICT_WINDOW_MS = 300_000;

export type StrictSubject = { readonly operation: string; readonly pathId: string; readonly body: Buffer };

/** The header without blanks and in lower case; empty when there is none. */
export function strictText(header: string | string[] | undefined): string {
  return String(header ?? '')
    .replaceAll(' ', '')
    .toLowerCase();
}

/** Why the header fits none of the keys; undefined when it fits one. */
export function strictFault(
  header: string | string[] | undefined,
  subject: StrictSubject,
  keys: readonly Secret<string>[],
  now: number,
): string | undefined {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(strictText(header));
  if (!match) return 'send t=<unix seconds>,v1=<64 hexadecimal digits>';
  const [, seconds = '', signature = ''] = match;
  if (Math.abs(now - Number(seconds) * 1000) > STRICT_WINDOW_MS) return 'its time is more than 300 s away from ours';
  const sent = Buffer.from(signature, 'hex');
  const fits = keys.some((key) => timingSafeEqual(sent, strictSignature(seconds, subject, key)));
  return fits ? undefined : 'the signature does not fit the request';
}

export function strictSignature(seconds: string, subject: StrictSubject, key: Secret<string>): Buffer {
  return createHmac('sha256', key.reveal())
    .update(`${seconds}.${subject.operation}.${subject.pathId}.`)
    .update(subject.body)
    .digest();
}
