// What `tender sign` makes, `tender check-signature` takes; and what people do to it by mistake, it finds.

import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testKeyObjects } from '../../../test/test-keys.ts';
import { Secret } from '../../domain/secret.ts';
import { withEscapes } from './check-signature.ts';
import { checkedSignatures, type SignatureVerdict } from './checked-request.ts';
import { readCurl, shellWords } from './curl-command.ts';
import type { GivenKeys } from './given-keys.ts';
import { type RequestValues, requestOf } from './given-request.ts';
import { type SigningWishes, signedCall } from './signed-request.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const KEY = '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638';
const { privateKey, publicKey } = testKeyObjects('demo');
const keys: GivenKeys = { control: new Secret(KEY), privateKey, publicKey };
const others: GivenKeys = {
  ...keys,
  control: new Secret('another-key'),
  publicKey: testKeyObjects('stranger').publicKey,
};
const SALE = ['client_orderid=inv-1001', 'amount=10.42', 'currency=USD', 'email=ann%40example.com'];
const CARD = ['credit_card_number=4444555566661111', 'cvv2=123', 'expire_month=12', 'expire_year=2031'];

async function signed(named: string, data: readonly string[], more: Partial<SigningWishes> & RequestValues = {}) {
  const request = await requestOf(named, { demo: true, field: data, ...more });
  return signedCall(request, keys, { isStrict: false, now: NOW, nonce: 'n1', ...more });
}

type Checked = { readonly url?: string; readonly body: string; readonly headers?: Readonly<Record<string, string>> };

async function checked({ url, body, headers = {} }: Checked, with_ = keys, now = NOW): Promise<SignatureVerdict[]> {
  const header = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return checkedSignatures(await requestOf(url, { field: [body], header }), with_, now);
}

describe('a signed request', () => {
  it('by control is that of the documented example, step by step', async () => {
    const { signature, steps, curl, body } = await signed('sale', [...SALE, ...CARD]);
    expect(signature).toBe('bd7c81329daed2ef5ccdb235b8521bfb9ab23674');
    const lines = steps.flatMap((step) => step.lines);
    expect(lines).toContain('101inv-10011042ann@example.com<MERCHANT_CONTROL_KEY>');
    expect(lines.slice(0, 4).map((line) => line.split(/\s+/))).toEqual([
      ['endpointId', '101'],
      ['client_orderid', 'inv-1001'],
      ['amount', '1042'],
      ['email', 'ann@example.com'],
    ]);
    expect(curl).toContain(`control=${signature}`);
    expect(JSON.stringify([steps, curl, body])).not.toContain(KEY);
  });

  it.each([
    ['status', ['client_orderid=inv-1001', 'orderid=1']],
    ['SALE', SALE],
    ['capture', ['client_orderid=a', 'orderid=1', 'login=demo']],
    ['v2/payout', [...SALE, 'order_desc=Two+tickets+%28stalls%29%21', 'note=']],
    ['PAYOUT_V4', SALE],
    ['payout-form', SALE],
  ])('of %s fits, also strictly, and is read again from its own command of curl', async (name, data) => {
    const { url, body, headers, curl } = await signed(name, data, { isStrict: true });
    const verdicts = await checked({ url, body, headers });
    expect(verdicts.map(({ fits }) => fits)).toEqual([true, true]);
    expect((await checked({ url, body, headers }, others)).map(({ fits }) => fits)).toEqual([false, false]);
    const pasted = readCurl(curl);
    expect([pasted.url, pasted.body]).toEqual([url, body]);
    expect(pasted.headers.get('x-signature')).toBe(headers['X-Signature']);
  });

  it('shows no card that is not published for tests, and signs it all the same', async () => {
    const card = ['credit_card_number=4111111111111111', 'cvv2=917'];
    for (const name of ['sale', 'payout', 'v4/payout']) {
      const { body, isMasked, ...shown } = await signed(name, [...SALE, ...card], { isStrict: true });
      expect(isMasked).toBe(true);
      expect(JSON.stringify(shown)).not.toMatch(/4111111111111111|917/);
      expect(body).toContain('4111111111111111');
      const verdicts = await checked({ url: shown.url, body: body.replace('inv', 'other'), headers: shown.headers });
      expect(verdicts.some(({ fits }) => fits)).toBe(false);
      expect(JSON.stringify(verdicts)).not.toMatch(/4111111111111111|917/);
    }
  });

  it.each([
    ['nothing', 'sale', {}, /name the endpoint/],
    ['a name nobody knows', 'sail', { endpoint: '101' }, /there is no operation "sail"/],
    ['a path that is none', 'http://localhost/paynet/sale', {}, /is no operation/],
    ['a field twice', 'sale', { demo: true, field: ['a=1', 'a=2'] }, /more than once/],
  ] as const)('is not made of %s', async (_, named, values, why) => {
    await expect(requestOf(named, values)).rejects.toThrow(why);
  });

  it('needs the key that its operation is signed with', async () => {
    const wishes = { isStrict: false, now: NOW };
    const none = { control: undefined, privateKey: undefined, publicKey: undefined };
    for (const name of ['sale', 'payout', 'v4/payout']) {
      const request = await requestOf(name, { demo: true, field: SALE });
      expect(() => signedCall(request, none, wishes)).toThrow(/name the (control|private) key/);
    }
  });
});

describe('a wrong signature', () => {
  const sale = `${SALE.join('&')}&control=`;
  const saleUrl = 'http://localhost:8080/paynet/api/v2/sale/101';
  const sha1 = (text: string) => hash('sha1', text, 'hex');

  it.each([
    ['the notation of the amount', sha1(`101inv-100110.42ann@example.com${KEY}`), /amount is signed as "10.42"/],
    ['the order of values', sha1(`inv-10011011042ann@example.com${KEY}`), /another order/],
    ['a digest', hash('sha256', `101inv-10011042ann@example.com${KEY}`, 'hex'), /SHA256/],
    ['a key', sha1('101inv-10011042ann@example.comX'), /another key/],
    ['what is no digest', KEY, /no SHA-1 in forty/],
    ['nothing', '', /no control/],
  ])('is told to differ by %s', async (_, control, says) => {
    const [verdict] = await checked({ url: saleUrl, body: sale + control });
    expect(verdict?.fits).toBe(false);
    expect(verdict?.says[0]).toMatch(says);
    expect(verdict?.expected).toBe('101inv-10011042ann@example.com<MERCHANT_CONTROL_KEY>');
  });

  it('names a login that stands in front of a string it does not belong to, and shows what nobody sees', async () => {
    const control = (text: string) => hash('sha1', text);
    const body = [...SALE, `control=${control(`demo101inv-10011042ann@example.com${KEY}`)}`].join('&');
    const url = 'http://localhost:8080/paynet/api/v2/sale/101';
    const [verdict] = checkedSignatures(await requestOf(url, { field: [body], login: 'demo' }), keys, NOW);
    expect(verdict?.says[0]).toBe('login stands in the string: it does not belong there.');
    expect(withEscapes('a\nb\u00a0c\u200bd')).toBe('a\\nb\\u00a0c\\u200bd');
  });

  it('says whose key it is where that is the demo merchant', async () => {
    const { body, url } = await signed('sale', SALE);
    expect((await checked({ url, body }, others))[0]?.says[0]).toMatch(/key of the demo merchant/);
  });

  it('tells how an amount without a point was read', async () => {
    const { body, url } = await signed('sale', SALE.with(1, 'amount=1042'));
    expect((await checked({ url, body }))[0]).toMatchObject({
      fits: true,
      says: [expect.stringContaining('10.42 USD')],
    });
  });

  it('of OAuth is told to differ by the host, or by its time', async () => {
    const { body, url, headers } = await signed('payout', SALE);
    const elsewhere = await checked({ url: url.replace('localhost', '127.0.0.1'), body, headers });
    expect(elsewhere[0]?.says[0]).toMatch(/another host/);
    const [late] = await checked({ url, body, headers }, keys, NOW + 3_600_000);
    expect(late).toMatchObject({ fits: false, says: [expect.stringContaining('300 s')] });
    const [malformed] = await checked({ url, body, headers: { Authorization: 'Basic x' } });
    expect(malformed?.says[0]).toMatch(/must begin with the word OAuth/);
  });

  it.each([
    ['a lower-case operation', (text: string) => text.replace('.SALE.', '.sale.'), /small letters/],
    ['no id', (text: string) => text.replace('.101.', '.'), /id of the endpoint is left out/],
    ['the body alone', (text: string) => text.slice(text.indexOf('client_orderid')), /Only the body/],
    ['a body that is not encoded', (text: string) => decodeURIComponent(text), /before it is encoded/],
    ['no body', (text: string) => text.slice(0, text.indexOf('client_orderid')), /body is left out/],
  ])('of strict signing is told to differ by %s', async (_, change, says) => {
    const { createHmac } = await import('node:crypto');
    const { body, url, headers } = await signed('sale', SALE, { isStrict: true });
    const seconds = String(NOW / 1000);
    const v1 = createHmac('sha256', KEY)
      .update(change(`${seconds}.SALE.101.${body}`))
      .digest('hex');
    const [, strict] = await checked({ url, body, headers: { ...headers, 'X-Signature': `t=${seconds},v1=${v1}` } });
    expect(strict?.fits).toBe(false);
    expect(strict?.says[0]).toMatch(says);
  });
});

describe('a pasted command of curl', () => {
  it.each<[string, string[]]>([
    [`curl -d 'a b' "c \\"d\\"" e\\ f`, ['curl', '-d', 'a b', 'c "d"', 'e f']],
    ['curl \\\n  http://x \\\r\n  -s', ['curl', 'http://x', '-s']],
    [`curl $'a\\'b\\n' ''`, ['curl', "a'b\n", '']],
    [`curl 'it'\\''s'`, ['curl', "it's"]],
  ])('is read as a shell reads it: %s', (text, words) => {
    expect(shellWords(text)).toEqual(words);
  });

  it.each([
    ['curl $URL', /means something to the shell/],
    ['curl "$(date)"', /means something to the shell/],
    ['curl x | jq', /means something to the shell/],
    ["curl 'x", /not closed/],
    ['wget x', /begin with curl/],
    ['curl -d @file x', /--body/],
    ['curl --upload-file f x', /not understood/],
    ['curl -X PUT x', /POST, not PUT/],
    ['curl -d', /lacks its value/],
  ])('is refused where it says more than a request: %s', (text, why) => {
    expect(() => readCurl(text)).toThrow(why);
  });

  it('has its fields in their order, encoded where that is asked for', () => {
    const { body, headers, url } = readCurl(
      `curl -sS -X POST --url http://x -H 'Accept: a/b' -da=1 --data-urlencode 'b=x y&' --data=c=3 -o /dev/null`,
    );
    expect([url, body, headers.get('accept')]).toEqual(['http://x', 'a=1&b=x+y%26&c=3', 'a/b']);
  });
});
