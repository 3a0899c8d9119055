// How requests to the provider are signed: a control over listed values, or OAuth 1.0a with the control key or with our
// private key; besides, a strict signature over every byte where the provider demands it.

import { createHmac, type KeyObject, sign } from 'node:crypto';
import type { Secret } from '../../domain/secret.ts';
import { controlDigest } from '../../signing/control.ts';
import { baseString, type Pair, percentEncode } from '../../signing/oauth1.ts';
import { strictSignature } from '../../signing/strict.ts';

/** The values that a control covers, or the method of OAuth. */
export type SignedBy = { readonly control: readonly string[] } | { readonly oauth: 'HMAC-SHA1' | 'RSA-SHA256' };

export type Signer = {
  readonly login: string;
  readonly controlKey: Secret<string>;
  readonly privateKey: KeyObject | undefined;
  readonly isStrict: boolean;
};

export type Unsigned = {
  /** The name of the operation, which a strict signature covers. */
  readonly operation: string;
  readonly endpointId: string;
  readonly url: string;
  readonly fields: readonly Pair[];
  readonly by: SignedBy;
};

export type Signed = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** `nonce` is a text that was never used before, `now` the time in milliseconds. */
export function signed(request: Unsigned, signer: Signer, { nonce, now }: { nonce: string; now: number }): Signed {
  const { fields, by } = request;
  const seconds = String(Math.floor(now / 1000));
  const isControl = 'control' in by;
  const control = isControl ? [['control', controlDigest(by.control, signer.controlKey).toString('hex')] as const] : [];
  const body = new URLSearchParams(
    [...fields, ...control].map(([name, value]): [string, string] => [name, value]),
  ).toString();
  const authorization = isControl ? {} : { authorization: oauthText(request, by.oauth, signer, { nonce, seconds }) };
  const strict = signer.isStrict ? { 'x-signature': strictText(request, body, signer, seconds) } : {};
  return { body, headers: { ...authorization, ...strict } };
}

function oauthText(
  { url, fields }: Unsigned,
  method: 'HMAC-SHA1' | 'RSA-SHA256',
  { login, controlKey, privateKey }: Signer,
  { nonce, seconds }: { nonce: string; seconds: string },
): string {
  const oauth: readonly Pair[] = [
    ['oauth_consumer_key', login],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', method],
    ['oauth_timestamp', seconds],
    ['oauth_version', '1.0'],
  ];
  const base = baseString(url, [...fields, ...oauth]);
  const signature = method === 'HMAC-SHA1' ? hmac(base, controlKey) : rsa(base, privateKey);
  const pairs: readonly Pair[] = [...oauth, ['oauth_signature', signature]];
  return `OAuth ${pairs.map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
}

function hmac(base: string, controlKey: Secret<string>): string {
  return createHmac('sha1', `${percentEncode(controlKey.reveal())}&`)
    .update(base)
    .digest('base64');
}

function rsa(base: string, privateKey: KeyObject | undefined): string {
  if (!privateKey) throw new Error('there is no private key to sign with');
  return sign('sha256', Buffer.from(base), privateKey).toString('base64');
}

function strictText({ operation, endpointId }: Unsigned, body: string, { controlKey }: Signer, seconds: string) {
  const subject = { operation, pathId: endpointId, body: Buffer.from(body) };
  return `t=${seconds},v1=${strictSignature(seconds, subject, controlKey).toString('hex')}`;
}
