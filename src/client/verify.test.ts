// Signatures are made here as the documentation says, not with the code under test.

import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ExpectedOrder, type VerifyOptions, verifyCallback, verifyRedirect } from './verify.ts';

const KEY = '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638';
const NOW = 1_800_000_000_000;

const control = (key = KEY) => createHash('sha1').update(`approved7inv-1${key}`).digest('hex');
const order = { orderid: '7', client_orderid: 'inv-1', amount: '10.42', currency: 'USD' };
const params = { status: 'approved', ...order, control: control() };
/** Nothing but the control is checked. */
const UNCHECKED = { headers: 'not checked', expected: 'not checked' } as const;
const query = new URLSearchParams(params).toString();

function headers(changes: Record<string, string> = {}, signed = query) {
  const id = 'c-1';
  const seconds = String(NOW / 1000);
  const signature = createHmac('sha256', KEY).update(`${id}.${seconds}.${signed}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}`, ...changes };
}

describe('a callback is believed', () => {
  it.each([
    ['as a whole URL', `https://shop.example/paid?${query}`],
    ['as path and query', `/paid?${query}`],
    ['as a query', query],
    ['as a URL object', new URL(`https://shop.example/paid?${query}`)],
  ])('%s, with its headers', (_, told) => {
    expect(verifyCallback(told, KEY, { headers: headers(), now: () => NOW })).toEqual({ ok: true, params });
    expect(verifyCallback(told, KEY, { headers: new Headers(headers()), now: () => NOW }).ok).toBe(true);
  });

  it('as parameters, by its control alone, and under any of several keys', () => {
    expect(verifyCallback(params, KEY, UNCHECKED)).toEqual({ ok: true, params });
    expect(verifyCallback(new URLSearchParams(query), ['another', KEY], UNCHECKED).ok).toBe(true);
    expect(verifyRedirect(query, KEY, UNCHECKED)).toEqual({ ok: true, params });
    expect(verifyRedirect({ ...params, control: control().toUpperCase() }, KEY, UNCHECKED).ok).toBe(true);
  });

  it.each<[string, ExpectedOrder]>([
    ['by its id', { orderid: '7' }],
    ['by all that is known of it', { orderid: '7', client_orderid: 'inv-1', amount: '10.42', currency: 'USD' }],
    ['whose amount is written with more zeros', { orderid: '7', amount: '10.4200' }],
  ])('of the expected order, %s', (_, expected) => {
    expect(verifyCallback(query, KEY, { headers: headers(), now: () => NOW, expected }).ok).toBe(true);
    expect(verifyRedirect(query, KEY, { expected }).ok).toBe(true);
  });
});

describe('a callback is not believed', () => {
  it.each<[string, Record<string, string>, string | string[], RegExp]>([
    ['with another status', { ...params, status: 'declined' }, KEY, /control does not fit/],
    ['for another order', { ...params, client_orderid: 'inv-2' }, KEY, /control does not fit/],
    ['under another key', params, 'another', /control does not fit/],
    ['without a control', { ...params, control: '' }, KEY, /control is missing/],
    ['with a control that is none', { ...params, control: 'x'.repeat(40) }, KEY, /forty hexadecimal/],
    ['without a key', { ...params, control: control('') }, '', /no control key/],
    ['without any key', params, [], /no control key/],
  ])('%s', (_, told, keys, whyNot) => {
    for (const verify of [verifyCallback, verifyRedirect]) {
      expect(verify(told, keys, UNCHECKED)).toMatchObject({ ok: false, whyNot: expect.stringMatching(whyNot) });
    }
  });

  it.each<[string, string, Record<string, string>, number, RegExp]>([
    ['whose amount was changed', query.replace('10.42', '0.42'), headers(), NOW, /webhook-signature/],
    ['that is old', query, headers(), NOW + 300_001, /webhook-timestamp/],
    ['of the future', query, headers(), NOW - 300_001, /webhook-timestamp/],
    ['whose time is none', query, headers({ 'webhook-timestamp': 'soon' }), NOW, /webhook-timestamp/],
    ['without a signature', query, headers({ 'webhook-signature': '' }), NOW, /header is missing/],
    ['with an empty signature', query, headers({ 'webhook-signature': 'v1,' }), NOW, /webhook-signature/],
  ])('%s, by its headers', (_, told, sent, now, whyNot) => {
    const verdict = verifyCallback(told, KEY, { headers: sent, now: () => now });
    expect(verdict).toMatchObject({ ok: false, whyNot: expect.stringMatching(whyNot) });
  });

  it('by headers without the query they cover', () => {
    expect(verifyCallback(params, KEY, { headers: headers() })).toMatchObject({
      ok: false,
      whyNot: expect.stringContaining('give the URL'),
    });
  });

  it.each<[string, VerifyOptions | undefined]>([
    ['no options', undefined],
    ['options without them', {} as VerifyOptions],
    ['undefined', { headers: undefined } as unknown as VerifyOptions],
    ['null', { headers: null } as unknown as VerifyOptions],
  ])('when its headers were forgotten: %s', (_, options) => {
    const verdict = verifyCallback(query, KEY, options as VerifyOptions);
    expect(verdict).toMatchObject({ ok: false, whyNot: expect.stringContaining('headers were not given') });
  });

  it.each<[string, unknown, RegExp]>([
    ['undefined', undefined, /expected was not given/],
    ['an order without id', { amount: '10.42' }, /expected\.orderid is not a text/],
    ['an id that was not stored', { orderid: undefined }, /expected\.orderid is not a text/],
    ['an id that is a number', { orderid: 7 }, /expected\.orderid is not a text/],
    ['an amount that is undefined', { orderid: '7', amount: undefined }, /expected\.amount is not a text/],
  ])('when what is expected is no order: %s', (_, expected, whyNot) => {
    const verdict = verifyRedirect(query, KEY, { expected } as Parameters<typeof verifyRedirect>[2]);
    expect(verdict).toMatchObject({ ok: false, whyNot: expect.stringMatching(whyNot) });
  });

  it.each<[string, ExpectedOrder, string]>([
    ['another id', { ...order, orderid: '8' }, 'orderid differs from the expected order'],
    ['another id of yours', { ...order, client_orderid: 'inv-2' }, 'client_orderid differs from the expected order'],
    ['another price', { ...order, amount: '24.90' }, 'amount differs from the expected order'],
    [
      'another price in money',
      { ...order, amount: '0.01', currency: 'EUR' },
      'amount, currency differ from the expected order',
    ],
    ['a price that is a prefix', { ...order, amount: '10.4' }, 'amount differs from the expected order'],
    ['a price a hundred times as high', { ...order, amount: '1042' }, 'amount differs from the expected order'],
  ])('of an order that is not the expected one: %s', (_, expected, whyNot) => {
    expect(verifyCallback(query, KEY, { headers: headers(), now: () => NOW, expected })).toMatchObject({ whyNot });
    expect(verifyCallback(query, KEY, { headers: 'not checked', expected })).toMatchObject({ ok: false, whyNot });
    expect(verifyRedirect(query, KEY, { expected })).toMatchObject({ ok: false, whyNot });
  });

  // The control joins its values without anything between them, so one of order 5001 fits order 500 as well.
  it('when the digits of one id were moved to the other', () => {
    const genuine = createHash('sha1').update(`approved500110${KEY}`).digest('hex');
    const forged = { status: 'approved', orderid: '500', client_orderid: '110', amount: '999.00', control: genuine };
    const told = new URLSearchParams(forged).toString();
    const sent = headers({}, new URLSearchParams({ ...forged, orderid: '5001', client_orderid: '10' }).toString());
    expect(verifyCallback(told, KEY, { headers: sent, now: () => NOW })).toMatchObject({ ok: false });
    const expected = { orderid: '777', client_orderid: '110', amount: '999.00' };
    expect(verifyRedirect(told, KEY, { expected })).toMatchObject({
      ok: false,
      whyNot: expect.stringMatching(/^orderid differs/),
    });
  });
});
