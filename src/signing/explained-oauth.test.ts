// Wrong signatures are made here by a library that shares no code with the explanation, or by hand after the RFC.

import { constants, createHmac, hash, sign } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { describe, expect, it } from 'vitest';
import { testKeyObjects } from '../../test/test-keys.ts';
import { Secret } from '../domain/secret.ts';
import { explainOAuth, type OAuthToExplain } from './explained-oauth.ts';
import type { Pair } from './oauth1.ts';

const KEY = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';
const URL_SIGNED = 'http://localhost:8080/paynet/api/v2/payout/101';
const { privateKey, publicKey } = testKeyObjects('demo');

const body: readonly Pair[] = [
  ['client_orderid', 'inv-1'],
  ['order_desc', 'Two tickets (stalls)'],
  ['Zone', 'a'],
  ['merchant_data', ''],
  ['purpose', ' top up '],
];
const oauth: readonly Pair[] = [
  ['oauth_consumer_key', 'demo'],
  ['oauth_nonce', 'n1'],
  ['oauth_signature_method', 'HMAC-SHA1'],
  ['oauth_timestamp', '1800000000'],
  ['oauth_version', '1.0'],
];
const signed = [...oauth, ...body];

/** Signs with the library, under a URL and with a key of one's choice. */
function byLibrary(url = URL_SIGNED, pairs: readonly Pair[] = signed, key = KEY): string {
  const signer = new OAuth({
    consumer: { key: 'demo', secret: key },
    signature_method: 'HMAC-SHA1',
    hash_function: (base, secret) => createHmac('sha1', secret).update(base).digest('base64'),
  });
  const data = Object.fromEntries(pairs.filter(([name]) => !name.startsWith('oauth_')));
  const inHeader = Object.fromEntries(pairs.filter(([name]) => name.startsWith('oauth_')));
  return signer.getSignature({ url, method: 'POST', data }, undefined, inHeader as unknown as OAuth.Data);
}

const upper = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

type Written = {
  readonly verb?: string;
  readonly encode?: (text: string) => string;
  readonly outer?: (text: string) => string;
  readonly url?: (text: string) => string;
  readonly sort?: (a: Pair, b: Pair) => number;
};

/** The base string written by hand, step by step. */
function base({ verb = 'POST', encode = upper, outer = upper, url = upper, sort }: Written = {}): string {
  const byName = (a: Pair, b: Pair) => (encode(a[0]) < encode(b[0]) ? -1 : 1);
  const joined = [...signed].sort(sort ?? byName).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return `${verb}&${url(URL_SIGNED)}&${outer(joined.join('&'))}`;
}

const hmac = (text: string, secret = `${KEY}&`, algorithm = 'sha1') =>
  createHmac(algorithm, secret).update(text).digest();
const byHand = (written: Written) => hmac(base(written)).toString('base64');
const bySmall = (text: string) => upper(text).replaceAll(/%../g, (code) => code.toLowerCase());

function explained(came: string, differs: Partial<OAuthToExplain> = {}) {
  return explainOAuth({
    method: 'HMAC-SHA1',
    came,
    urls: [URL_SIGNED],
    signed,
    controlKeys: [{ key: new Secret(KEY), isUsable: true }],
    publicKeys: [{ key: publicKey, isUsable: true }],
    ...differs,
  });
}

describe('why an OAuth signature is wrong', () => {
  it('is not said of one that is right, by a library or by hand', () => {
    expect(explained(byLibrary()).instead).toBeNull();
    expect(byHand({})).toBe(byLibrary());
  });

  it.each<[string, string, RegExp]>([
    ['another scheme', byLibrary(URL_SIGNED.replace('http', 'https')), /another scheme: .*http:\/\/localhost:8080/],
    ['another host', byLibrary(URL_SIGNED.replace('localhost', '127.0.0.1')), /127\.0\.0\.1:8080.*another host/],
    ['no port', byLibrary(URL_SIGNED.replace(':8080', '')), /another port/],
    ['a slash at the end', hmacOfUrl(`${URL_SIGNED}/`), /no slash at the end/],
    ['no base path', byLibrary(URL_SIGNED.replace('/paynet', '')), /begins with that of the public base URL/],
    ['no endpoint', byLibrary(URL_SIGNED.replace('/101', '')), /ends with the id of the endpoint/],
    ['no body', byLibrary(URL_SIGNED, oauth), /fields of the body are left out/],
    ['a field left out', byLibrary(URL_SIGNED, without('order_desc')), /^order_desc is sent and left out/],
    ['no version', byLibrary(URL_SIGNED, without('oauth_version')), /^oauth_version is sent and left out/],
    ['values that are trimmed', byLibrary(URL_SIGNED, trimmed()), /blanks around them/],
    ['a token that is not sent', byLibrary(URL_SIGNED, [...signed, ['oauth_token', '']]), /oauth_token is signed/],
    ['no order', byHand({ sort: () => 0 }), /not sorted/],
    ['an order without case', byHand({ sort: caseless }), /regardless of case/],
    ['plus signs', byHand({ encode: (text) => upper(text).replaceAll('%20', '+') }), /%20/],
    ['small codes', byHand({ encode: bySmall, outer: bySmall, url: bySmall }), /small letters/],
    ['encodeURIComponent', byHand({ encode: encodeURIComponent }), /leaves them alone/],
    [
      'encodeURIComponent twice',
      byHand({ encode: encodeURIComponent, outer: encodeURIComponent }),
      /leaves them alone/,
    ],
    ['one encoding', byHand({ outer: (text) => text }), /not encoded once more/],
    ['no inner encoding', byHand({ encode: (text) => text, sort: plainly }), /not encoded before/],
    ['a GET', byHand({ verb: 'GET' }), /GET stands at the beginning/],
    ['a key without its ampersand', hmac(base(), KEY).toString('base64'), /ampersand belongs behind/],
    ['a key with a line end', hmac(base(), `${KEY}\n&`).toString('base64'), /line end stands behind the key/],
    ['a key in small letters', hmac(base(), `${KEY.toLowerCase()}&`).toString('base64'), /small letters/],
    ['HMAC-SHA256', hmac(base(), `${KEY}&`, 'sha256').toString('base64'), /HMAC-SHA256/],
    ['hexadecimal digits', hmac(base()).toString('hex'), /hexadecimal/],
    ['a plain digest', hash('sha1', base() + KEY, 'base64'), /plain SHA-1/],
    ['a signature encoded twice', encodeURIComponent(byLibrary()), /once too often in the header/],
    ['an RSA signature', sign('sha256', Buffer.from(base()), privateKey).toString('base64'), /HMAC-SHA1/],
    ['two mistakes', byLibrary(URL_SIGNED.replace('http', 'https'), without('purpose')), /scheme.*purpose is sent/],
  ])('is found out for %s', (_, came, mistake) => {
    expect(explained(came).instead?.mistake).toMatch(mistake);
  });

  const rsa = (text: string, algorithm = 'sha256', padding: number = constants.RSA_PKCS1_PADDING) =>
    sign(algorithm, Buffer.from(text), { key: privateKey, padding }).toString('base64');

  it.each<[string, string, RegExp | null]>([
    ['a right one', rsa(base()), null],
    ['RSA-SHA1', rsa(base(), 'sha1'), /RSA-SHA1/],
    ['another padding', rsa(base(), 'sha256', constants.RSA_PKCS1_PSS_PADDING), /PSS/],
    ['another host', rsa(base().replace('localhost', '127.0.0.1')), /another host/],
    ['HMAC-SHA1', byHand({}), /must be RSA-SHA256/],
  ])('is found out with RSA for %s', (_, came, mistake) => {
    const { instead } = explained(came, { method: 'RSA-SHA256' });
    if (mistake === null) expect(instead).toBeNull();
    else expect(instead?.mistake).toMatch(mistake);
  });

  it('is found out for a key that is not valid now', () => {
    const controlKeys = [{ key: new Secret(KEY), isUsable: false }];
    expect(explained(byLibrary(), { controlKeys }).instead?.mistake).toMatch(/not valid now/);
  });

  it('is no mistake where a further URL may be signed', () => {
    const further = URL_SIGNED.replace('localhost', '127.0.0.1');
    expect(explained(byLibrary(further), { urls: [URL_SIGNED, further] }).instead).toBeNull();
  });

  it('shows what was signed beside what should have been, in its order', () => {
    const { expected, instead } = explained(byLibrary(URL_SIGNED.replace('http', 'https'), without('Zone')));
    const names = (parts: readonly { readonly name: string }[] = []) => parts.map(({ name }) => name);
    expect(names(expected).slice(0, 4)).toEqual(['verb', 'URL', 'Zone', 'client_orderid']);
    expect(names(instead?.parts).slice(0, 3)).toEqual(['verb', 'URL', 'client_orderid']);
    expect(instead?.parts[1]?.value).toMatch(/^https:/);
  });

  it('is not found out for another key, and never holds the key', () => {
    const wrong = explained(byLibrary(URL_SIGNED, signed, 'another key'));
    expect(wrong.instead).toBeNull();
    expect(wrong.came).toMatch(/=$/);
    for (const came of [KEY, KEY.replaceAll('-', '').toLowerCase(), `${KEY.replaceAll('-', '')}AAAA`]) {
      expect(JSON.stringify(explained(came))).not.toContain(came);
    }
  });

  it('is not looked for in long requests', () => {
    const long = (length: number): Pair[] => [...oauth, ['order_desc', 'a'.repeat(length)]];
    const mistakeOf = (pairs: Pair[]) =>
      explained(byLibrary(`${URL_SIGNED.replace('http', 'https')}`, pairs), { signed: pairs }).instead?.mistake;
    expect(mistakeOf(long(7_000))).toMatch(/scheme/);
    expect(mistakeOf(long(9_000))).toBeUndefined();
  });

  it('is not looked for among many fields, of which anybody may send hundreds', () => {
    const mistakeOf = (fields: number) => {
      const more = Array.from({ length: fields - oauth.length }, (_, index): Pair => [`f${index}`, '1']);
      const pairs = [...oauth, ...more];
      return explained(byLibrary(URL_SIGNED.replace('http', 'https'), pairs), { signed: pairs }).instead?.mistake;
    };
    expect(mistakeOf(60)).toMatch(/scheme/);
    expect(mistakeOf(61)).toBeUndefined();
  });
});

function without(name: string): Pair[] {
  return signed.filter(([one]) => one !== name);
}

function trimmed(): Pair[] {
  return signed.map(([name, value]) => [name, value.trim()]);
}

function caseless(a: Pair, b: Pair): number {
  return a[0].toLowerCase() < b[0].toLowerCase() ? -1 : 1;
}

function plainly(a: Pair, b: Pair): number {
  return a[0] < b[0] ? -1 : 1;
}

/** The library takes a slash at the end away. */
function hmacOfUrl(url: string): string {
  return hmac(base().replace(upper(URL_SIGNED), upper(url))).toString('base64');
}
