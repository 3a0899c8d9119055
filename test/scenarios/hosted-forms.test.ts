// Hosted forms as a merchant asks for them, and as a browser without scripts fills them in: each kind, how it ends, and
// that nothing a payer's browser does charges twice.

import { afterAll, describe, expect, it, vi } from 'vitest';
import { administrationOf } from '../../src/compose/index.ts';
import { CARD, describeGateway, type Fields, newOrderId, sha1, until } from '../harness.ts';
import { TestShop } from '../test-shop.ts';
import { formRequest, hiddenFields, opened, openForm, Payer } from './form-payer.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OTHER_CARD = '5555555555554444';

const DECLINED = { cvv2: '116' };
const LOST_REQUEST = { messages: ['instruct' as const], loseRequestRate: 1 };

describeGateway('hosted forms', { acquirerTimeoutMs: 500, leaseMs: 1_500 }, (gateway) => {
  const { demo } = gateway;

  const untilCard = (payer: Payer) => until('another card is asked for', async () => (await payer.state()) === 'card');
  const statusOf = async (clientOrderId: string) => (await demo.status({ client_orderid: clientOrderId })).body;

  afterAll(async () => {
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  /**
   * Whatever is decided at the beginning of a transaction finds the clock put forward; nobody who sleeps is woken by
   * it.
   */
  function putForwardInTransactions(ms: number): () => void {
    const { clock, database } = gateway;
    const transaction = database.transaction.bind(database);
    const spy = vi.spyOn(database, 'transaction').mockImplementation((work) =>
      transaction((session) => {
        const now = vi.spyOn(clock, 'now').mockReturnValue(clock.now() + ms);
        const done = work(session);
        now.mockRestore();
        return done;
      }),
    );
    return () => spy.mockRestore();
  }

  /** What verification finds wrong with everything that is stored. */
  async function violations(): Promise<unknown[]> {
    const { clock, store } = gateway;
    const { ask } = administrationOf(store, {
      mode: 'sandbox',
      clock,
      changed: () => gateway.refresh(),
    }).administration;
    const found: unknown[] = [];
    let from: string | null = 'orders:0:0';
    while (from !== null) {
      const part: Awaited<ReturnType<typeof ask<'verifyPart'>>> = await ask('verifyPart', { from }, 'a test');
      found.push(...part.findings);
      from = part.next;
    }
    return found;
  }

  describe('a sale form', () => {
    it('answers with the page on which the payer pays', async () => {
      const { reply, address, clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form');
      expect(reply.body).toMatchObject({ type: 'async-form-response', status: 'processing', 'end-point-id': '101' });
      expect(address).toMatch(/^http:\/\/localhost:\d+\/paynet\/pay\/[\w-]+$/);
      const page = await payer.open();
      expect(page.status).toBe(200);
      for (const text of ['$10.42', 'Demo merchant', 'A pair of socks']) expect(page.text).toContain(text);
      expect(await statusOf(clientOrderId)).toMatchObject({ status: 'processing', 'order-stage': 'sale_processing' });
      const sent = await payer.pay();
      expect(sent.status).toBe(303);
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({
        status: 'approved',
        'last-four-digits': CARD.slice(-4),
        'transaction-type': 'sale',
        'cardholder-name': 'ANN EXAMPLE',
        amount: '10.42',
      });
      const result = await payer.open();
      expect(result.text).toContain('Payment received');
      expect(await gateway.bookedFor(orderId)).toMatchObject([
        { reference: await gateway.bankReference(orderId), outcome: 'approved' },
      ]);
    });

    it('gives the same page for the same request, and refuses another with its id', async () => {
      const first = await openForm(gateway, 'sale-form');
      const again = await formRequest(gateway, 'sale-form', { client_orderid: first.clientOrderId });
      expect(again.body['redirect-url']).toBe(first.address);
      const other = await formRequest(gateway, 'sale-form', { client_orderid: first.clientOrderId, amount: '10.43' });
      expect(other.body['error-code']).toBe('31');
    });

    it('is signed', async () => {
      for (const control of ['0'.repeat(40), undefined]) {
        const refused = await formRequest(gateway, 'sale-form', { control });
        expect([refused.status, refused.body['error-code']]).toEqual([400, '20']);
      }
    });

    it('lets a payer try another card, under a reference of its own', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form');
      await payer.pay(DECLINED);
      await untilCard(payer);
      // While another card may come, the order is not over.
      expect(await statusOf(clientOrderId)).toMatchObject({ status: 'processing' });
      const page = await payer.open();
      expect(page.text).toContain('There is not enough money in the account.');
      expect(page.text).toContain('You can try 2 more cards.');
      await payer.pay({ credit_card_number: OTHER_CARD });
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({
        status: 'approved',
        'last-four-digits': '4444',
        'card-type': 'MASTERCARD',
      });
      const booked = await gateway.bookedFor(orderId);
      expect(booked.map(({ reference, outcome }) => [reference, outcome])).toEqual([
        [await gateway.bankReference(orderId, 1), 'declined'],
        [await gateway.bankReference(orderId, 2), 'approved'],
      ]);
      // The money that is returned is that of the second card.
      const order = { 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId };
      expect(await demo.followUpUntilFinal('return', order)).toMatchObject({ status: 'approved' });
    });

    it('is locked after three failed cards', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form');
      for (const _ of [1, 2]) {
        await payer.pay(DECLINED);
        await untilCard(payer);
      }
      expect((await payer.open()).text).toContain('You can try one more card.');
      const last = hiddenFields((await payer.open()).text);
      await payer.send(last, DECLINED);
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'declined', 'error-code': '116' });
      const locked = await payer.open();
      expect([locked.status, locked.text.includes('Too many declined cards')]).toEqual([403, true]);
      expect((await payer.send(last)).status).toBe(303);
      expect((await payer.send({ ...last, try: '4' })).status).toBe(303);
      expect(await gateway.bookedFor(orderId)).toHaveLength(3);
    });

    it('is abandoned after half an hour, and then tells so', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form');
      const stale = hiddenFields((await payer.open()).text);
      gateway.clock.advance(30 * MINUTE_MS);
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'error', 'error-code': '47' });
      const page = await payer.open();
      expect([page.status, page.text.includes('This link has expired')]).toEqual([410, true]);
      expect((await payer.send(stale)).status).toBe(303);
      expect(await gateway.bookedFor(orderId)).toEqual([]);
    });

    it('sends nobody back before it has ended, though its half hour is over', async () => {
      const links = { redirect_url: 'https://shop.example/', redirect_success_url: 'https://shop.example/thanks' };
      const { clientOrderId, payer } = await openForm(gateway, 'sale-form', links);
      const later = gateway.clock.now() + 30 * MINUTE_MS;
      const now = vi.spyOn(gateway.clock, 'now').mockReturnValue(later);
      const early = await payer.open();
      now.mockRestore();
      expect([early.status, early.text.includes('data-return')]).toEqual([410, false]);
      expect(early.text).toContain('data-state="late"');
      gateway.clock.advance(30 * MINUTE_MS);
      await demo.untilFinal(clientOrderId);
      const ended = await payer.open();
      expect(ended.text).toContain('<form method="post" action="https://shop.example/"');
      expect(hiddenFields(ended.text)).toMatchObject({ status: 'error', error_code: '47' });
    });

    it('takes a card that came in time, though its half hour ends while the card is written', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form');
      gateway.clock.advance(29 * MINUTE_MS);
      const hidden = hiddenFields((await payer.open()).text);
      const clockBack = putForwardInTransactions(MINUTE_MS);
      const sent = await payer.send(hidden).finally(clockBack);
      expect(sent.status).toBe(303);
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
      expect(await gateway.bookedFor(orderId)).toMatchObject([
        { reference: await gateway.bankReference(orderId), outcome: 'approved' },
      ]);
    });

    it('shows how it ended for a day after the link', async () => {
      const { clientOrderId, payer } = await openForm(gateway, 'sale-form');
      await payer.pay();
      await demo.untilFinal(clientOrderId);
      gateway.clock.advance(HOUR_MS);
      expect((await payer.open()).text).toContain('Payment received');
      gateway.clock.advance(24 * HOUR_MS);
      expect((await payer.open()).status).toBe(410);
    });

    it('keeps the security code for a quarter of an hour after it was entered, however old the form is', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form');
      gateway.clock.advance(29 * MINUTE_MS);
      gateway.bank.faults.set(LOST_REQUEST);
      await payer.pay();
      await until('the outcome is unknown', async () => (await statusOf(clientOrderId)).status === 'unknown');
      gateway.clock.advance(MINUTE_MS);
      const codes = `select sealed_cvv is not null as kept from transactions where order_id = ${orderId}`;
      expect(await gateway.query(codes)).toEqual([{ kept: true }]);
      gateway.bank.faults.set({});
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
      expect(await gateway.query(codes)).toEqual([{ kept: false }]);
    });
  });

  describe('nothing a browser does charges twice:', () => {
    it('one click many times at once', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form');
      const hidden = hiddenFields((await payer.open()).text);
      const replies = await Promise.all(Array.from({ length: 12 }, () => payer.send(hidden)));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 303));
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
      expect(await gateway.bookedFor(orderId)).toHaveLength(1);
    });

    it('two tabs with two cards, and the back button', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form');
      const hidden = hiddenFields((await payer.open()).text);
      await Promise.all([payer.send(hidden), payer.send(hidden, { credit_card_number: OTHER_CARD })]);
      await demo.untilFinal(clientOrderId);
      expect((await payer.send(hidden)).status).toBe(303);
      expect(await gateway.bookedFor(orderId)).toHaveLength(1);
    });

    it('a tab that still shows the first try', async () => {
      const { orderId, payer } = await openForm(gateway, 'sale-form');
      const stale = hiddenFields((await payer.open()).text);
      await payer.send(stale, DECLINED);
      await untilCard(payer);
      expect((await payer.send(stale)).status).toBe(303);
      const other = await payer.send(stale, { credit_card_number: OTHER_CARD });
      expect(other.status).toBe(409);
      expect(other.text).toContain('The card you have just entered was not used.');
      expect(other.text).toContain('The one before, ending in 1111, was declined.');
      expect(await payer.state()).toBe('card');
      expect(await gateway.bookedFor(orderId)).toHaveLength(1);
    });

    // The embedded database has one node.
    if (gateway.kind !== 'pglite') {
      it('two nodes at once', async () => {
        const { clientOrderId, orderId, address, payer } = await openForm(gateway, 'sale-form');
        const { origin } = await gateway.secondGateway();
        const elsewhere = new Payer(origin, address);
        const hidden = hiddenFields((await elsewhere.open()).text);
        await Promise.all([1, 2, 3, 4].flatMap(() => [payer.send(hidden), elsewhere.send(hidden)]));
        expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
        expect(await gateway.bookedFor(orderId)).toHaveLength(1);
      });
    }
  });

  describe('the other forms', () => {
    it('a preauthorization is held, and captured', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'preauth-form');
      await payer.pay(DECLINED);
      await untilCard(payer);
      expect((await payer.open()).text).toContain('only reserved on your card');
      await payer.pay();
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ 'order-stage': 'preauth_approved' });
      expect((await payer.open()).text).toContain('Amount reserved');
      const order = { 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId };
      const captured = await demo.followUpUntilFinal('capture', order);
      expect(captured).toMatchObject({ status: 'approved', 'transaction-type': 'capture' });
    });

    it('an account verification charges nothing, and gives the card’s reference', async () => {
      const { clientOrderId, payer } = await openForm(gateway, 'account-verification-form');
      expect((await payer.open()).text).toContain('Nothing is charged');
      await payer.pay();
      const status = await demo.untilFinal(clientOrderId);
      expect(status).toMatchObject({ status: 'approved', 'transaction-type': 'account-verification' });
      expect(status['card-ref-id']).toMatch(/^\d+$/);
    });

    it('a payment form asks the payer for what the merchant left out', async () => {
      const { client, id } = await gateway.newMerchant({ requiredFields: ['phone', 'country', 'birthday', 'state'] });
      const unsigned = { control: undefined, email: undefined, state: 'BY' };
      const asking = { client, endpoint: id };
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'payment-form', unsigned, asking);
      const page = await payer.open();
      for (const name of ['email', 'phone', 'country', 'birthday']) expect(page.text).toContain(`name="${name}"`);
      expect(page.text).not.toContain('name="state"');
      const wrong = await payer.pay({ email: 'nobody', phone: 'none', country: 'XX', birthday: '2999-01-01' });
      expect(wrong.status).toBe(422);
      expect(wrong.text.match(/class="fault"[^>]*>[^<]/g)).toHaveLength(4);
      const told = { email: 'ann@example.com', phone: '+12025550123', country: 'DE', birthday: '1984-02-29' };
      expect((await payer.pay(told)).status).toBe(303);
      const status = await client.untilFinal(clientOrderId, { endpoint: id, orderId });
      expect(status).toMatchObject({ status: 'approved', email: 'ann@example.com', phone: '+12025550123' });
    });

    it('a payment form is refused without what the endpoint demands and no payer can tell', async () => {
      const requiredFields = ['ssn', 'cell_phone', 'site_url', 'purpose', 'ipaddress', 'customer_browser_language'];
      const { client, id } = await gateway.newMerchant({ requiredFields });
      const asking = { client, endpoint: id };
      const refused = await formRequest(gateway, 'payment-form', {}, asking);
      expect(refused.body['error-code']).toBe('1');
      for (const name of ['ssn', 'site_url', 'purpose']) expect(refused.text).toContain(name);
      for (const name of ['cell_phone', 'ipaddress']) expect(refused.text).not.toContain(name);
      const told = { ssn: '078-05-1120', site_url: 'https://shop.example', purpose: 'socks' };
      const { orderId, clientOrderId, payer } = await openForm(gateway, 'payment-form', told, asking);
      expect((await payer.pay()).status).toBe(422);
      expect((await payer.pay({ cell_phone: '+1 (202) 555-0123' })).status).toBe(303);
      expect(await client.untilFinal(clientOrderId, { endpoint: id })).toMatchObject({ status: 'approved' });
      const [row] = await gateway.query(`select details from orders where order_id = ${orderId}`);
      expect(row?.details).toMatchObject({ cellPhone: '+12025550123', ipAddress: '127.0.0.1', siteUrl: told.site_url });
    });

    it('a payment form holds money if it is asked to', async () => {
      const { clientOrderId, payer } = await openForm(gateway, 'payment-form', { transaction_type: 'preauth' });
      await payer.pay();
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ 'transaction-type': 'preauth', status: 'approved' });
    });

    it('a payment form’s signature is checked if there is one, and demanded if the endpoint says so', async () => {
      const wrong = await formRequest(gateway, 'payment-form', { control: 'f'.repeat(40) });
      expect(wrong.body['error-code']).toBe('20');
      const { client, id } = await gateway.newMerchant({ signedForms: true });
      const asking = { client, endpoint: id };
      const unsigned = await formRequest(gateway, 'payment-form', { control: undefined }, asking);
      expect(unsigned.body['error-code']).toBe('20');
      expect((await formRequest(gateway, 'payment-form', {}, asking)).status).toBe(200);
      const payout = await client.post(`/api/v2/payout-form/${id}`, payoutFields());
      expect(payout.body).toMatchObject({
        'error-code': '25',
        'error-message': expect.stringContaining('signed forms only'),
      });
    });

    it('nobody gets very many unsigned forms in a minute', async () => {
      const { client, id } = await gateway.newMerchant();
      const asking = { client, endpoint: id };
      const ask = (changes: Fields) => formRequest(gateway, 'payment-form', changes, asking);
      await gateway.clock.standStillFor(async () => {
        const replies = await Promise.all(Array.from({ length: 65 }, () => ask({ control: undefined })));
        const codes = replies.map(({ body }) => body['error-code']).filter((code) => code !== undefined);
        expect(codes).toEqual(Array(5).fill('79'));
        expect((await ask({})).status).toBe(200);
      });
      expect((await formRequest(gateway, 'payment-form', { control: undefined })).status).toBe(200);
      gateway.clock.advance(MINUTE_MS);
      expect((await ask({ control: undefined })).status).toBe(200);
    });
  });

  const payoutFields = (): Fields => ({ client_orderid: newOrderId(), amount: '4.00', currency: 'USD' });

  describe('a payout form', () => {
    async function shopWith(minor: number) {
      const { client, id } = await gateway.newMerchant();
      if (minor > 0) await client.saleUntilFinal({ amount: String(minor) }, { endpoint: id });
      const status = async (client_orderid: string, orderid: string) =>
        (await client.status({ client_orderid, orderid }, { endpoint: id })).body;
      const confirm = (clientOrderId: string, orderid: string) =>
        client.oauth('/api/v4/payout-pay', { client_orderid: clientOrderId, orderid }, { endpoint: id });
      return { client, id, status, confirm };
    }

    it('that nobody signed waits, unpaid, until the merchant confirms it', async () => {
      const { client, id, status, confirm } = await shopWith(1000);
      const reply = await client.post(`/api/v2/payout-form/${id}`, payoutFields());
      const { clientOrderId, orderId, payer } = opened(gateway, reply);
      const page = await payer.open();
      expect(page.text).toContain('Enter the card the money is to be sent to.');
      expect(page.text).not.toContain('name="cvv2"');
      expect((await confirm(clientOrderId, orderId)).body['error-code']).toBe('40');
      await payer.pay();
      expect((await payer.open()).text).toContain('Card saved');
      expect(await status(clientOrderId, orderId)).toMatchObject({ status: 'processing', 'last-four-digits': '1111' });
      expect(await gateway.bookedFor(orderId)).toEqual([]);
      expect((await gateway.balances(id)).merchant).toBe(1000);
      expect((await confirm(clientOrderId, orderId)).status).toBe(200);
      expect(await client.untilFinal(clientOrderId, { endpoint: id, orderId })).toMatchObject({ status: 'approved' });
      expect((await gateway.balances(id)).merchant).toBe(600);
      expect((await payer.open()).text).toContain('Money sent');
    });

    it('that is confirmed and then declined has ended, and the merchant is told', async () => {
      const { client, id, confirm } = await shopWith(1000);
      const reply = await client.post(`/api/v2/payout-form/${id}`, { ...payoutFields(), amount: '1.16' });
      const { clientOrderId, orderId, payer } = opened(gateway, reply);
      await payer.pay();
      expect((await confirm(clientOrderId, orderId)).status).toBe(200);
      const status = await client.untilFinal(clientOrderId, { endpoint: id, orderId });
      expect(status).toMatchObject({ status: 'declined', 'error-code': '116' });
      expect((await payer.open()).text).toContain('Payout declined');
      expect((await gateway.balances(id)).merchant).toBe(1000);
    });

    it.each(['HMAC-SHA1', 'RSA-SHA256'] as const)('that is signed with %s pays at once, and once', async (method) => {
      const { client, id } = await shopWith(1000);
      const key = method === 'RSA-SHA256' ? client.privateKey : client.key;
      const reply = await client.oauth('/api/v2/payout-form', payoutFields(), { endpoint: id, method, key });
      const { clientOrderId, orderId, payer } = opened(gateway, reply);
      const hidden = hiddenFields((await payer.open()).text);
      await Promise.all([payer.send(hidden), payer.send(hidden), payer.send(hidden)]);
      expect(await client.untilFinal(clientOrderId, { endpoint: id })).toMatchObject({ status: 'approved' });
      expect(await gateway.bookedFor(orderId)).toHaveLength(1);
      expect(await gateway.balances(id)).toMatchObject({ merchant: 600, reserved: 0 });
    });

    it('that is signed and not covered waits until the merchant confirms it', async () => {
      const { client, id, confirm } = await shopWith(0);
      const reply = await client.oauth('/api/v2/payout-form', payoutFields(), { endpoint: id });
      const { clientOrderId, orderId, payer } = opened(gateway, reply);
      await payer.pay();
      expect((await payer.open()).text).toContain('Card saved');
      expect((await confirm(clientOrderId, orderId)).body['error-code']).toBe('45');
      await client.saleUntilFinal({ amount: '1000' }, { endpoint: id });
      expect((await confirm(clientOrderId, orderId)).status).toBe(200);
      expect(await client.untilFinal(clientOrderId, { endpoint: id })).toMatchObject({ status: 'approved' });
      expect(await gateway.balances(id)).toMatchObject({ merchant: 600, reserved: 0 });
    });

    it('that is declined gives the money back and asks for another card', async () => {
      const { client, id } = await shopWith(1000);
      // Payouts take the outcome from the amount.
      const fields = { ...payoutFields(), amount: '1.16' };
      const { clientOrderId, payer } = opened(
        gateway,
        await client.oauth('/api/v2/payout-form', fields, { endpoint: id }),
      );
      for (const _ of [1, 2]) {
        await payer.pay();
        await untilCard(payer);
        expect(await gateway.balances(id)).toMatchObject({ merchant: 1000, reserved: 0 });
      }
      await payer.pay();
      expect(await client.untilFinal(clientOrderId, { endpoint: id })).toMatchObject({ status: 'declined' });
      expect(await gateway.balances(id)).toMatchObject({ merchant: 1000, reserved: 0 });
    });
  });

  describe('a card that a rule stops', () => {
    it('is filtered, and the form is over', async () => {
      const { client, id } = await gateway.newMerchant();
      await gateway.administer(
        `insert into velocity_limits (endpoint_id, merchant_id, kind, window_ms, max_count) values (${id}, ${id}, 'card', 3600000, 1)`,
      );
      await gateway.query(
        `insert into velocity_locks (merchant_id, bucket) select ${id}, bucket from generate_series(0, 63) as b(bucket) on conflict do nothing`,
      );
      await gateway.query('update configuration_version set version = version + 1');
      await gateway.refresh();
      const asking = { client, endpoint: id };
      const first = await openForm(gateway, 'sale-form', {}, asking);
      const second = await openForm(gateway, 'sale-form', {}, asking);
      await first.payer.pay();
      expect(await client.untilFinal(first.clientOrderId, { endpoint: id })).toMatchObject({ status: 'approved' });
      await second.payer.pay();
      const filtered = await client.untilFinal(second.clientOrderId, { endpoint: id });
      expect(filtered).toMatchObject({ status: 'filtered', 'error-code': '75', 'last-four-digits': '1111' });
      expect((await second.payer.open()).text).toContain('This payment could not be accepted.');
      expect(await gateway.bookedFor(second.orderId)).toEqual([]);
      const codes = `select sealed_cvv from transactions where order_id = ${second.orderId}`;
      expect(await gateway.query(codes)).toEqual([{ sealed_cvv: null }]);
    });
  });

  it('tells the merchant once, how it ended', async () => {
    const shop = await TestShop.open({ key: demo.key, now: () => gateway.clock.now() });
    try {
      const links = { server_callback_url: shop.url('/server'), notify_url: shop.url('/notify') };
      const paid = await openForm(gateway, 'sale-form', links);
      const left = await openForm(gateway, 'sale-form', links);
      for (const { payer } of [paid, left]) {
        await payer.pay(DECLINED);
        await untilCard(payer);
      }
      await paid.payer.pay();
      await demo.untilFinal(paid.clientOrderId);
      // A callback under way would be sent again when its lease is over.
      const isTold = async () => (await gateway.query(`select 1 from callbacks where state = 'waiting'`)).length === 0;
      await until('one merchant is told', async () => shop.told.length >= 2 && (await isTold()));
      gateway.clock.advance(30 * MINUTE_MS);
      await demo.untilFinal(left.clientOrderId);
      await until('all callbacks came', () => shop.told.length >= 4);
      const told = ({ reply }: typeof paid) =>
        shop.of(reply.body).map(({ path, fields }) => [path, fields.status, fields.error_code]);
      expect(told(paid).sort()).toEqual([
        ['/notify', 'approved', ''],
        ['/server', 'approved', ''],
      ]);
      expect(told(left).sort()).toEqual([
        ['/notify', 'declined', '116'],
        ['/server', 'declined', '116'],
      ]);
      expect(shop.complaints).toEqual([]);
    } finally {
      await shop.close();
    }
  });

  describe('the end of the payer’s way', () => {
    const back = {
      redirect_url: 'https://shop.example/back?a=1&b=2',
      redirect_success_url: 'https://shop.example/thanks',
      merchant_data: '<cart> "7"',
    };

    it('carries signed fields back to the merchant', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form', back);
      await payer.pay();
      await demo.untilFinal(clientOrderId);
      const page = await payer.open();
      expect(page.text).toContain('<form method="post" action="https://shop.example/thanks"');
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https: http:;");
      expect(hiddenFields(page.text)).toEqual({
        status: 'approved',
        orderid: orderId,
        merchant_order: clientOrderId,
        client_orderid: clientOrderId,
        error_message: '',
        error_code: '',
        phone: '',
        control: sha1(`approved${orderId}${clientOrderId}${demo.key}`),
        descriptor: 'TENDER*DEMO',
        'processor-tx-id': expect.any(String),
        amount: '10.42',
        currency: 'USD',
        bin: '411111',
        type: 'sale',
        'card-type': 'VISA',
        'last-four-digits': '1111',
        'card-holder-name': 'ANN EXAMPLE',
        'gate-partial-reversal': 'enabled',
        'gate-partial-capture': 'enabled',
        merchantdata: '<cart> "7"',
      });
    });

    it('whatever the outcome', async () => {
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form', back);
      for (const _ of [1, 2]) {
        await payer.pay(DECLINED);
        await untilCard(payer);
      }
      await payer.pay(DECLINED);
      await demo.untilFinal(clientOrderId);
      const page = await payer.open();
      expect(page.text).toContain('action="https://shop.example/back?a=1&amp;b=2"');
      expect(hiddenFields(page.text)).toMatchObject({
        status: 'declined',
        error_code: '116',
        control: sha1(`declined${orderId}${clientOrderId}${demo.key}`),
      });
    });
  });
});
