// Callbacks from the merchant's side: told how every transaction ended, signed, until they are taken, and never led
// astray.

import { describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { describeGateway, newOrderId, type ReplyBody, type TestGateway, until } from '../harness.ts';
import type { TestShop, Told } from '../test-shop.ts';
import { rebill, storeCard } from './stored-cards.ts';

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

const NAMES = [
  ...['status', 'merchant_order', 'client_orderid', 'orderid', 'type', 'amount', 'currency', 'descriptor'],
  ...['error_code', 'error_message', 'name', 'card-holder-name', 'email', 'phone', 'approval-code', 'last-four-digits'],
  ...['bin', 'card-type', 'gate-partial-reversal', 'gate-partial-capture', 'reason-code', 'processor-rrn'],
  ...['processor-tx-id', 'comment', 'merchantdata', 'serial-number', 'control'],
];

/** The callbacks of an order, once there are so many. */
async function toldOf(shop: TestShop, order: ReplyBody, count = 1): Promise<Told[]> {
  await until(`${count} callbacks came`, () => shop.of(order).length >= count);
  return shop.of(order);
}

const summary = ({ path, fields }: Told) => `${path} ${fields.type} ${fields.status} ${fields.amount}`;

/** Once the gateway knows that all of an order's callbacks were taken. */
function untilDelivered(gateway: TestGateway, order: ReplyBody): Promise<void> {
  return until('they are delivered', async () => (await stateOf(gateway, order)).every((one) => one === 'delivered'));
}

async function stateOf(gateway: TestGateway, order: ReplyBody): Promise<unknown[]> {
  const rows = await gateway.query(
    `select state from callbacks where order_id = ${order['paynet-order-id']} order by seq`,
  );
  return rows.map(({ state }) => state);
}

function attemptsOf(gateway: TestGateway, order: ReplyBody) {
  return gateway.query(
    `select address, http_status, fault, answer from callback_attempts where order_id = ${order['paynet-order-id']} order by at`,
  );
}

const asking = (gateway: TestGateway) => {
  const { clock, store } = gateway;
  const { ask } = administrationOf(store, { mode: 'sandbox', clock, changed: () => gateway.refresh() }).administration;
  return <V extends VerbName>(verb: V, given: Given) => ask(verb, given, 'test');
};

/** Puts the clock forward until it is so, whenever no callback is under way. */
async function goOnUntil(gateway: TestGateway, what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await isSo()) return true;
    const leased = await gateway.query('select 1 from callbacks where lease_owner is not null');
    if (leased.length === 0) gateway.clock.advance(30 * SECOND);
    return false;
  });
}

const TIMES = { callbackTimeoutMs: 400, acquirerTimeoutMs: 500, leaseMs: 5_000 };

describeGateway('callbacks', TIMES, (gateway) => {
  const { demo } = gateway;

  it('tell how a sale ended, with everything a merchant knows it by', async () => {
    const shop = await gateway.shop();
    const links = { server_callback_url: shop.url('/paid?shop=7'), merchant_data: 'basket 12 & more' };
    const sale = await demo.saleUntilFinal({ amount: '10.42', ...links });
    const [told] = await toldOf(shop, sale);
    expect(told).toMatchObject({
      method: 'GET',
      path: '/paid',
      fields: {
        shop: '7',
        status: 'approved',
        client_orderid: sale['merchant-order-id'],
        merchant_order: sale['merchant-order-id'],
        orderid: sale['paynet-order-id'],
        type: 'sale',
        amount: '10.42',
        currency: 'USD',
        'approval-code': sale['approval-code'],
        'processor-rrn': sale['processor-rrn'],
        'card-holder-name': 'ANN EXAMPLE',
        'last-four-digits': '1111',
        bin: '411111',
        email: 'ann@example.com',
        merchantdata: 'basket 12 & more',
        error_code: '',
      },
      headers: { 'webhook-id': `${sale['paynet-order-id']}-1-server` },
    });
    expect(Object.keys(told?.fields ?? {})).toEqual(['shop', ...NAMES]);
    expect(shop.complaints).toEqual([]);
    await untilDelivered(gateway, sale);
    expect(await attemptsOf(gateway, sale)).toEqual([
      { address: '127.0.0.1', http_status: 200, fault: null, answer: 'OK' },
    ]);
  });

  it('tell of a decline, of a payment that was undone, and of an order that was stopped', async () => {
    const shop = await gateway.shop();
    const links = { server_callback_url: shop.url() };
    const declined = await demo.saleUntilFinal({ cvv2: '116', ...links });
    expect((await toldOf(shop, declined))[0]?.fields).toMatchObject({ status: 'declined', error_code: '116' });

    gateway.bank.faults.set({ messages: ['instruct'], loseRequestRate: 1 });
    const { body: lost } = await demo.sale(links);
    await gateway.untilAllFinal();
    gateway.bank.faults.set({});
    expect((await toldOf(shop, lost))[0]?.fields).toMatchObject({ status: 'error', error_code: '504' });

    const { client, id } = await gateway.newMerchant();
    const own = await gateway.shop(client.key);
    await asking(gateway)('addBlock', { login: client.login, kind: 'bin', value: '411111' });
    const stopped = await client.saleUntilFinal({ server_callback_url: own.url() }, { endpoint: id });
    expect((await toldOf(own, stopped))[0]?.fields).toMatchObject({ status: 'filtered', error_code: '71' });

    const { client: limited, id: limitedId } = await gateway.newMerchant();
    const third = await gateway.shop(limited.key);
    await asking(gateway)('setLimit', { endpointId: limitedId, kind: 'card', window: '1h', count: 1 });
    await limited.saleUntilFinal({}, { endpoint: limitedId });
    const over = await limited.saleUntilFinal({ notify_url: third.url() }, { endpoint: limitedId });
    expect((await toldOf(third, over))[0]?.fields).toMatchObject({ status: 'filtered', error_code: '75' });
    expect([shop, own, third].flatMap((one) => one.complaints)).toEqual([]);
  });

  it('of later transactions go to notify_url, of the first to both', async () => {
    const shop = await gateway.shop();
    const links = { server_callback_url: shop.url('/server'), notify_url: shop.url('/notify') };
    const held = await demo.preauthUntilFinal(links);
    await toldOf(shop, held, 2);
    await demo.followUpUntilFinal('capture', held, { amount: '60.00', currency: 'USD' });
    await toldOf(shop, held, 3);
    await demo.followUpUntilFinal('return', held, { amount: '10.00', currency: 'USD', comment: 'one sock' });
    await toldOf(shop, held, 4);
    const sale = await demo.saleUntilFinal(links);
    await toldOf(shop, sale, 2);
    await demo.followUpUntilFinal('void', sale);
    expect((await toldOf(shop, sale, 3)).map(summary).sort()).toEqual([
      '/notify sale approved 1042',
      '/notify void approved 1042',
      '/server sale approved 1042',
    ]);
    expect(shop.of(held).map(summary).sort()).toEqual([
      '/notify capture approved 60.00',
      '/notify preauth approved 100.00',
      '/notify reversal approved 10.00',
      '/server preauth approved 100.00',
    ]);
    expect(shop.of(held).find(({ fields }) => fields.type === 'reversal')?.fields.comment).toBe('one sock');
    expect(shop.complaints).toEqual([]);
  });

  it('of amounts tried in turn tell once, how the last of them ended', async () => {
    const shop = await gateway.shop();
    const reference = await storeCard(demo);
    const links = { server_callback_url: shop.url('/server'), notify_url: shop.url('/notify') };
    const { body } = await rebill(demo, reference, { amount: '11.16', enumerate_amounts: '5.00', ...links });
    const order = await demo.untilFinal(body['merchant-order-id']);
    expect(order).toMatchObject({ status: 'approved', amount: '5.00' });
    expect((await toldOf(shop, order, 2)).map(summary).sort()).toEqual([
      '/notify sale approved 5.00',
      '/server sale approved 5.00',
    ]);
    await untilDelivered(gateway, order);
    expect(await stateOf(gateway, order)).toEqual(['delivered', 'delivered']);
  });

  it('tell of payouts, card checks and payouts nobody confirmed', async () => {
    const shop = await gateway.shop();
    const links = { server_callback_url: shop.url() };
    const paying = {
      client_orderid: newOrderId(),
      amount: '1.00',
      currency: 'USD',
      credit_card_number: '4111111111111111',
    };
    await demo.saleUntilFinal();
    const { body: payout } = await demo.oauth('/api/v4/payout', { ...paying, ...links });
    expect((await toldOf(shop, payout))[0]?.fields).toMatchObject({
      type: 'payout',
      status: 'approved',
      bin: '411111',
    });
    const asked = { client_orderid: newOrderId(), 'receiving-card-number': '4111111111111111', ...links };
    const { body: question } = await demo.oauth('/api/v2/pan-eligibility/receive', asked);
    expect((await toldOf(shop, question))[0]?.fields).toMatchObject({ type: 'pan-eligibility', status: 'approved' });
    const { body: check } = await demo.oauth('/api/v4/payout-check', {
      ...paying,
      client_orderid: newOrderId(),
      ...links,
    });
    gateway.clock.advance(DAY);
    expect((await toldOf(shop, check))[0]?.fields).toMatchObject({ status: 'error', error_code: '46' });
    expect(shop.complaints).toEqual([]);
  });

  it('are repeated until the answer is 200, whatever else comes, and stop then', async () => {
    const shop = await gateway.shop();
    const elsewhere = await gateway.shop();
    shop.next.push(500, 404, 'close', 'hang', { redirectTo: elsewhere.url('/elsewhere') }, 204);
    const sale = await demo.saleUntilFinal({ server_callback_url: shop.url() });
    await goOnUntil(gateway, 'it is delivered', async () => (await stateOf(gateway, sale))[0] === 'delivered');
    const told = shop.of(sale);
    expect(told.length).toBe(7);
    expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(shop.complaints).toEqual([]);
    expect(elsewhere.told).toEqual([]);
    const heard = (await attemptsOf(gateway, sale)).map(({ http_status, fault }) => http_status ?? fault);
    expect(heard).toEqual([500, 404, expect.stringMatching(/broke/), expect.stringMatching(/in time/), 302, 204, 200]);
    gateway.clock.advance(DAY);
    const later = await demo.saleUntilFinal({ server_callback_url: shop.url() });
    await toldOf(shop, later);
    expect(shop.of(sale)).toHaveLength(7);
  });

  it('are given up after 30 tries, within 14 days, and go out again when an operator says so', async () => {
    const shop = await gateway.shop();
    shop.behaviour = 500;
    const sale = await demo.saleUntilFinal({ server_callback_url: shop.url() });
    const orderId = sale['paynet-order-id'];
    const callbackId = `${orderId}-1-server`;
    const began = gateway.clock.now();
    await until('it is given up', async () => {
      const [row] = await gateway.query(`select state, due_at, lease_owner from callbacks where order_id = ${orderId}`);
      if (row?.state === 'failed') return true;
      const pauseMs = Number(row?.due_at) - gateway.clock.now();
      // Nobody is at it: to when it is due, or past the pause of a destination that is left alone.
      if (row?.lease_owner === null) gateway.clock.advance(Math.max(pauseMs, 30 * SECOND));
      return false;
    });
    const tries = shop.of(sale).length;
    expect([tries, gateway.clock.now() - began < 14 * DAY]).toEqual([30, true]);
    const ask = asking(gateway);
    expect(await ask('listCallbacks', { state: 'failed' })).toMatchObject({
      found: [{ callbackId, state: 'failed', attempts: 30 }],
    });

    shop.behaviour = 200;
    expect(await ask('replayCallback', { callbackId })).toMatchObject({ callbackId, state: 'waiting' });
    await goOnUntil(gateway, 'it is delivered', async () => (await stateOf(gateway, sale))[0] === 'delivered');
    // A callback that was taken can be repeated too.
    await ask('replayCallback', { callbackId });
    await toldOf(shop, sale, 32);
    await untilDelivered(gateway, sale);
    const shown = await ask('showCallback', { callbackId });
    expect(shown).toMatchObject({ state: 'delivered', attempts: 32, destination: `127.0.0.1:${shop.port}` });
    expect(shown.log).toHaveLength(32);
    expect(shown.log[0]).toMatchObject({ status: 200, answer: 'OK', fault: null });
    expect(shop.complaints).toEqual([]);
  });

  it('all that were given up go out again with one command', async () => {
    const { client, id } = await gateway.newMerchant();
    const shop = await gateway.shop(client.key);
    const sales = await Promise.all(
      Array.from({ length: 3 }, () => client.saleUntilFinal({ notify_url: shop.url() }, { endpoint: id })),
    );
    for (const sale of sales) await toldOf(shop, sale);
    for (const sale of sales) await untilDelivered(gateway, sale);
    await gateway.query(`update callbacks set state = 'failed' where merchant_id = ${id}`);
    expect(await asking(gateway)('replayFailedCallbacks', { login: client.login })).toEqual({ replayed: 3 });
    for (const sale of sales) await toldOf(shop, sale, 2);
  });

  it('survive a stop: what was not taken is tried by the next process', async () => {
    const shop = await gateway.shop();
    shop.behaviour = 'hang';
    const sale = await demo.saleUntilFinal({ server_callback_url: shop.url() });
    await toldOf(shop, sale);
    await gateway.restart();
    shop.behaviour = 200;
    await goOnUntil(gateway, 'it is delivered', async () => (await stateOf(gateway, sale))[0] === 'delivered');
  });

  it('cost orders without them nothing: no row is written', async () => {
    const sale = await demo.saleUntilFinal();
    expect(await stateOf(gateway, sale)).toEqual([]);
    const [row] = await gateway.query(`select callbacks from orders where order_id = ${sale['paynet-order-id']}`);
    expect(row).toEqual({ callbacks: null });
  });

  it('keep no card number an answer carries', async () => {
    const shop = await gateway.shop();
    shop.behaviour = { status: 200, body: 'Thank you, 4111 1111 1111 1111' };
    const sale = await demo.saleUntilFinal({ server_callback_url: shop.url() });
    await untilDelivered(gateway, sale);
    expect(JSON.stringify(await attemptsOf(gateway, sale))).not.toMatch(/1111 1111|11111111/);
  });

  it('are counted for whoever watches', async () => {
    const shop = await gateway.shop();
    shop.next.push(500);
    const sale = await demo.saleUntilFinal({ server_callback_url: shop.url() });
    await goOnUntil(gateway, 'it is delivered', async () => (await stateOf(gateway, sale))[0] === 'delivered');
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    expect(metrics).toMatch(/tender_callback_attempts_total\{outcome="delivered"\} [1-9]/);
    expect(metrics).toMatch(/tender_callback_attempts_total\{outcome="failed"\} [1-9]/);
    expect(metrics).toMatch(/tender_callbacks_due \d+\n/);
    expect(metrics).toMatch(/tender_callbacks_oldest_due_seconds [\d.]+\n/);
  });

  describe('are signed', () => {
    it('with the newest key, and with every valid one in webhook-signature', async () => {
      const { client, id } = await gateway.newMerchant();
      await gateway.addControlKey(id, 'second', 'a-newer-key', { from: gateway.clock.now() - SECOND });
      const [older, newer] = [await gateway.shop(client.key), await gateway.shop('a-newer-key')];
      const links = { server_callback_url: newer.url(), notify_url: older.url() };
      const sale = await client.saleUntilFinal(links, { endpoint: id });
      await toldOf(newer, sale);
      expect(newer.complaints).toEqual([]);
      // Who still has the older key can check webhook-signature.
      await toldOf(older, sale);
      expect(older.complaints).toEqual([expect.stringMatching(/^control /)]);
    });

    it('for a merchant that was disabled too, and not at all without a valid key until there is one', async () => {
      const { client, id } = await gateway.newMerchant();
      const shop = await gateway.shop(client.key);
      shop.next.push(500);
      const sale = await client.saleUntilFinal({ server_callback_url: shop.url() }, { endpoint: id });
      await toldOf(shop, sale);
      await gateway.changeMerchant(id, { enabled: false });
      await gateway.administer(
        `update merchant_keys set valid_until = now() where merchant_id = ${id} and kind = 'control'`,
      );
      await gateway.refresh();
      const isRefused = async () =>
        (await attemptsOf(gateway, sale)).some(({ fault }) => /control key/.test(`${fault}`));
      await goOnUntil(gateway, 'a try failed without a key', isRefused);
      expect(shop.of(sale)).toHaveLength(1);
      await gateway.administer(
        `update merchant_keys set valid_until = null where merchant_id = ${id} and kind = 'control'`,
      );
      await gateway.refresh();
      await goOnUntil(gateway, 'it is delivered', async () => (await stateOf(gateway, sale))[0] === 'delivered');
      expect(shop.complaints).toEqual([]);
    });
  });
});

const LEADING_INSIDE = { 'rebound.example': ['127.0.0.1'], 'shop.example': ['10.0.0.1', '::ffff:127.0.0.1'] };

describeGateway('callbacks that lead inside', { ...TIMES, names: LEADING_INSIDE }, (gateway) => {
  const OUTSIDE = 'https://shop.example/paid';

  it.each([
    ['http://127.0.0.1/', 'local or private'],
    ['http://localhost/', 'local or private'],
    ['http://[::1]/', 'local or private'],
    ['http://0x7f.1/', 'local or private'],
    ['http://169.254.169.254/latest/meta-data', 'local or private'],
    ['https://10.0.0.1/', 'local or private'],
    ['http://[::ffff:192.168.1.1]/', 'local or private'],
    ['https://shop.example:22/', 'port must be 443 or 8443'],
    ['http://shop.example:443/', 'port must be 80 or 8080'],
  ])('are refused with the request: %s', async (url, message) => {
    const { client, id } = await gateway.newMerchant({ sandbox: false });
    const { status, body } = await client.sale({ server_callback_url: url, notify_url: url }, { endpoint: id });
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'validation-error', 'error-code': '60' });
    expect(body.errors).toMatchObject([
      { field: 'server_callback_url', code: '60', message: expect.stringContaining(message) },
      { field: 'notify_url', code: '60', message: expect.stringContaining(message) },
    ]);
    expect(await gateway.query(`select 1 from orders where merchant_id = ${id}`)).toEqual([]);
  });

  it('are refused in a sandbox too, apart from loopback, which it may call at any port', async () => {
    const { status } = await gateway.demo.sale({ server_callback_url: 'http://192.168.1.1/' });
    expect(status).toBe(400);
    expect((await gateway.demo.sale({ server_callback_url: 'http://localhost:9/' })).status).toBe(200);
    const { client, id } = await gateway.newMerchant({ sandbox: false });
    expect((await client.sale({ server_callback_url: OUTSIDE }, { endpoint: id })).status).toBe(200);
  });

  it.each([OUTSIDE, 'http://rebound.example:8080/'])('are not called when their name turns out to: %s', async (url) => {
    const { client, id } = await gateway.newMerchant({ sandbox: false });
    const sale = await client.saleUntilFinal({ server_callback_url: url }, { endpoint: id });
    await until('it was tried', async () => (await attemptsOf(gateway, sale)).length > 0);
    expect(await attemptsOf(gateway, sale)).toEqual([
      { address: null, http_status: null, fault: 'it leads to a local or private address', answer: null },
    ]);
  });
});
