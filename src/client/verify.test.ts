// Signatures are made here as the documentation says, not with the code under test.

import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyCallback, verifyRedirect } from './verify.ts';

const KEY = '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638';
const NOW = 1_800_000_000_000;

const control = (key = KEY) => createHash('sha1').update(`approved7inv-1${key}`).digest('hex');
const params = { status: 'approved', orderid: '7', client_orderid: 'inv-1', amount: '10.42', control: control() };
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
    expect(verifyCallback(params, KEY)).toEqual({ ok: true, params });
    expect(verifyCallback(new URLSearchParams(query), ['another', KEY]).ok).toBe(true);
    expect(verifyRedirect(query, KEY)).toEqual({ ok: true, params });
    expect(verifyRedirect({ ...params, control: control().toUpperCase() }, KEY).ok).toBe(true);
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
      expect(verify(told, keys)).toMatchObject({ ok: false, whyNot: expect.stringMatching(whyNot) });
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
});
