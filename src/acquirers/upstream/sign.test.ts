// Held against an independent implementation, the library oauth-1.0a, and against the side of this service that checks.

import { createHmac, createSign } from 'node:crypto';
import fc from 'fast-check';
import OAuth from 'oauth-1.0a';
import { describe, expect, it } from 'vitest';
import { testKeyObjects } from '../../../test/test-keys.ts';
import { Secret } from '../../domain/secret.ts';
import { readOAuthHeader } from '../../signing/oauth1-header.ts';
import { strictFault } from '../../signing/strict.ts';
import { type SignedBy, type Signer, signed } from './sign.ts';

const { privateKey } = testKeyObjects('merchants');
const NOW = 1_790_000_000_123;
const url = 'https://gateway.example/paynet/api/v4/payout/101';

function signer(changes: Partial<Signer> = {}): Signer {
  return { login: 'shop & more', controlKey: new Secret('a key & more'), privateKey, isStrict: false, ...changes };
}

const text = fc.string({ unit: fc.constantFrom(...'!\'()* +é~%&=;,/?"\\-._aZ0€'), maxLength: 12 });
const fields = fc.dictionary(
  text.filter((name) => name !== '' && name !== '__proto__'),
  text,
  { maxKeys: 8 },
);

function requestOf(given: Record<string, string>, by: SignedBy) {
  return { operation: 'PAYOUT_V4', endpointId: '101', url, fields: Object.entries(given), by };
}

describe('a request signed with OAuth', () => {
  it.each(['HMAC-SHA1', 'RSA-SHA256'] as const)('by %s has the signature of another implementation', (method) => {
    fc.assert(
      fc.property(fields, (given) => {
        const { headers } = signed(requestOf(given, { oauth: method }), signer(), { nonce: 'n', now: NOW });
        const header = readOAuthHeader(headers.authorization ?? '') as ReadonlyMap<string, string>;
        const other = new OAuth({
          consumer: { key: 'shop & more', secret: 'a key & more' },
          signature_method: method,
          hash_function: (base, key) =>
            method === 'HMAC-SHA1'
              ? createHmac('sha1', key).update(base).digest('base64')
              : createSign('RSA-SHA256').update(base).sign(privateKey, 'base64'),
        });
        other.getNonce = () => 'n';
        other.getTimeStamp = () => Math.floor(NOW / 1000);
        const expected = other.authorize({ url, method: 'POST', data: { ...given } });
        expect(Object.fromEntries(header)).toMatchObject({
          oauth_consumer_key: 'shop & more',
          oauth_nonce: 'n',
          oauth_timestamp: '1790000000',
          oauth_version: '1.0',
          oauth_signature_method: method,
          oauth_signature: expected.oauth_signature,
        });
      }),
      { numRuns: method === 'HMAC-SHA1' ? 200 : 25 },
    );
  });

  it('cannot be made without the key, and says so without naming any', () => {
    const attempt = () =>
      signed(requestOf({}, { oauth: 'RSA-SHA256' }), signer({ privateKey: undefined }), { nonce: 'n', now: NOW });
    expect(attempt).toThrow('there is no private key to sign with');
  });
});

describe('a request signed with a control', () => {
  it('carries the published example', () => {
    const controlKey = new Secret('B17F59B4-A7DC-41B4-8FF9-37D986B43D20');
    const by = { control: ['1111', '902B4FF5', '1042', 'john.smith@gmail.com'] };
    const { body, headers } = signed(requestOf({ amount: '10.42' }, by), signer({ controlKey }), {
      nonce: 'n',
      now: NOW,
    });
    expect(body).toBe('amount=10.42&control=c6bdd88a78834ef4b863b088827a459f039e8257');
    expect(headers).toEqual({});
  });
});

it('signs every byte when it is asked to', () => {
  const strict = signer({ isStrict: true });
  const { body, headers } = signed(requestOf({ a: 'ä b' }, { control: ['x'] }), strict, { nonce: 'n', now: NOW });
  const subject = { operation: 'PAYOUT_V4', pathId: '101', body: Buffer.from(body) };
  expect(strictFault(headers['x-signature'], subject, [strict.controlKey], NOW)).toBeUndefined();
  expect(strictFault(headers['x-signature'], { ...subject, pathId: '102' }, [strict.controlKey], NOW)).toBeDefined();
});
