// The shop against a whole gateway, which each run of the suite starts by itself: `npx vitest run`.

import { createHash, createHmac } from 'node:crypto';
import { startTender } from 'tender/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { subscribe } from './magazine.mjs';
import { startShop } from './shop.mjs';

let tender;
let shop;

beforeAll(async () => {
  tender = await startTender();
  shop = await startShop(tender, { port: 0, now: tender.clock.now });
});

afterAll(async () => {
  await shop?.close();
  await tender?.close();
});

/** What a payer does: buys, enters a card on the hosted form, and is sent back to the shop. */
async function buy(card) {
  const sent = await fetch(`${shop.url}/buy`, { method: 'POST', redirect: 'manual' });
  const { state, redirect } = await tender.payForm(sent.headers.get('location'), card);
  const page = redirect && (await fetch(redirect.url, { method: 'POST', body: new URLSearchParams(redirect.fields) }));
  return { state, said: await page?.text(), id: redirect?.fields.client_orderid };
}

const statusOf = (id) => shop.orders.get(id)?.status;

it('sells socks', async () => {
  const { state, said, id } = await buy();
  expect(state).toBe('approved');
  expect(said).toContain('Thank you');
  await expect.poll(() => statusOf(id)).toBe('paid');
});

it('sells nothing when the card is declined', async () => {
  const before = new Set(shop.orders.keys());
  const { state } = await buy({ cvv2: '116' });
  expect(state).toBe('card'); // The payer may try another card.
  const [id] = [...shop.orders.keys()].filter((one) => !before.has(one));
  expect(statusOf(id)).toBe('open');
  await tender.clock.advance('1h'); // The payer does not, and the form ends.
  await expect.poll(() => statusOf(id)).toBe('declined');
});

it('believes nobody who has no key', async () => {
  const { id } = await buy();
  await expect.poll(() => statusOf(id)).toBe('paid');
  const forged = `status=declined&orderid=1&client_orderid=${id}&control=${'0'.repeat(40)}`;
  expect((await fetch(`${shop.url}/callback?${forged}`)).status).toBe(400);
  expect(statusOf(id)).toBe('paid');
});

it('takes no return for a payment, though it is of the same amount', async () => {
  const { id } = await buy();
  await expect.poll(() => statusOf(id)).toBe('paid');
  // As the gateway tells of a return where an order has a notify_url.
  const told = { status: 'approved', orderid: '1', client_orderid: id };
  const control = createHash('sha1')
    .update(`${Object.values(told).join('')}${tender.controlKey}`)
    .digest('hex');
  const sum = { amount: '24.90', currency: 'USD' };
  const query = `${new URLSearchParams({ ...told, type: 'reversal', ...sum, 'serial-number': '2', control })}`;
  const seconds = `${Math.floor(tender.clock.now() / 1000)}`;
  const signature = createHmac('sha256', tender.controlKey).update(`r1.${seconds}.${query}`).digest('base64');
  const headers = { 'webhook-id': 'r1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
  expect((await fetch(`${shop.url}/callback?${query}`, { headers })).status).toBe(200);
  expect(shop.orders.get(id)).toMatchObject({ status: 'paid', followUps: ['reversal approved'] });
  expect(shop.orders.get(id).payments.size).toBe(1);
});

it('says nothing of the money to a browser that brings no proof', async () => {
  const send = (fields) => fetch(`${shop.url}/back`, { method: 'POST', body: new URLSearchParams(fields) });
  for (const status of ['approved', 'declined']) {
    const page = await send({ status, orderid: '1', client_orderid: 'x', control: '0'.repeat(40) });
    expect(await page.text()).toContain('being checked');
  }
});

it('charges once when the answer of the bank is lost', async () => {
  await tender.bank.loseAnswer();
  const { state, id } = await buy();
  expect(state).toBe('approved');
  await expect.poll(() => statusOf(id)).toBe('paid');
  expect(shop.orders.get(id).payments.size).toBe(1);
});

it('sends a magazine every month of a year', async () => {
  const card = { credit_card_number: '4444555566661111', expire_month: '12', expire_year: '2039' };
  const id = await subscribe(shop, { ...card, card_printed_name: 'ANN EXAMPLE' });
  await tender.clock.advance('1y');
  await expect.poll(() => shop.orders.get(id).payments?.size).toBe(12);
});
