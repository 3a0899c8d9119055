// `tender/testing`, as a merchant's test suite uses it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { TenderClient } from '../../src/client/index.ts';
import { startTender, type TestTender } from '../../src/testing/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than the first look at an order takes, also on a busy machine. */
const BANK_TIMEOUT_MS = 5_000;

const sale = (client_orderid: string) => ({
  ...{ client_orderid, order_desc: 'Socks', amount: '10.42', currency: 'USD', email: 'ann@example.com' },
  ...{ credit_card_number: '4444555566661111', expire_month: '12', expire_year: '2039', cvv2: '123' },
  card_printed_name: 'ANN EXAMPLE',
});

let tender: TestTender;
let isClosed = false;

beforeAll(async () => {
  tender = await startTender({ bankTimeoutMs: BANK_TIMEOUT_MS });
});

afterAll(async () => {
  if (!isClosed) await tender?.close();
});

it('takes callbacks, and tells whether they are genuine', async () => {
  await tender.client.sale({ ...sale('told-1'), server_callback_url: tender.callbackUrl });
  const [told] = await tender.callbacks({ client_orderid: 'told-1' });
  expect(told).toMatchObject({ params: { status: 'approved', amount: '10.42' }, verdict: { ok: true } });
  await expect(tender.callbacks({ client_orderid: 'told-1', count: 2, withinMs: 1 })).rejects.toThrow(
    '1 of 2 callbacks came',
  );
});

it('loses the answer of the bank, which the gateway asks for once it has waited long enough', async () => {
  await tender.bank.loseAnswer();
  await tender.client.sale(sale('lost-1'));
  const order = { client_orderid: 'lost-1' };
  await expect(tender.client.waitForEnd(order, { limitMs: 1_000 })).rejects.toMatchObject({ code: 'not-ended' });
  await tender.clock.advance('1h');
  expect(await tender.client.waitForEnd(order)).toMatchObject({ status: 'approved' });
});

it('shows what the bank booked, so that a lost answer of the gateway is seen to be charged once', async () => {
  let lost = 0;
  const client = new TenderClient({
    ...{ baseUrl: tender.baseUrl, endpoint: 101, login: tender.login, controlKey: tender.controlKey },
    now: tender.clock.now,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (lost++ === 0) throw new TypeError('the connection broke');
      return response;
    },
  });
  await client.sale(sale('once-1'));
  await tender.client.waitForEnd({ client_orderid: 'once-1' });
  expect(lost).toBeGreaterThan(1);
  const booked = await tender.bank.bookings({ client_orderid: 'once-1' });
  expect(booked).toMatchObject([{ kind: 'sale', outcome: 'approved', minor: 1042n, currency: 'USD' }]);
  expect((await tender.bank.bookings()).length).toBeGreaterThan(1);
  expect(await tender.bank.bookings({ client_orderid: 'nobodys' })).toEqual([]);
});

it('moves its clock forward by spans, and signs by that clock', async () => {
  const before = tender.clock.now();
  await tender.clock.advance('30d');
  expect(tender.clock.now() - before).toBeGreaterThanOrEqual(30 * DAY_MS);
  await tender.client.saleV4(sale('later-1'));
  expect(await tender.client.waitForEnd({ client_orderid: 'later-1' })).toMatchObject({ status: 'approved' });
  for (const span of ['', 'soon', '0d', '-1d']) await expect(tender.clock.advance(span)).rejects.toThrow(RangeError);
});

it('serves nobody after its end', async () => {
  await tender.close();
  isClosed = true;
  await expect(fetch(tender.baseUrl)).rejects.toThrow();
});
