import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Notation, readAmount, writeAmount } from '../../src/domain/money.ts';
import { Secret } from '../../src/domain/secret.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { controlDigest } from '../../src/signing/control.ts';

type Values = Record<string, string>;
type Control = { operation: string; formula: string; values: Values; key: string; string: string; control: string };
type Callback = { values: { status: string; orderid: string; client_orderid: string }; key: string; control: string };
type Amount = { currency: string; notation: Notation; text: string; minor: string | null; written?: string };
type OAuth = {
  encoding: { text: string; encoded: string }[];
  baseStrings: { method: string; url: string; parameters: Values; baseString: string }[];
  hmacSha1: { key: string; tokenSecret: string; baseString: string; signature: string }[];
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
    const signed = [values.status, values.orderid, values.client_orderid];
    expect(controlDigest(signed, new Secret(key)).toString('hex')).toBe(control);
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
  const { encoding, baseStrings, hmacSha1 } = vectors<OAuth>('oauth');

  function encode(text: string): string {
    return encodeURIComponent(text).replace(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  }

  test.each(encoding)('$text is encoded as $encoded', ({ text, encoded }) => {
    expect(encode(text)).toBe(encoded);
  });

  test.each(baseStrings)('the base string of $url', ({ method, url, parameters, baseString }) => {
    const pairs = Object.entries(parameters).map(([name, value]) => `${encode(name)}=${encode(value)}`);
    expect([method, encode(url), encode(pairs.sort().join('&'))].join('&')).toBe(baseString);
  });

  test.each(hmacSha1)('the signature $signature', ({ key, tokenSecret, baseString, signature }) => {
    expect(createHmac('sha1', `${key}&${tokenSecret}`).update(baseString).digest('base64')).toBe(signature);
  });
});
