import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testKeys } from '../../../test/test-keys.ts';
import { readConnectorSettings } from '../connector.ts';
import { upstream } from './upstream.ts';

const given = { baseUrl: 'https://gateway.example/paynet', endpointId: 101, login: 'shop', controlKey: 'a key' };
const read = (changes: Record<string, unknown>) => readConnectorSettings(upstream, { ...given, ...changes });
const faults = (changes: Record<string, unknown>) => {
  const result = read(changes);
  return 'faults' in result ? result.faults : [];
};

describe('the address of the provider', () => {
  it.each([
    ['https://gateway.example/paynet', 'https://gateway.example/paynet'],
    ['https://gateway.example/paynet/', 'https://gateway.example/paynet'],
    ['HTTPS://Gateway.Example:8443', 'https://gateway.example:8443'],
    ['http://localhost:8080/paynet', 'http://localhost:8080/paynet'],
    ['http://127.0.0.1:8080/paynet', 'http://127.0.0.1:8080/paynet'],
    ['http://[::1]/paynet', 'http://[::1]/paynet'],
  ])('%s is %s', (baseUrl, expected) => {
    expect(read({ baseUrl })).toMatchObject({ values: { baseUrl: expected } });
  });

  it.each([
    'http://gateway.example/paynet',
    'http://10.0.0.1/paynet',
    'ftp://gateway.example',
    'gateway.example',
    'https://user:word@gateway.example/paynet',
    'https://gateway.example/paynet?x=1',
    'https://gateway.example/paynet#x',
    '',
  ])('cannot be %j', (baseUrl) => {
    expect(faults({ baseUrl })).toEqual([expect.stringContaining('baseUrl: an address such as')]);
  });
});

describe('the private key', () => {
  const { privateKey, publicKey } = testKeys('demo');

  it('may be left out, or is an RSA key in PEM', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ privateKey })).toEqual([]);
  });

  it('is refused without being repeated', () => {
    const short = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const curve = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const cut = privateKey.slice(0, 200);
    for (const wrong of [short.privateKey, curve.privateKey, publicKey, cut, 'no key at all', 7]) {
      expect(faults({ privateKey: wrong })).toEqual([
        'privateKey: an RSA private key in PEM of at least 2048 bits is needed',
      ]);
    }
  });
});

it('has times that end before the lease of a transaction', () => {
  expect(read({})).toMatchObject({ values: { answerMs: 30_000, statusMs: 10_000, strictSigning: false } });
  expect(faults({ answerMs: 45_000 })).toHaveLength(1);
});
