// Compared with an independent implementation: the library oauth-1.0a signs as merchants' clients do.

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import OAuth from 'oauth-1.0a';
import { describe, expect, it } from 'vitest';
import { testKeyObjects } from '../../test/test-keys.ts';
import { Secret } from '../domain/secret.ts';
import { readFormBody } from '../http/form-body.ts';
import { baseString, collectParameters, hmacSha1Fits, readSignature, rsaSha256Fits, signedUrl } from './oauth1.ts';
import { readOAuthHeader } from './oauth1-header.ts';

const { privateKey, publicKey } = testKeyObjects('merchants');
const baseUrl = 'https://gateway.example/paynet';
const path = '/api/v4/payout/101';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'!\'()* +é~%&=;,/?"\\-._aZ0'), maxLength: 12 }),
);
const fields = fc.dictionary(
  text.filter((name) => name !== '' && name !== '__proto__' && !name.startsWith('oauth_')),
  text,
  { maxKeys: 12 },
);
const request = fc.record({ fields, login: text, secret: text, separator: fc.constantFrom(',', ', ') });

/** The request as the library would send it, and our reading of it. */
function sent(
  {
    fields,
    login,
    secret,
    separator,
  }: { fields: Record<string, string>; login: string; secret: string; separator: string },
  method: 'HMAC-SHA1' | 'RSA-SHA256',
) {
  const client = new OAuth({
    consumer: { key: login, secret },
    signature_method: method,
    parameter_seperator: separator,
    hash_function: (base, key) =>
      method === 'HMAC-SHA1'
        ? createHmac('sha1', key).update(base).digest('base64')
        : sign('sha256', Buffer.from(base), privateKey).toString('base64'),
  });
  const url = `${baseUrl}${path}`;
  const { Authorization } = client.toHeader(client.authorize({ url, method: 'POST', data: { ...fields } }));
  const header = readOAuthHeader(Authorization) as ReadonlyMap<string, string>;
  const body = readFormBody(Buffer.from(new URLSearchParams(fields).toString()));
  const base = baseString(signedUrl(baseUrl, path), collectParameters(header, body.sent).signed);
  return { header, base, signature: readSignature(header.get('oauth_signature') as string) as Buffer };
}

describe('a signature of another implementation', () => {
  it('fits with HMAC-SHA1, whatever was sent, and with no other base string', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const { header, base, signature } = sent(asked, 'HMAC-SHA1');
        expect(header.get('oauth_consumer_key')).toBe(asked.login);
        expect(hmacSha1Fits(signature, base, new Secret(asked.secret))).toBe(true);
        expect(hmacSha1Fits(signature, base, new Secret(`${asked.secret}x`))).toBe(false);
        expect(hmacSha1Fits(signature, `${base}x`, new Secret(asked.secret))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('fits with RSA-SHA256, whatever was sent, and with no other base string', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const { base, signature } = sent(asked, 'RSA-SHA256');
        expect(rsaSha256Fits(signature, base, publicKey)).toBe(true);
        expect(rsaSha256Fits(signature, `${base}x`, publicKey)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

it('fits under the plain control key and under the encoded one', () => {
  const key = 'a key & more';
  for (const secret of [key, encodeURIComponent(key)]) {
    const signature = createHmac('sha1', `${secret}&`).update('base').digest();
    expect(hmacSha1Fits(signature, 'base', new Secret(key))).toBe(true);
  }
});

it('fits neither when it is cut, longer or no base64, nor under a key of another kind', () => {
  const signature = createHmac('sha1', 'k&').update('base').digest();
  for (const other of [signature.subarray(1), Buffer.concat([signature, signature]), Buffer.alloc(0)]) {
    expect(hmacSha1Fits(other, 'base', new Secret('k'))).toBe(false);
    expect(rsaSha256Fits(other, 'base', publicKey)).toBe(false);
  }
  for (const none of ['', '=', 'a b', 'ü', 'a-b_', 'ab===']) expect(readSignature(none)).toBeUndefined();
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 1024 });
  expect(rsaSha256Fits(sign('sha256', Buffer.from('base'), pss.privateKey), 'base', pss.publicKey)).toBe(false);
});

it('collects the body, the OAuth parameters once, and never the signature', () => {
  const header = new Map([
    ['oauth_nonce', 'n'],
    ['oauth_signature', 's'],
  ]);
  const { sent } = readFormBody(
    Buffer.from('a_b=1&a-b=1&empty=&bare&realm=r&oauth_nonce=n&oauth_signature=s&oauth_version=1.0'),
  );
  expect(collectParameters(header, sent)).toEqual({
    signed: [
      ['oauth_nonce', 'n'],
      ['a_b', '1'],
      ['a-b', '1'],
      ['empty', ''],
      ['bare', ''],
      ['realm', 'r'],
      ['oauth_version', '1.0'],
    ],
    disagreeing: [],
  });
  const other = readFormBody(Buffer.from('oauth_nonce=N&oauth_signature=')).sent;
  expect(collectParameters(header, other).disagreeing).toEqual(['oauth_nonce', 'oauth_signature']);
});

it('survives any header', () => {
  const pieces = fc.constantFrom('OAuth', ' ', ',', '=', '"', '\\', 'realm', 'oauth_nonce', '%', '%41', 'a', 'é', '\t');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => void readOAuthHeader(`OAuth ${parts.join('')}`)),
  );
});
