import { createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Notation, readAmount, writeAmount } from '../../src/domain/money/money.ts';
import { Secret } from '../../src/domain/secret.ts';
import { readFormBody } from '../../src/http/form-body.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { callbackControl, webhookHeaders } from '../../src/signing/callback.ts';
import { controlDigest } from '../../src/signing/control.ts';
import * as oauth1 from '../../src/signing/oauth1.ts';
import { readOAuthHeader } from '../../src/signing/oauth1-header.ts';

type Values = Record<string, string>;
type Control = { operation: string; formula: string; values: Values; key: string; string: string; control: string };
type Callback = { values: { status: string; orderid: string; client_orderid: string }; key: string; control: string };
type Webhook = { id: string; timestamp: number; query: string; key: string; signature: string };
type Amount = { currency: string; notation: Notation; text: string; minor: string | null; written?: string };
type OAuth = {
  encoding: { text: string; encoded: string }[];
  urls: { baseUrl: string; path: string; url: string }[];
  headers: { header: string; parameters: Values | null }[];
  baseStrings: { url: string; parameters: Values | oauth1.Pair[]; baseString: string }[];
  hmacSha1: { key: string; tokenSecret: ''; baseString: string; signature: string }[];
  rsaSha256: { baseString: string; signature: string }[];
  testKeys: { privateKey: string; publicKeySpki: string; publicKeyPkcs1: string };
  requests: {
    title: string;
    baseUrl: string;
    path: string;
    body: string;
    authorization: string;
    baseString: string;
    controlKey?: string;
  }[];
};

function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}

describe('control', () => {
  test.each(vectors<Control[]>('control'))(
    '$operation $string',
    ({ operation, formula, values, key, string, control }) => {
      const { auth } = operations.find(({ name }) => name === operation) as Operation;
      expect(auth).toMatchObject({ scheme: 'control', formula, over: Object.keys(values) });
      expect(Object.values(values).join('')).toBe(string);
      expect(controlDigest(Object.values(values), new Secret(key)).toString('hex')).toBe(control);
    },
  );
});

describe('callbacks', () => {
  test.each(vectors<Callback[]>('callbacks'))('$values.status $control', ({ values, key, control }) => {
    const { status, orderid: orderId, client_orderid: clientOrderId } = values;
    expect(callbackControl({ status, orderId, clientOrderId }, new Secret(key))).toBe(control);
  });
});

describe('webhooks', () => {
  const signed = ({ id, timestamp: seconds, query }: Webhook, ...keys: string[]) =>
    webhookHeaders(
      { id, seconds, query },
      keys.map((key) => new Secret(key)),
    );

  test.each(vectors<Webhook[]>('webhooks'))('$id $query', (vector) => {
    expect(signed(vector, vector.key)).toEqual({
      'webhook-id': vector.id,
      'webhook-timestamp': String(vector.timestamp),
      'webhook-signature': vector.signature,
    });
  });

  test("fit the merchant's code in the guide, and nothing else does", async () => {
    const guide = readFileSync(new URL('../../docs/guides/callbacks.md', import.meta.url), 'utf8');
    const code = guide.match(/```js\n(import [\s\S]*?)```/)?.[1] ?? '';
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(`${code}\nexport { isGenuine };`)}`);
    const [vector] = vectors<Webhook[]>('webhooks') as [Webhook];
    const now = { ...vector, timestamp: Math.floor(Date.now() / 1000) };
    const request = { url: `/paid?${now.query}`, headers: signed(now, 'older', now.key) };
    expect(isGenuine(request, now.key)).toBe(true);
    expect(isGenuine(request, 'another key')).toBe(false);
    expect(isGenuine({ ...request, url: `/paid?${now.query}0` }, now.key)).toBe(false);
    expect(isGenuine({ ...request, headers: signed(vector, now.key) }, now.key)).toBe(false);
  });

  test('two keys give two signatures', () => {
    const [vector] = vectors<Webhook[]>('webhooks') as [Webhook];
    const [one, other] = [signed(vector, vector.key), signed(vector, 'other')].map((all) => all['webhook-signature']);
    expect(signed(vector, vector.key, 'other')['webhook-signature']).toBe(`${one} ${other}`);
  });
});

describe('amounts', () => {
  test.each(vectors<Amount[]>('amounts'))('$text in $notation units of $currency', (vector) => {
    const { currency, notation, text, minor, written = text } = vector;
    expect(readAmount(text, currency, notation)).toBe(minor === null ? undefined : BigInt(minor));
    if (minor !== null) expect(writeAmount({ minor: BigInt(minor), currency }, notation)).toBe(written);
  });
});

describe('OAuth', () => {
  const { encoding, urls, headers, baseStrings, hmacSha1, rsaSha256, testKeys, requests } = vectors<OAuth>('oauth');
  const publicKeys = [testKeys.publicKeySpki, testKeys.publicKeyPkcs1].map((pem) => createPublicKey(pem));

  test.each(encoding)('$text is encoded as $encoded', ({ text, encoded }) => {
    expect(oauth1.percentEncode(text)).toBe(encoded);
  });

  test.each(urls)('$path below $baseUrl is signed as $url', ({ baseUrl, path, url }) => {
    expect(oauth1.signedUrl(baseUrl, path)).toBe(url);
  });

  test.each(headers)('the header $header', ({ header, parameters }) => {
    const read = readOAuthHeader(header);
    if (parameters === null) expect(read).toEqual({ malformed: expect.any(String) });
    else expect(Object.fromEntries(read as Map<string, string>)).toEqual(parameters);
  });

  test.each(baseStrings)('the base string of $url $#', ({ url, parameters, baseString }) => {
    const pairs = Array.isArray(parameters) ? parameters : Object.entries(parameters);
    expect(oauth1.baseString(url, pairs)).toBe(baseString);
    expect(oauth1.baseString(url, [...pairs].reverse())).toBe(baseString);
  });

  test.each(hmacSha1)('the HMAC-SHA1 signature $signature', ({ key, baseString, signature }) => {
    const sent = oauth1.readSignature(signature) as Buffer;
    expect(oauth1.hmacSha1Fits(sent, baseString, new Secret(key))).toBe(true);
    expect(oauth1.hmacSha1Fits(sent, `${baseString} `, new Secret(key))).toBe(false);
    expect(oauth1.hmacSha1Fits(sent, baseString, new Secret(`${key}1`))).toBe(false);
  });

  test.each(rsaSha256)('the RSA-SHA256 signature of $baseString', ({ baseString, signature }) => {
    expect(sign('sha256', Buffer.from(baseString), testKeys.privateKey).toString('base64')).toBe(signature);
    const sent = oauth1.readSignature(signature) as Buffer;
    for (const key of publicKeys) {
      expect(oauth1.rsaSha256Fits(sent, baseString, key)).toBe(true);
      expect(oauth1.rsaSha256Fits(sent, `${baseString} `, key)).toBe(false);
    }
  });

  test.each(requests)('the request with $title', ({ baseUrl, path, body, authorization, baseString, controlKey }) => {
    const header = readOAuthHeader(authorization) as ReadonlyMap<string, string>;
    const { signed, disagreeing } = oauth1.collectParameters(header, readFormBody(Buffer.from(body)).sent);
    expect(disagreeing).toEqual([]);
    expect(oauth1.baseString(oauth1.signedUrl(baseUrl, path), signed)).toBe(baseString);
    const sent = oauth1.readSignature(header.get('oauth_signature') as string) as Buffer;
    if (controlKey !== undefined) expect(oauth1.hmacSha1Fits(sent, baseString, new Secret(controlKey))).toBe(true);
    else for (const key of publicKeys) expect(oauth1.rsaSha256Fits(sent, baseString, key)).toBe(true);
  });
});
