// Repeating a request never charges twice: one after the other or all at once, with or without an Idempotency-Key.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/domain/merchant/merchant.ts';
import { CARD, describeGateway, newOrderId, type Reply, until } from '../harness.ts';
import { createRecurring, rebill, storeCard } from './stored-cards.ts';

const PARALLEL = 24;

const orderIds = (replies: readonly Reply[]) => [...new Set(replies.map(({ body }) => body['paynet-order-id']))];

describeGateway('a repeated sale', {}, (gateway) => {
  const { demo } = gateway;

  /** The one order all replies speak of, which the bank has authorised once. */
  async function expectOneOrder(replies: readonly Reply[]): Promise<string> {
    for (const reply of replies) expect(reply.status).toBe(200);
    const [orderId, ...others] = orderIds(replies);
    expect(others).toEqual([]);
    await demo.untilFinal(replies[0]?.body['merchant-order-id']);
    expect(await gateway.bookedFor(orderId)).toHaveLength(1);
    return orderId;
  }

  it('gives the same order, again and again, also after it is final', async () => {
    const client_orderid = newOrderId();
    const replies = [await demo.sale({ client_orderid })];
    for (let times = 0; times < 3; times++) replies.push(await demo.sale({ client_orderid }));
    await demo.untilFinal(client_orderid);
    replies.push(await demo.sale({ client_orderid }));
    await expectOneOrder(replies);
    const serials = new Set(replies.map(({ body }) => body['serial-number']));
    expect(serials.size).toBe(replies.length);
  });

  it('is one order when all the repeats arrive at once', async () => {
    const client_orderid = newOrderId();
    await expectOneOrder(await Promise.all(Array.from({ length: PARALLEL }, () => demo.sale({ client_orderid }))));
  });

  it('is one order each when many orders are all repeated at once, in any order', async () => {
    const ids = Array.from({ length: 10 }, newOrderId);
    const mixed = Array.from({ length: 6 }, (_, round) => ids.map((_, place) => ids[(place * 3 + round) % ids.length]));
    const replies = await Promise.all(
      mixed.flat().map((client_orderid) => demo.sale({ client_orderid: client_orderid! })),
    );
    for (const id of ids) await expectOneOrder(replies.filter(({ body }) => body['merchant-order-id'] === id));
    expect(orderIds(replies)).toHaveLength(ids.length);
  });

  it('is the same however the amount is written', async () => {
    const client_orderid = newOrderId();
    const replies = [
      await demo.sale({ client_orderid, amount: '1042' }),
      await demo.sale({ client_orderid, amount: '10.42' }),
      await demo.sale({ client_orderid, 'first-name': ' Ann ', first_name: undefined }),
    ];
    await expectOneOrder(replies);
  });

  it('is the same however card number, month and year are written', async () => {
    const client_orderid = newOrderId();
    const replies = [
      await demo.sale({ client_orderid, credit_card_number: CARD, expire_month: '07', expire_year: '2039' }),
      await demo.sale({
        client_orderid,
        credit_card_number: '4111 1111-1111 1111',
        expire_month: '7',
        expire_year: '39',
      }),
    ];
    await expectOneOrder(replies);
  });

  it('on another endpoint is refused', async () => {
    await gateway.addEndpoint({ endpointId: 161 });
    const client_orderid = newOrderId();
    const first = await demo.sale({ client_orderid });
    const { status, body } = await demo.sale({ client_orderid }, { endpoint: 161 });
    expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: '31' });
    await expectOneOrder([first]);
  });

  it('as a preauthorization is refused', async () => {
    const client_orderid = newOrderId();
    const first = await demo.sale({ client_orderid });
    const { status, body } = await demo.preauth({ client_orderid });
    expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: '31' });
    await expectOneOrder([first]);
  });

  it('is the same with another security code: the first one counts', async () => {
    const client_orderid = newOrderId();
    const replies = [
      await demo.sale({ client_orderid, cvv2: '123' }),
      await demo.sale({ client_orderid, cvv2: '116' }),
    ];
    await expectOneOrder(replies);
    expect(await demo.untilFinal(client_orderid)).toMatchObject({ status: 'approved' });
  });

  it.each([
    ['amount', '1043'],
    ['email', 'bob@example.com'],
    ['credit_card_number', '5555555555554444'],
    ['expire_month', '11'],
    ['order_desc', 'Another pair of socks'],
    ['phone', undefined],
  ])('with another %s is refused', async (field, value) => {
    const client_orderid = newOrderId();
    const first = await demo.sale({ client_orderid });
    const { status, body } = await demo.sale({ client_orderid, [field]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ 'error-code': '31', 'merchant-order-id': client_orderid });
    expect(body.errors).toMatchObject([{ field: 'client_orderid' }]);
    await expectOneOrder([first]);
  });

  it('with other values at the same moment: one is taken, the others are refused', async () => {
    const client_orderid = newOrderId();
    const amounts = Array.from({ length: 8 }, (_, index) => String(1000 + index));
    const replies = await Promise.all(amounts.map((amount) => demo.sale({ client_orderid, amount })));
    const taken = replies.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    for (const { status, body } of replies.filter((reply) => !taken.includes(reply))) {
      expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: '31' });
    }
    await expectOneOrder(taken);
  });

  describe('is answered as before, whatever has changed since', () => {
    const endpoint = 160;
    beforeAll(() => gateway.addEndpoint({ endpointId: endpoint }));
    beforeEach(() =>
      gateway.changeEndpoint(endpoint, { enabled: true, minimum: undefined, maximum: undefined, requiredFields: [] }),
    );

    /** Sent, the world changed, sent again. */
    async function twice(send: () => Promise<Reply>, change: () => Promise<unknown>): Promise<[Reply, Reply]> {
      const first = await send();
      expect(first.status).toBe(200);
      await change();
      const second = await send();
      expect(second.text).toContain(first.body['merchant-order-id'] as string);
      expect(second).toMatchObject({ status: 200, body: { ...first.body, 'serial-number': expect.any(String) } });
      return [first, second];
    }

    it.each<[string, Partial<Endpoint>, string]>([
      ['the endpoint is switched off', { enabled: false }, '14'],
      ['the minimum is higher', { minimum: 2_000n }, '12'],
      ['the maximum is lower', { maximum: 500n }, '13'],
      ['more is demanded', { requiredFields: ['ssn'] }, '1'],
    ])('%s', async (_, changes, code) => {
      const client_orderid = newOrderId();
      const sell = (id: string) => demo.sale({ client_orderid: id }, { endpoint });
      await expectOneOrder(
        await twice(
          () => sell(client_orderid),
          () => gateway.changeEndpoint(endpoint, changes),
        ),
      );
      expect((await sell(newOrderId())).body['error-code']).toBe(code);
      const keyed = { endpoint, headers: { 'idempotency-key': randomUUID() } };
      await gateway.changeEndpoint(endpoint, {
        enabled: true,
        minimum: undefined,
        maximum: undefined,
        requiredFields: [],
      });
      const order = newOrderId();
      const [first, second] = await twice(
        () => demo.sale({ client_orderid: order }, keyed),
        () => gateway.changeEndpoint(endpoint, changes),
      );
      expect(second.text).toBe(first.text);
    });

    it('with other values it is still refused', async () => {
      const client_orderid = newOrderId();
      expect((await demo.sale({ client_orderid }, { endpoint })).status).toBe(200);
      await gateway.changeEndpoint(endpoint, { enabled: false });
      const other = await demo.sale({ client_orderid, amount: '1043' }, { endpoint });
      expect(other).toMatchObject({ status: 400, body: { 'error-code': '14' } });
    });

    it('the stored card of a rebill is gone', async () => {
      const reference = await storeCard(demo);
      const client_orderid = newOrderId();
      const charge = () => rebill(demo, reference, { client_orderid });
      const forget = () =>
        gateway.query(`update card_references set deleted_at = now() where reference_id = ${reference}`);
      await expectOneOrder(await twice(charge, forget));
      expect((await rebill(demo, reference)).body['error-code']).toBe('50');
    });

    it('the hosted form of an endpoint that is switched off', async () => {
      const fields = demo.signedSale(
        { client_orderid: newOrderId(), credit_card_number: undefined, cvv2: undefined },
        { endpoint },
      );
      const [first] = await twice(
        () => demo.post(`/api/v2/sale-form/${endpoint}`, fields),
        () => gateway.changeEndpoint(endpoint, { enabled: false }),
      );
      expect(first.body['redirect-url']).toMatch(/^http/);
    });

    it('the start of a recurring payment is over', async () => {
      const today = new Date(gateway.clock.now()).toISOString().slice(0, 10).replaceAll('-', '');
      const schedule = { interval_unit: 'month', interval: '1', start_date: today, amount: '10.00' };
      const fields = { client_orderid: newOrderId(), ...schedule };
      const [first] = await twice(
        () => createRecurring(demo, fields, endpoint),
        async () => gateway.clock.advance(2 * 24 * 60 * 60 * 1000),
      );
      expect(first.body['recurring-payment-id']).toMatch(/^\d+$/);
      expect((await createRecurring(demo, { ...fields, client_orderid: newOrderId() }, endpoint)).status).toBe(400);
    });

    it('the card of the order has expired', async () => {
      const now = new Date(gateway.clock.now());
      const expiry = { expire_month: String(now.getUTCMonth() + 1), expire_year: String(now.getUTCFullYear()) };
      const fields = { client_orderid: newOrderId(), ...expiry };
      await expectOneOrder(
        await twice(
          () => demo.sale(fields, { endpoint }),
          async () => gateway.clock.advance(32 * 24 * 60 * 60 * 1000),
        ),
      );
      expect((await demo.sale(expiry, { endpoint })).body['error-code']).toBe('33');
    });
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

    it('gets the stored reply, its serial number too', async () => {
      const client_orderid = newOrderId();
      const key = randomUUID();
      const first = await demo.sale({ client_orderid }, keyed(key));
      await demo.untilFinal(client_orderid);
      const again = await demo.sale({ client_orderid }, keyed(key));
      expect(again.text).toBe(first.text);
      await expectOneOrder([first, again]);
    });

    it('gets the stored reply when all arrive at once', async () => {
      const client_orderid = newOrderId();
      const key = randomUUID();
      const send = () => demo.sale({ client_orderid }, keyed(key));
      const replies = await Promise.all(Array.from({ length: PARALLEL }, send));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      await expectOneOrder(replies);
    });

    it('is refused for another order, or for the same one with other values', async () => {
      const client_orderid = newOrderId();
      const key = randomUUID();
      await demo.sale({ client_orderid }, keyed(key));
      for (const change of [{ client_orderid: newOrderId() }, { client_orderid, amount: '1043' }]) {
        const { status, body } = await demo.sale(change, keyed(key));
        expect(status).toBe(400);
        expect(body).toMatchObject({ 'error-code': '32', errors: [{ field: 'Idempotency-Key' }] });
      }
    });

    it('is refused for a void after a return', async () => {
      const order = await demo.saleUntilFinal();
      const key = randomUUID();
      expect((await demo.followUp('return', order, {}, keyed(key))).status).toBe(200);
      const { status, body } = await demo.followUp('void', order, {}, keyed(key));
      expect({ status, code: body['error-code'] }).toEqual({ status: 400, code: '32' });
    });

    it('is refused for a sale that exists after a return used it', async () => {
      const key = randomUUID();
      const client_orderid = newOrderId();
      expect((await demo.sale({ client_orderid })).status).toBe(200);
      const sold = await demo.saleUntilFinal();
      expect((await demo.followUp('return', sold, {}, keyed(key))).status).toBe(200);
      const again = await demo.sale({ client_orderid }, keyed(key));
      expect({ status: again.status, code: again.body['error-code'] }).toEqual({ status: 400, code: '32' });
    });

    it('takes one of several orders that use the key at once', async () => {
      const key = randomUUID();
      const replies = await Promise.all(Array.from({ length: 8 }, () => demo.sale({}, keyed(key))));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const codes = replies.filter(({ status }) => status !== 200).map(({ body }) => body['error-code']);
      expect(new Set(codes)).toEqual(new Set(['32']));
    });

    it('is still one order by its client_orderid under another key', async () => {
      const client_orderid = newOrderId();
      const [first, second] = [randomUUID(), randomUUID()];
      const replies = [
        await demo.sale({ client_orderid }, keyed(first)),
        await demo.sale({ client_orderid }, keyed(second)),
      ];
      await expectOneOrder(replies);
    });

    it('forgets the key after seven days, but never the order', async () => {
      const client_orderid = newOrderId();
      const key = randomUUID();
      const first = await demo.sale({ client_orderid }, keyed(key));
      await demo.untilFinal(client_orderid);
      gateway.clock.advance(7 * 24 * 60 * 60 * 1000 + 61_000);
      await until('the key is free again', async () => (await demo.sale({}, keyed(key))).status === 200);
      await expectOneOrder([first, await demo.sale({ client_orderid })]);
    });

    it.each([
      ['too long', 'k'.repeat(256)],
      ['empty', ''],
    ])('refuses one that is %s', async (_, key) => {
      const { status, body } = await demo.sale({}, keyed(key));
      expect(status).toBe(400);
      expect(body).toMatchObject({ 'error-code': '2', errors: [{ field: 'Idempotency-Key' }] });
    });

    it('keeps keys of different merchants apart', async () => {
      const rival = await gateway.addMerchant({ merchantId: 7, login: 'rival' }, 'the-rivals-key');
      await gateway.addEndpoint({ endpointId: 701, merchantId: 7 });
      const key = randomUUID();
      const mine = await demo.sale({}, keyed(key));
      const theirs = await rival.sale({}, { endpoint: 701, ...keyed(key) });
      expect([mine.status, theirs.status]).toEqual([200, 200]);
      expect(theirs.body['paynet-order-id']).not.toBe(mine.body['paynet-order-id']);
    });
  });

  afterAll(async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
