import { createHmac, hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../domain/secret.ts';
import { explainControl } from './explained-control.ts';

const KEY = 'B8C0-key';
const expected = [
  { name: 'endpointId', value: '101' },
  { name: 'client_orderid', value: 'inv-1' },
  { name: 'amount', value: '1042' },
  { name: 'email', value: 'Ann@example.com' },
];
const others = [
  { name: 'amount', value: '10.42' },
  { name: 'currency', value: 'USD' },
  { name: 'login', value: 'shop' },
];
const sha1 = (text: string) => hash('sha1', text, 'hex');
const RIGHT = '101inv-11042Ann@example.com';

const explained = (came: string, isUsable = true) =>
  explainControl({ expected, came, others, keys: [{ key: new Secret(KEY), isUsable }] });

describe('why a control is wrong', () => {
  it.each<[string, string, RegExp]>([
    ['the amount as it was sent', sha1(`101inv-110.42Ann@example.com${KEY}`), /amount is signed as "10.42".*"1042"/],
    ['a currency that does not belong there', sha1(`101inv-11042USDAnn@example.com${KEY}`), /currency stands in/],
    ['the login for the endpoint', sha1(`shopinv-11042Ann@example.com${KEY}`), /login stands in the place of endpoint/],
    ['no address of mail', sha1(`101inv-11042${KEY}`), /email is left out/],
    ['no key', sha1(RIGHT), /key is left out/],
    ['the key in front', sha1(KEY + RIGHT), /key stands at the beginning/],
    ['something between the values', sha1(`101|inv-1|1042|Ann@example.com|${KEY}`), /"\|" stands between/],
    ['a line end behind', sha1(`${RIGHT}${KEY}\n`), /line end/],
    ['an amount in major units', sha1(`101inv-110Ann@example.com${KEY}`), /amount is signed as "10"/],
    ['an amount in hundredths of what it is', sha1(`101inv-1104200Ann@example.com${KEY}`), /signed as "104200"/],
    ['encoded values', sha1(`101inv-11042Ann%40example.com${KEY}`), /percent-encoded/],
    ['names', sha1(`endpointId=101&client_orderid=inv-1&amount=1042&email=Ann@example.com&${KEY}`), /Names stand/],
    ['a blank behind the key', sha1(`${RIGHT}${KEY} `), /blank stands behind the key/],
    ['a key in small letters', sha1(`${RIGHT}${KEY.toLowerCase()}`), /small letters/],
    ['a key without its dashes', sha1(`${RIGHT}${KEY.replaceAll('-', '')}`), /lacks its dashes/],
    ['a key in quotation marks', sha1(`${RIGHT}"${KEY}"`), /quotation marks/],
    ['a digest of a digest', sha1(sha1(RIGHT + KEY)), /digest of a digest/],
    ['Base64', hash('sha1', RIGHT + KEY, 'base64'), /Base64/],
    ['lower case', sha1(`101inv-11042ann@example.com${KEY}`), /lower case/],
    ['another order', sha1(`inv-11011042Ann@example.com${KEY}`), /another order/],
    ['another digest', hash('sha256', RIGHT + KEY, 'hex'), /SHA256.*SHA-1/],
    ['an HMAC', createHmac('sha1', KEY).update(RIGHT).digest('hex'), /HMAC/],
    ['upper-case digits of a mistake', sha1(RIGHT).toUpperCase(), /key is left out/],
  ])('is found out for %s', (_, came, mistake) => {
    expect(explained(came).instead?.mistake).toMatch(mistake);
  });

  it('is found out for a key that is not valid now', () => {
    expect(explained(sha1(RIGHT + KEY), false).instead?.mistake).toMatch(/not valid now/);
  });

  it('is not found out for anything else, and never holds the key', () => {
    expect(explained('0'.repeat(40)).instead).toBeNull();
    expect(JSON.stringify(explained(sha1(KEY + RIGHT)))).not.toContain(KEY);
  });

  it.each([
    ['the formula', 0],
    ['the other values', 1],
  ])('is not looked for where %s is long', (_, index) => {
    const used = [...expected, ...others].reduce((sum, { value }) => sum + value.length, 0);
    const mistakeWith = (room: number) => {
      const long = { name: 'order_desc', value: `${'a'.repeat(room - 2)}é` };
      const all = index === 0 ? { expected: [long, ...expected], others } : { expected, others: [long, ...others] };
      const came = sha1(all.expected.map(({ value }) => value).join(''));
      return explainControl({ ...all, came, keys: [{ key: new Secret(KEY), isUsable: true }] }).instead?.mistake;
    };
    expect(mistakeWith(2_048 - used)).toMatch(/key is left out/);
    expect(mistakeWith(2_049 - used)).toBeUndefined();
  });

  const DASHED = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';
  it.each([
    ['the key itself', DASHED, '(no digest)'],
    ['the key without its dashes', DASHED.replaceAll('-', ''), '(no digest)'],
    ['the key in other letters, with more behind', `${DASHED.replaceAll('-', '').toLowerCase()}00`, '(no digest)'],
    ['most of a longer key', 'ab'.repeat(16), '(no digest)'],
    ['the string that should have been hashed', RIGHT + DASHED, '(no digest)'],
    ['a digest in Base64', hash('sha1', RIGHT, 'base64'), '(no digest)'],
    ['nothing', '', ''],
    ['a digest', sha1(RIGHT).toUpperCase(), sha1(RIGHT).toUpperCase()],
    ['a longer digest', hash('sha512', RIGHT, 'hex'), hash('sha512', RIGHT, 'hex')],
  ])('tells of what came, for %s, no more than a digest', (_, came, shown) => {
    const keys = [DASHED, 'ab'.repeat(20)].map((key) => ({ key: new Secret(key), isUsable: true }));
    expect(explainControl({ expected, came, others, keys }).came).toBe(shown);
  });
});
