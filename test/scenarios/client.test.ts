// The client of the package against a whole gateway: every example of its comments, lost answers, both notations, every
// way to sign, and what it says when something is wrong.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PayerNeed, TenderClient, type TenderClientOptions, verifyCallback } from '../../src/client/index.ts';
import { clientExamples } from '../../src/openapi/client-examples.ts';
import { certainFields } from '../../src/openapi/client-source.ts';
import { operations } from '../../src/operations/index.ts';
import { TEST_CARDS } from '../../src/threeds/index.ts';
import { DEMO, describeGateway, newOrderId, type ReplyBody } from '../harness.ts';
import { asking, BROWSER } from './authenticating.ts';
import { throughIssuer } from './payer.ts';

const card = {
  credit_card_number: '4111111111111111',
  ...{ expire_month: '12', expire_year: '2034', cvv2: '123', card_printed_name: 'ANN EXAMPLE' },
};

const socks = { order_desc: 'Socks', amount: '10.42', currency: 'USD', email: 'ann@example.com' };

const STRICT = 120;

const AsyncFunction = (async () => {}).constructor as new (
  ...texts: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** What a network does with one request: it passes, or its answer is lost after it was carried out, or replaced. */
type Fate = 'passes' | 'answer-lost' | 'unanswered' | { readonly replacedBy: number; readonly text?: string };

describeGateway('the client', {}, (gateway) => {
  const sent: { path: string; body: URLSearchParams; key: string | null; reply: ReplyBody }[] = [];

  /** A client whose requests meet these fates, in turn. */
  function clientWith(options: Partial<TenderClientOptions> = {}, fates: Fate[] = []): TenderClient {
    const send: typeof fetch = async (input, init) => {
      const fate = fates.shift() ?? 'passes';
      const { pathname } = new URL(String(input));
      const key = new Headers(init?.headers).get('idempotency-key');
      const entry = { path: pathname, body: new URLSearchParams(String(init?.body)), key, reply: {} as ReplyBody };
      sent.push(entry);
      if (fate === 'unanswered') throw new TypeError('fetch failed');
      const response = await fetch(input, init);
      const text = await response.text();
      entry.reply = JSON.parse(text);
      if (fate === 'answer-lost') throw new TypeError('fetch failed');
      if (typeof fate === 'object') {
        const { replacedBy: status, text: instead = JSON.stringify({ type: 'error', 'error-code': '500' }) } = fate;
        return new Response(instead, { status });
      }
      return new Response(text, { status: response.status });
    };
    return new TenderClient({
      ...{ baseUrl: `${gateway.origin}/paynet`, endpoint: 101, login: DEMO.login, controlKey: DEMO.key },
      privateKey: gateway.demo.privateKey,
      now: () => gateway.clock.now(),
      fetch: send,
      ...options,
    });
  }

  const booked = async (orderId: string) =>
    (await gateway.books()).filter(({ reference }) => reference.startsWith(`${orderId}-`)).length;

  describe('has examples that run:', () => {
    const client = () => clientWith();
    const asked = (reply: { 'merchant-order-id': string; 'paynet-order-id': string }) => ({
      client_orderid: reply['merchant-order-id'],
      orderid: reply['paynet-order-id'],
    });

    async function approved(kind: 'sale' | 'preauth') {
      const order = asked(await client()[kind]({ client_orderid: newOrderId(), ...socks, ...card }));
      expect((await client().waitForEnd(order)).status).toBe('approved');
      return order;
    }

    /** Orders that wait for a step of 3-D Secure, and what came of the step. */
    const steps: Record<string, () => Promise<object>> = {
      uploadCresResult: async () => {
        const status = await asking(gateway, TEST_CARDS.challenge, BROWSER);
        return { order: asked(status as never), cRes: (await throughIssuer(status, 'hint')).cres };
      },
      uploadMethodUrlResult: async () => {
        const status = await asking(gateway, TEST_CARDS.challengeMethod, BROWSER);
        return {
          order: asked(status as never),
          threeDSServerTransID: status['tds-method-url-frame-3ds-server-trans-id'],
        };
      },
      uploadParesResult: async () => {
        const status = await asking(gateway, TEST_CARDS.legacy);
        const { PaRes, MD } = await throughIssuer(status, 'hint');
        return { order: asked(status as never), paRes: PaRes, md: MD };
      },
    };

    const scope: Record<string, unknown> = {};

    beforeAll(async () => {
      const stored = await client().createCardRef(await approved('sale'));
      const lasting = await client().createRecurringPayment({
        ...{ client_orderid: newOrderId(), rp_card_type: 'SRC', amount: '9.00', currency: 'USD', ...card },
      });
      const payout = { amount: '1.00', currency: 'USD', credit_card_number: card.credit_card_number };
      Object.assign(scope, {
        ...{ card, stored: stored['card-ref-id'], subscription: lasting['recurring-payment-id'] },
        checked: asked(await client().payoutCheck({ client_orderid: newOrderId(), ...payout })),
      });
    });

    it.each(Object.keys(clientExamples))('%s', async (method) => {
      const code = clientExamples[method] ?? '';
      const step = steps[method];
      const names = { ...scope, client: step ? clientWith({ endpoint: 102 }) : client(), step: await step?.() };
      if (/\bpaid\b/.test(code)) Object.assign(names, { paid: await approved('sale') });
      if (/\bhold\b/.test(code)) Object.assign(names, { hold: await approved('preauth') });
      const began = sent.length;
      const result = await new AsyncFunction(...Object.keys(names), code)(...Object.values(names));
      if (typeof result === 'object' && result !== null) expect(result).toMatchObject({ status: 'approved' });
      else if (!step) expect(result).toEqual(expect.stringMatching(/./));
      for (const { path, reply } of sent.slice(began)) {
        const { response } = operations.find((one) => path.startsWith(`/paynet${one.path}/`)) as (typeof operations)[0];
        expect(Object.keys(reply)).toEqual(expect.arrayContaining([...certainFields(response.name)]));
      }
    });
  });

  describe('when an answer is lost', () => {
    it('sends a payment again as the same order, and the payer is charged once', async () => {
      const began = sent.length;
      const client = clientWith({}, ['answer-lost', 'unanswered']);
      const reply = await client.sale({ client_orderid: newOrderId(), ...socks, ...card });
      const tries = sent.slice(began);
      expect(tries).toHaveLength(3);
      expect(new Set(tries.map(({ body }) => body.get('client_orderid'))).size).toBe(1);
      await client.waitForEnd({ client_orderid: reply['merchant-order-id'] });
      expect(await booked(reply['paynet-order-id'])).toBe(1);
    });

    it('names a return by a key of its own, so that it is made once', async () => {
      const client = clientWith();
      const { 'paynet-order-id': orderid, 'merchant-order-id': client_orderid } = await client.sale({
        ...{ client_orderid: newOrderId(), ...socks, ...card },
      });
      await client.waitForEnd({ client_orderid });
      const began = sent.length;
      const unlucky = clientWith({}, ['answer-lost']);
      const part = { client_orderid, orderid, amount: '1.00', currency: 'USD' };
      await unlucky.return({ ...part, comment: 'first' });
      const keys = sent.slice(began).map(({ key }) => key);
      expect(keys).toEqual([keys[0], keys[0]]);
      expect(keys[0]).toMatch(/^[\w-]{36}$/);
      await client.waitForEnd({ client_orderid });
      // The same again, asked for anew, is another return.
      await client.return({ ...part, comment: 'first' });
      await client.waitForEnd({ client_orderid });
      expect(await booked(orderid)).toBe(3);
    });

    it('asks STATUS after a failure of the service, and is told of the order by the same request', async () => {
      const began = sent.length;
      const client = clientWith({}, [{ replacedBy: 500 }]);
      const reply = await client.sale({ client_orderid: newOrderId(), ...socks, ...card });
      const tries = sent.slice(began);
      expect(tries.map(({ path }) => path.split('/')[4])).toEqual(['sale', 'status', 'sale']);
      expect(reply).toEqual(tries[2]?.reply);
      expect(reply['paynet-order-id']).toBe(tries[0]?.reply['paynet-order-id']);
      await client.waitForEnd({ client_orderid: reply['merchant-order-id'] });
      expect(await booked(reply['paynet-order-id'])).toBe(1);
    });

    it('takes no older order of the same id for its own after a failure of the service', async () => {
      const order = { client_orderid: newOrderId() };
      const older = await clientWith().sale({ ...order, ...socks, ...card });
      await clientWith().waitForEnd(order);
      const request = { ...order, ...socks, ...card, amount: '99.00' };
      await expect(clientWith({}, [{ replacedBy: 500 }]).sale(request)).rejects.toMatchObject({
        ...{ code: '31', outcome: 'refused' },
      });
      expect(await booked(older['paynet-order-id'])).toBe(1);
    });

    it.each([
      ['an empty answer', { replacedBy: 200, text: '' }],
      ['the page of a proxy that lost patience', { replacedBy: 408, text: '<h1>Request Timeout</h1>' }],
    ])('takes %s for a lost one', async (_, fate) => {
      const client = clientWith({}, [fate]);
      const began = sent.length;
      const reply = await client.sale({ client_orderid: newOrderId(), ...socks, ...card });
      expect(sent.length - began).toBe(2);
      await client.waitForEnd({ client_orderid: reply['merchant-order-id'] });
      expect(await booked(reply['paynet-order-id'])).toBe(1);
      const request = { client_orderid: newOrderId(), ...socks, ...card };
      await expect(clientWith({ attempts: 1 }, [fate]).sale(request)).rejects.toMatchObject({
        ...{ code: 'unreadable-answer', outcome: 'unknown' },
      });
    });

    it('sends again what was turned away because there was too much to do', async () => {
      const began = sent.length;
      const text = JSON.stringify({ type: 'validation-error', 'error-code': '92', 'error-message': 'busy' });
      const client = clientWith({}, [{ replacedBy: 400, text }]);
      const reply = await client.sale({ client_orderid: newOrderId(), ...socks, ...card });
      expect(sent.slice(began).map(({ path }) => path.split('/')[4])).toEqual(['sale', 'sale']);
      await client.waitForEnd({ client_orderid: reply['merchant-order-id'] });
      expect(await booked(reply['paynet-order-id'])).toBe(1);
    });

    it('does not call refused what was lost first and turned away when it came again', async () => {
      const text = JSON.stringify({ type: 'validation-error', 'error-code': '92', 'error-message': 'busy' });
      const fates: Fate[] = ['answer-lost', 'unanswered', { replacedBy: 400, text }];
      const request = { client_orderid: newOrderId(), ...socks, ...card };
      await expect(clientWith({ attempts: 2 }, fates).sale(request)).rejects.toMatchObject({ outcome: 'unknown' });
    });

    it('sends nothing again that a proxy turned away', async () => {
      const began = sent.length;
      const fate = { replacedBy: 403, text: '<h1>Forbidden</h1>' };
      const request = { client_orderid: newOrderId(), ...socks, ...card };
      await expect(clientWith({}, [fate]).sale(request)).rejects.toMatchObject({
        ...{ code: 'unreadable-answer', outcome: 'refused' },
      });
      expect(sent.length - began).toBe(1);
    });

    it('gives up after some attempts, and says that it does not know', async () => {
      const began = sent.length;
      const lost = Array.from({ length: 9 }, (): Fate => 'unanswered');
      const request = { client_orderid: newOrderId(), ...socks, ...card };
      await expect(clientWith({ attempts: 2 }, lost).sale(request)).rejects.toMatchObject({
        ...{ name: 'TenderError', code: 'no-answer', outcome: 'unknown', remedy: expect.stringContaining('STATUS') },
      });
      expect(sent.length - began).toBe(2);
    });

    it('stops when it is told to', async () => {
      const began = sent.length;
      const signal = AbortSignal.abort();
      const request = { client_orderid: newOrderId(), ...socks, ...card };
      await expect(clientWith({}).sale(request, { signal })).rejects.toMatchObject({ code: 'no-answer' });
      expect(sent.length - began).toBe(1);
    });
  });

  it.each([
    ['a control', 'sale', '1042'],
    ['OAuth', 'saleV4', '10.42'],
  ] as const)('takes minor units under %s', async (_, method, told) => {
    const client = clientWith({ amounts: 'minor' });
    const client_orderid = newOrderId();
    await client[method]({ ...{ client_orderid, ...socks, ...card }, amount: '1042' });
    expect(await client.waitForEnd({ client_orderid })).toMatchObject({ status: 'approved', 'initial-amount': told });
    const [row] = await gateway.query(`select amount from orders where client_order_id = '${client_orderid}'`);
    expect(String(row?.amount)).toBe('1042');
  });

  it('signs strictly where that is demanded', async () => {
    await gateway.addEndpoint({ endpointId: STRICT, strictSigning: true });
    const request = () => ({ client_orderid: newOrderId(), ...socks, ...card });
    await expect(clientWith({ endpoint: STRICT }).sale(request())).rejects.toMatchObject({ code: '24' });
    expect(await clientWith({ endpoint: STRICT, strict: true }).sale(request())).toMatchObject({
      status: 'processing',
    });
  });

  it('needs only the private key for operations of version 4', async () => {
    const client = clientWith({ controlKey: undefined });
    const client_orderid = newOrderId();
    await client.saleV4({ client_orderid, ...socks, ...card });
    expect((await client.waitForEnd({ client_orderid })).status).toBe('approved');
    await expect(client.sale({ client_orderid, ...socks, ...card })).rejects.toMatchObject({
      ...{ code: 'no-key', outcome: 'refused', message: expect.stringContaining('controlKey') },
    });
  });

  it('says every fault with its field, number and remedy, and what a control should have covered', async () => {
    const wrong = { client_orderid: newOrderId(), ...socks, ...card, email: 'nobody', cvv2: '1' };
    await expect(clientWith().sale(wrong)).rejects.toMatchObject({
      ...{ name: 'TenderError', code: '2', field: 'email', httpStatus: 400, outcome: 'refused' },
      remedy: expect.stringContaining('pattern'),
      faults: [
        { field: 'email', code: '2' },
        { field: 'cvv2', code: '2' },
      ],
    });
    const stranger = clientWith({ controlKey: randomUUID() });
    await expect(stranger.sale({ ...wrong, ...socks, ...card })).rejects.toMatchObject({
      ...{ code: '20', field: 'control', remedy: expect.stringContaining('formula') },
      expectedString: expect.stringContaining('101'),
    });
  });

  describe('while it waits for the end', () => {
    const challenged = async (client: TenderClient) => {
      const order = { client_orderid: newOrderId() };
      const number = { credit_card_number: TEST_CARDS.challenge.number, currency: 'EUR' };
      await client.sale({ ...order, ...socks, ...card, ...number, ...(BROWSER as object) });
      return order;
    };

    it('says that the payer has to act', async () => {
      const client = clientWith({ endpoint: 102 });
      await expect(client.waitForEnd(await challenged(client))).rejects.toMatchObject({
        code: 'payer-needed',
        payer: {
          step: 'challenge',
          redirectTo: expect.stringContaining('/3ds/'),
          html: expect.stringContaining('<form'),
        },
      });
    });

    it('goes on after the payer has acted', async () => {
      const client = clientWith({ endpoint: 102 });
      const order = await challenged(client);
      const needs: PayerNeed[] = [];
      const payer = async (need: PayerNeed) => {
        needs.push(need);
        const status = await client.status(order);
        const { cres = '' } = await throughIssuer(status, 'hint');
        const { 'paynet-order-id': orderid } = status;
        await client.uploadCresResult({ 'client-order-id': order.client_orderid, orderid, cRes: cres });
      };
      expect((await client.waitForEnd(order, { payer })).status).toBe('approved');
      expect(needs).toHaveLength(1);
    });

    it('waits no longer than it may', async () => {
      const client = clientWith();
      const form = await client.saleForm({ client_orderid: newOrderId(), ...socks });
      const order = { client_orderid: form['merchant-order-id'] };
      await expect(client.waitForEnd(order, { limitMs: 1 })).rejects.toMatchObject({ code: 'not-ended' });
      const signal = AbortSignal.abort(new Error('the shop closes'));
      await expect(client.waitForEnd(order, { signal })).rejects.toThrow('the shop closes');
    });
  });

  it('believes the callbacks that the gateway sends, and no others', async () => {
    const shop = await gateway.shop();
    const order = { client_orderid: newOrderId() };
    await clientWith().sale({ ...order, ...socks, ...card, server_callback_url: shop.url('/paid') });
    await expect.poll(() => shop.told.length).toBe(1);
    const { url, fields, headers } = shop.told[0]!;
    const now = () => gateway.clock.now();
    const verdict = verifyCallback(url, DEMO.key, { headers, now });
    expect(verdict).toMatchObject({ ok: true, params: { status: 'approved', amount: '10.42', ...order } });
    expect(verifyCallback(fields, ['another', DEMO.key], { headers: 'not checked' }).ok).toBe(true);
    expect(verifyCallback(url.replace('10.42', '0.42'), DEMO.key, { headers, now })).toMatchObject({
      ...{ ok: false, whyNot: expect.stringContaining('webhook-signature') },
    });
  });
});
