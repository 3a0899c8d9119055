// The fraud floor from the merchant's side: a limit or a block list never refuses a request; the order is accepted,
// ends as filtered with a code between 70 and 79, and the bank never hears of it.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { InvalidInput } from '../../src/administration/verb/invalid-input.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { filtered, startOrder } from '../../src/domain/order/decide.ts';
import { judgeLimits, type Tally, type VelocityLimit } from '../../src/domain/screening/screening.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import type { OrderRecord } from '../../src/storage/store.ts';
import {
  CARD,
  type Client,
  describeGateway,
  type Fields,
  minorUnits,
  newOrderId,
  type Reply,
  type ReplyBody,
  saleFields,
  sha1,
  until,
} from '../harness.ts';
import { openForm } from './form-payer.ts';

const OTHER_CARD = '5555555555554444';
const THIRD_CARD = '4242424242424242';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Shop = { readonly client: Client; readonly id: number; readonly login: string };

const CODES = {
  card: '75',
  email: '76',
  address: '77',
} as const;

function send({ client, id }: Shop, path: string, fields: Fields, signs: readonly (string | undefined)[]) {
  const control = sha1(`${signs.join('')}${client.key}`);
  return client.post(`${path}/${id}`, { ...fields, control });
}

const sale = ({ client, id }: Shop, fields: Fields = {}) => client.sale(fields, { endpoint: id });

/** The status of an order whose request was accepted. */
async function endOf({ client, id }: Shop, accepted: Reply): Promise<ReplyBody> {
  expect(accepted).toMatchObject({ status: 200, body: { status: 'processing' } });
  return client.untilFinal(accepted.body['merchant-order-id'], { endpoint: id });
}

/** A sale's end: `approved`, or the code it was filtered or declined with. */
async function sold(shop: Shop, fields: Fields = {}): Promise<string> {
  return outcome(await endOf(shop, await sale(shop, fields)));
}

function outcome(status: ReplyBody): string {
  return status.status === 'approved' ? 'approved' : `${status.status} ${status['error-code']}`;
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const tally = (outcomes: readonly string[]) =>
  Object.fromEntries([...new Set(outcomes)].map((one) => [one, outcomes.filter((other) => other === one).length]));

describeGateway('the fraud floor', {}, (gateway) => {
  const ask = <V extends VerbName>(verb: V, given: Given) => {
    const { clock, store } = gateway;
    const options = { mode: 'sandbox', clock, changed: () => gateway.refresh() } as const;
    return administrationOf(store, options).administration.ask(verb, given, 'test');
  };

  async function newShop(changes = {}): Promise<Shop> {
    const { client, id } = await gateway.newMerchant(changes);
    return { client, id, login: client.login };
  }

  const limit = ({ id }: Shop, given: Given) => ask('setLimit', { endpointId: id, ...given });
  const guard = ({ id }: Shop, window: string) => ask('setDuplicateGuard', { endpointId: id, window });
  const block = ({ login }: Shop, given: Given) => ask('addBlock', { login, ...given });

  const marksOf = async ({ id }: Shop) => gateway.query(`select * from velocity_marks where merchant_id = ${id}`);

  async function rebill(shop: Shop, cardrefid: string, amount = '10.00'): Promise<ReplyBody> {
    const fields = { login: shop.login, client_orderid: newOrderId(), cardrefid, amount, currency: 'USD' };
    const signs = [shop.login, fields.client_orderid, cardrefid, minorUnits(amount), 'USD'];
    return endOf(shop, await send(shop, '/api/v2/make-rebill', fields, signs));
  }

  async function referenceTo(shop: Shop, { orderid, client_orderid }: Record<string, string>): Promise<string> {
    const fields = { login: shop.login, client_orderid, orderid };
    const reply = await send(shop, '/api/v2/create-card-ref', fields, [shop.login, client_orderid, orderid]);
    return reply.body['card-ref-id'];
  }

  async function storedCard(shop: Shop, fields: Fields = {}): Promise<string> {
    const order = await endOf(shop, await sale(shop, fields));
    return referenceTo(shop, { client_orderid: order['merchant-order-id'], orderid: order['paynet-order-id'] });
  }

  describe('limits', () => {
    it.each([
      ['card', { credit_card_number: OTHER_CARD }],
      ['email', { email: 'bob@example.com' }],
      ['address', { ipaddress: '203.0.113.8' }],
    ] as const)('by %s let so many orders pass and no more', async (kind, other) => {
      const shop = await newShop();
      await limit(shop, { kind, window: '1h', count: 2 });
      expect(await sold(shop)).toBe('approved');
      expect(await sold(shop)).toBe('approved');
      expect(await sold(shop)).toBe(`filtered ${CODES[kind]}`);
      expect(await sold(shop, other)).toBe('approved');
    });

    it('filter with a reason, without the limit, and without the bank', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '24h', amount: '15.00' });
      await sold(shop);
      const status = await endOf(shop, await sale(shop));
      expect(status).toMatchObject({
        status: 'filtered',
        'order-stage': 'sale_filtered',
        'error-code': '75',
        'error-message': 'This card was used too often or for too much money recently; try again later',
        bin: '411111',
        'last-four-digits': '1111',
      });
      expect(status).not.toHaveProperty('approval-code');
      expect(await gateway.bookedFor(status['paynet-order-id'])).toEqual([]);
      const [row] = await gateway.query(
        `select stage, due_at, sealed_cvv, sends from transactions where order_id = ${status['paynet-order-id']}`,
      );
      expect(row).toMatchObject({ stage: 'filtered', due_at: null, sealed_cvv: null, sends: 0 });
    });

    it('count e-mail addresses whatever their case, and version 6 addresses by their first 64 bits', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'email', window: '1h', count: 1 });
      await limit(shop, { kind: 'address', window: '1h', count: 1 });
      expect(await sold(shop, { email: 'Ann@Example.com', ipaddress: '2001:db8:1:2::1' })).toBe('approved');
      expect(await sold(shop, { email: 'ann@example.COM', ipaddress: '192.0.2.1' })).toBe('filtered 76');
      expect(await sold(shop, { email: 'bob@example.com', ipaddress: '2001:DB8:1:2:ffff::9' })).toBe('filtered 77');
      expect(await sold(shop, { email: 'bob@example.com', ipaddress: '2001:db8:1:3::1' })).toBe('approved');
    });

    it('of money are used exactly up', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '24h', amount: '30.00' });
      expect(await sold(shop, { amount: '1999' })).toBe('approved');
      expect(await sold(shop, { amount: '1002' })).toBe('filtered 75');
      expect(await sold(shop, { amount: '1001' })).toBe('approved');
      expect(await sold(shop, { amount: '1' })).toBe('filtered 75');
    });

    it('count declined orders, and never filtered ones', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 3 });
      expect(await sold(shop, { cvv2: '116' })).toBe('declined 116');
      expect(await sold(shop, { cvv2: '116' })).toBe('declined 116');
      await block(shop, { kind: 'country', value: 'CA' });
      for (const country of ['CA', 'CA', 'CA']) expect(await sold(shop, { country })).toBe('filtered 74');
      expect(await sold(shop)).toBe('approved');
      expect(await sold(shop)).toBe('filtered 75');
      expect(await marksOf(shop)).toHaveLength(3);
    });

    it('let orders pass again when the window has moved on', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 2 });
      expect(await sold(shop)).toBe('approved');
      gateway.clock.advance(30 * MINUTE);
      expect(await sold(shop)).toBe('approved');
      gateway.clock.advance(29 * MINUTE);
      expect(await sold(shop)).toBe('filtered 75');
      gateway.clock.advance(MINUTE + 1);
      expect(await sold(shop)).toBe('approved');
      expect(await sold(shop)).toBe('filtered 75');
    });

    it('of several windows all hold', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 1 });
      await limit(shop, { kind: 'card', window: '24h', count: 2, amount: '100.00' });
      expect(await sold(shop)).toBe('approved');
      expect(await sold(shop)).toBe('filtered 75');
      gateway.clock.advance(HOUR + 1);
      expect(await sold(shop)).toBe('approved');
      gateway.clock.advance(HOUR + 1);
      expect(await sold(shop)).toBe('filtered 75');
      expect(await marksOf(shop)).toHaveLength(2);
    });

    it('are of one endpoint, and one without them leaves no marks', async () => {
      const shop = await newShop();
      await gateway.addEndpoint({ endpointId: shop.id + 5000, merchantId: shop.id });
      await limit(shop, { kind: 'card', window: '1h', count: 1 });
      expect(await sold(shop)).toBe('approved');
      const elsewhere = { ...shop, id: shop.id + 5000 };
      expect(await sold(elsewhere)).toBe('approved');
      expect(await sold(elsewhere)).toBe('approved');
      expect(await marksOf(shop)).toHaveLength(1);
    });

    it('are forgotten when nobody looks at them any more', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '10m', count: 5 });
      await limit(shop, { kind: 'email', window: '7d', count: 5 });
      await sold(shop);
      expect(await marksOf(shop)).toHaveLength(2);
      // Later than the window, and than an order that counts it may still be written.
      gateway.clock.advance(21 * MINUTE);
      await until('the mark is gone', async () => (await marksOf(shop)).length === 1);
      expect(await marksOf(shop)).toMatchObject([{ kind: 'email' }]);
    });

    it('keep neither card nor payer readable', async () => {
      const shop = await newShop();
      for (const kind of ['card', 'email', 'address']) await limit(shop, { kind, window: '1h', count: 5 });
      await guard(shop, '60s');
      await sold(shop, { email: 'zoe.unique@example.com', ipaddress: '198.51.100.77' });
      const stored = JSON.stringify(await marksOf(shop));
      for (const text of [CARD, 'zoe.unique', '198.51.100']) expect(stored).not.toContain(text);
    });
  });

  describe('the store by itself', () => {
    // Far ahead, where nothing is forgotten yet.
    const AT = Date.UTC(2090, 0, 1);

    /** Commits an order at a moment; answers what was counted before it. */
    async function commitAt(shop: Shop, at: number, limits: readonly VelocityLimit[]): Promise<readonly Tally[]> {
      const order = startOrder(
        {
          merchantId: shop.id,
          orderId: Math.floor(Math.random() * 2 ** 50),
          endpointId: shop.id,
          clientOrderId: newOrderId(),
          operation: 'sale',
          type: 'sale',
          currency: 'USD',
          notation: 'major',
          amount: 1000n,
          requestSerial: randomUUID(),
        },
        { now: at, leaseMs: 10 ** 12, holdMs: 1 },
      );
      const record: OrderRecord = {
        order,
        details: {},
        receiptId: randomUUID(),
        fingerprint: Buffer.alloc(32),
        control: undefined,
        idempotencyKey: undefined,
        leaseOwner: randomUUID(),
        cardId: undefined,
        targetCardId: undefined,
        sealedTarget: undefined,
        cards: [],
        sealedCvv: undefined,
        attemptedCard: undefined,
      };
      let seen: readonly Tally[] = [];
      const digest = Buffer.alloc(32, shop.id);
      await orderStore(gateway.database).commitAlone({
        order,
        at,
        limits: limits.map((one) => ({ limit: one, digest })),
        creditLimit: 0n,
        decide: (counted) => {
          seen = counted.map(({ tally }) => tally);
          const reason = judgeLimits(counted, order.amount);
          return { record: reason ? { ...record, order: filtered(order, reason) } : record };
        },
      });
      return seen;
    }

    /** The bank never heard of them. */
    const endAll = ({ id }: Shop) =>
      gateway.query(
        `update transactions set stage = 'error', due_at = null where merchant_id = ${id} and stage = 'sending'`,
      );

    it.each([
      ['a millisecond before it is over', HOUR - 1, 1],
      ['exactly when it is over', HOUR, 0],
      ['a millisecond later', HOUR + 1, 0],
    ])('an order counts %s', async (_, later, count) => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 9 });
      const hourly = { kind: 'card', windowMs: HOUR, maxCount: 9, maxSum: undefined } as const;
      expect(await commitAt(shop, AT, [hourly])).toEqual([{ count: 0, sum: 0n }]);
      const day = { ...hourly, windowMs: 24 * HOUR };
      expect(await commitAt(shop, AT + later, [hourly, day])).toEqual([
        { count, sum: count === 1 ? 1000n : 0n },
        { count: 1, sum: 1000n },
      ]);
      await endAll(shop);
    });

    it('lets no more pass than the limit, on as many connections as there are', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 3 });
      const three = { kind: 'card', windowMs: HOUR, maxCount: 3, maxSum: undefined } as const;
      for (let hour = 0; hour < 5; hour++) {
        const tallies = await Promise.all(times(12, () => commitAt(shop, AT + hour * HOUR, [three])));
        expect(tallies.map(([seen]) => seen?.count).sort()).toEqual([0, 1, 2, ...times(9, () => 3)]);
      }
      await endAll(shop);
    });
  });

  describe('the duplicate guard', () => {
    it('stops the same card and amount for a while, and nothing else', async () => {
      const shop = await newShop();
      await guard(shop, '60s');
      expect(await sold(shop)).toBe('approved');
      const status = await endOf(shop, await sale(shop));
      expect(outcome(status)).toBe('filtered 78');
      expect(await gateway.bookedFor(status['paynet-order-id'])).toEqual([]);
      expect(await sold(shop, { amount: '1043' })).toBe('approved');
      expect(await sold(shop, { credit_card_number: OTHER_CARD })).toBe('approved');
      gateway.clock.advance(MINUTE + 1);
      expect(await sold(shop)).toBe('approved');
    });

    it('lets a payer try again whose payment was declined', async () => {
      const shop = await newShop();
      await guard(shop, '60s');
      expect(await sold(shop, { cvv2: '116' })).toBe('declined 116');
      expect(await sold(shop)).toBe('approved');
      expect(await sold(shop)).toBe('filtered 78');
    });

    it('lets a payer try again who went back to the shop after a decline', async () => {
      const shop = await newShop();
      await guard(shop, '60s');
      const asking = { client: shop.client, endpoint: shop.id };
      const { payer, clientOrderId } = await openForm(gateway, 'sale-form', {}, asking);
      await payer.pay({ cvv2: '116' });
      await until('another card is asked for', async () => (await payer.state()) === 'card');
      await payer.pay({ leave: 'true' });
      await shop.client.untilFinal(clientOrderId, { endpoint: shop.id });
      expect(await sold(shop)).toBe('approved');
      expect(await sold(shop)).toBe('filtered 78');
    });

    it('can be changed and taken away', async () => {
      const shop = await newShop();
      await guard(shop, '60s');
      expect(await guard(shop, '2h')).toMatchObject({ duplicateWindow: '2h', limits: [] });
      await sold(shop);
      expect(await sold(shop)).toBe('filtered 78');
      expect(await guard(shop, 'none')).toMatchObject({ duplicateWindow: null });
      expect(await sold(shop)).toBe('approved');
    });
  });

  describe('a repeated request', () => {
    it('gives the same order, whatever the limit has come to', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 1 });
      await guard(shop, '60s');
      const [first, second] = [{ client_orderid: newOrderId() }, { client_orderid: newOrderId() }];
      const passed = await sale(shop, first);
      const stopped = await sale(shop, second);
      expect(outcome(await endOf(shop, stopped))).toBe('filtered 78');
      await ask('removeLimit', { endpointId: shop.id, kind: 'card', window: '1h' });
      await guard(shop, 'none');
      expect((await sale(shop, second)).body['paynet-order-id']).toBe(stopped.body['paynet-order-id']);
      await block(shop, { kind: 'bin', value: '411111' });
      expect((await sale(shop, first)).body['paynet-order-id']).toBe(passed.body['paynet-order-id']);
      expect(outcome(await endOf(shop, passed))).toBe('approved');
      expect(outcome(await endOf(shop, stopped))).toBe('filtered 78');
      expect(await sale(shop, { ...second, amount: '1043' })).toMatchObject({
        status: 400,
        body: { 'error-code': '31' },
      });
    });

    it('does not count, also when it comes many times at once', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 2 });
      const fields = { client_orderid: newOrderId() };
      const replies = await Promise.all(times(10, () => sale(shop, fields)));
      expect(new Set(replies.map(({ body }) => body['paynet-order-id'])).size).toBe(1);
      expect(outcome(await endOf(shop, replies[0] as Reply))).toBe('approved');
      expect(await marksOf(shop)).toHaveLength(1);
      expect(await sold(shop)).toBe('approved');
      expect(await sold(shop)).toBe('filtered 75');
    });

    it('with an Idempotency-Key gives the first reply', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 1 });
      const key = { headers: { 'idempotency-key': randomUUID() }, endpoint: shop.id };
      const fields = { client_orderid: newOrderId() };
      const replies = await Promise.all(times(5, () => shop.client.sale(fields, key)));
      expect(new Set(replies.map(({ body }) => body['serial-number'])).size).toBe(1);
      expect(outcome(await endOf(shop, replies[0] as Reply))).toBe('approved');
    });
  });

  describe('parallel orders', () => {
    it('pass as often as the limit allows, and no more', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 4 });
      const outcomes = await Promise.all(times(24, () => sold(shop)));
      expect(tally(outcomes)).toEqual({ approved: 4, 'filtered 75': 20 });
    });

    it('pass a limit by e-mail with different cards, and a sum, as one after the other would', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'email', window: '1h', amount: '30.00' });
      await limit(shop, { kind: 'address', window: '1h', count: 100 });
      const cards = [CARD, OTHER_CARD, THIRD_CARD];
      const outcomes = await Promise.all(
        times(18, (index) => sold(shop, { amount: '1000', credit_card_number: cards[index % 3] })),
      );
      expect(tally(outcomes)).toEqual({ approved: 3, 'filtered 76': 15 });
    });

    it('of one payment leave one', async () => {
      const shop = await newShop();
      await guard(shop, '60s');
      const outcomes = await Promise.all(times(12, () => sold(shop)));
      expect(tally(outcomes)).toEqual({ approved: 1, 'filtered 78': 11 });
    });

    // Two nodes need a server; the embedded database has one process.
    if (gateway.kind === 'postgres') {
      it('on two nodes pass as often as the limit allows, and no more', async () => {
        const shop = await newShop();
        await limit(shop, { kind: 'card', window: '1h', count: 5 });
        await guard(shop, '24h');
        const nodes = [shop, { ...shop, client: await gateway.second(shop.client) }];
        const outcomes = await Promise.all(
          times(40, (index) => sold(nodes[index % 2] as Shop, { amount: String(1000 + (index % 20)) })),
        );
        expect(outcomes.filter((one) => one === 'approved')).toHaveLength(5);
        expect(outcomes.every((one) => /^(approved|filtered 7[58])$/.test(one))).toBe(true);
        const amounts = await gateway.query(
          `select amount from velocity_marks where merchant_id = ${shop.id} and kind = 'payment' group by amount having count(*) > 1`,
        );
        expect(amounts).toEqual([]);
      });
    }
  });

  describe('block lists', () => {
    it.each<[kind: string, value: string, code: string, other: Fields, fields?: Fields]>([
      ['bin', '411111', '71', { credit_card_number: OTHER_CARD }],
      ['bin', '41111111', '71', { credit_card_number: THIRD_CARD }],
      ['email', 'ANN@example.com', '72', { email: 'bob@example.com' }],
      ['email', '@example.com', '72', { email: 'ann@example.org' }],
      ['address', '203.0.113.7', '73', { ipaddress: '203.0.113.8' }],
      ['address', '203.0.113.0/24', '73', { ipaddress: '203.0.114.7' }],
      ['address', '2001:db8::/32', '73', {}, { ipaddress: '2001:db8:7::1' }],
      ['country', 'us', '74', { country: 'CA' }],
    ])('with %s %s', async (kind, value, code, other, fields = {}) => {
      const shop = await newShop();
      const { value: kept } = await block(shop, { kind, value });
      const status = await endOf(shop, await sale(shop, fields));
      expect(outcome(status)).toBe(`filtered ${code}`);
      expect(status['error-message']).toContain('block list');
      expect(await gateway.bookedFor(status['paynet-order-id'])).toEqual([]);
      expect(await sold(shop, other)).toBe('approved');
      await ask('removeBlock', { login: shop.login, kind, value: kept });
      expect(await sold(shop, fields)).toBe('approved');
    });

    it("with an order's card stop it for that merchant alone", async () => {
      const [shop, other] = [await newShop(), await newShop()];
      const order = await endOf(shop, await sale(shop));
      const blocked = await block(shop, { kind: 'card', orderId: Number(order['paynet-order-id']), note: 'Stolen' });
      expect(blocked).toMatchObject({ kind: 'card', label: '411111******1111', note: 'Stolen', login: shop.login });
      expect(await sold(shop)).toBe('filtered 70');
      expect(await sold(shop, { credit_card_number: THIRD_CARD })).toBe('approved');
      expect(await sold(other)).toBe('approved');
      expect(await ask('listBlocks', { login: shop.login })).toEqual([blocked]);
      await ask('removeBlock', { login: shop.login, kind: 'card', value: blocked.value });
      expect(await sold(shop)).toBe('approved');
    });

    it("of the operator stop a card, named by one merchant's reference, for every merchant", async () => {
      const [shop, other] = [await newShop(), await newShop()];
      const cardReference = await storedCard(shop, { credit_card_number: THIRD_CARD });
      const others = await storedCard(other, { credit_card_number: THIRD_CARD });
      const given = { login: shop.login, everywhere: true, kind: 'card', cardReference: Number(cardReference) };
      expect(await ask('addBlock', given)).toMatchObject({ login: null, label: '424242******4242' });
      expect(await sold(other, { credit_card_number: THIRD_CARD })).toBe('filtered 70');
      expect(outcome(await rebill(other, others))).toBe('filtered 70');
      expect(await sold(other)).toBe('approved');
      await ask('removeBlock', given);
      expect(outcome(await rebill(other, others))).toBe('approved');
    });
  });

  describe('every operation that moves money', () => {
    const payerCard = { credit_card_number: CARD, expire_month: '12', expire_year: '2031', cvv2: '123' };

    it('preauthorisations and rebills count with sales', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 3 });
      const reference = await storedCard(shop);
      const preauth = shop.client.signedSale({}, { endpoint: shop.id });
      const held = await shop.client.post(`/api/v2/preauth/${shop.id}`, preauth);
      expect((await endOf(shop, held)).status).toBe('approved');
      expect(outcome(await rebill(shop, reference))).toBe('approved');
      const stopped = await rebill(shop, reference);
      expect(outcome(stopped)).toBe('filtered 75');
      expect(await gateway.bookedFor(stopped['paynet-order-id'])).toEqual([]);
      expect(await sold(shop)).toBe('filtered 75');
    });

    it('recurring payments', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 1 });
      const profile = await shop.client.oauth(
        '/api/v4/create-recurring-payment',
        {
          client_orderid: newOrderId(),
          rp_card_type: 'SRC',
          credit_card_number: CARD,
          expire_month: '12',
          expire_year: '2039',
          currency: 'USD',
          amount: '10.00',
        },
        { endpoint: shop.id },
      );
      const charge = async () => {
        const fields = { client_orderid: newOrderId(), 'recurring-payment-id': profile.body['recurring-payment-id'] };
        const path = '/api/v4/process-recurring-payment';
        return endOf(shop, await shop.client.oauth(path, fields, { endpoint: shop.id }));
      };
      expect(outcome(await charge())).toBe('approved');
      expect(outcome(await charge())).toBe('filtered 75');
    });

    it('payouts, whose payee counts apart from payers, and only if the balance covers them', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 2 });
      expect(await sold(shop, { amount: '5000' })).toBe('approved');
      const payout = (amount: string, card = CARD, path = '/api/v4/payout') => {
        const fields = { client_orderid: newOrderId(), amount, currency: 'USD', credit_card_number: card };
        return shop.client.oauth(path, fields, { endpoint: shop.id });
      };
      expect(await payout('50.01')).toMatchObject({ status: 400, body: { 'error-code': '45' } });
      expect(outcome(await endOf(shop, await payout('10.00')))).toBe('approved');
      expect((await payout('10.00', CARD, '/api/v4/payout-check')).body.status).toBe('processing');
      expect(outcome(await endOf(shop, await payout('10.00')))).toBe('filtered 75');
      expect(outcome(await endOf(shop, await payout('10.00', CARD, '/api/v4/payout-check')))).toBe('filtered 75');
      expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 4000, reserved: 0 });
      await block(shop, { kind: 'bin', value: '555555' });
      expect(outcome(await endOf(shop, await payout('10.00', OTHER_CARD)))).toBe('filtered 71');
      expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 4000, reserved: 0 });
      expect(await sold(shop)).toBe('approved');
    });

    it('parallel payouts stay within limit and balance', async () => {
      const shop = await newShop();
      await sold(shop, { amount: '10000' });
      await limit(shop, { kind: 'card', window: '1h', count: 3 });
      const outcomes = await Promise.all(
        times(12, async () => {
          const fields = { client_orderid: newOrderId(), amount: '10.00', currency: 'USD', credit_card_number: CARD };
          return outcome(await endOf(shop, await shop.client.oauth('/api/v4/payout', fields, { endpoint: shop.id })));
        }),
      );
      expect(tally(outcomes)).toEqual({ approved: 3, 'filtered 75': 9 });
      expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 7000, reserved: 0 });
    });

    it('transfers, by the card that pays, and by either card for lists', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 1 });
      const transfer = async (from: string, to: string) => {
        const order = { client_orderid: newOrderId(), amount: '10.00', currency: 'USD' };
        const fields = { ...order, ...payerCard, credit_card_number: from, 'destination-card-no': to };
        return endOf(shop, await shop.client.oauth('/api/v4/transfer', fields, { endpoint: shop.id }));
      };
      expect(outcome(await transfer(CARD, OTHER_CARD))).toBe('approved');
      const stopped = await transfer(CARD, OTHER_CARD);
      expect(outcome(stopped)).toBe('filtered 75');
      expect(await gateway.bookedFor(stopped['paynet-order-id'])).toEqual([]);
      expect(outcome(await transfer(THIRD_CARD, OTHER_CARD))).toBe('approved');
      await block(shop, { kind: 'bin', value: '555555' });
      expect(outcome(await transfer('4000000000000002', OTHER_CARD))).toBe('filtered 71');
    });

    it('account verifications pass lists, and do not count', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '1h', count: 1 });
      const verify = async () => {
        const { amount: _, currency: __, ...payer } = saleFields;
        const fields = { ...payer, client_orderid: newOrderId() };
        const signs = [String(shop.id), fields.client_orderid, fields.email];
        return endOf(shop, await send(shop, '/api/v2/account-verification', fields, signs));
      };
      expect(outcome(await verify())).toBe('approved');
      expect(outcome(await verify())).toBe('approved');
      expect(await marksOf(shop)).toEqual([]);
      await block(shop, { kind: 'email', value: '@example.com' });
      expect(outcome(await verify())).toBe('filtered 72');
    });
  });

  describe('administration', () => {
    it('shows what is set', async () => {
      const shop = await newShop();
      await limit(shop, { kind: 'card', window: '60m', count: 5 });
      await limit(shop, { kind: 'card', window: '1h', count: 6 });
      await limit(shop, { kind: 'email', window: '24h', amount: '500.00' });
      const view = await guard(shop, '90s');
      expect(view).toEqual({
        endpointId: shop.id,
        login: shop.login,
        currency: 'USD',
        limits: [
          { kind: 'card', window: '1h', count: 6, amount: null },
          { kind: 'email', window: '1d', count: null, amount: '500.00' },
        ],
        duplicateWindow: '90s',
      });
      expect(await ask('listLimits', { login: shop.login })).toEqual([view]);
      expect(await ask('listLimits', { endpointId: shop.id })).toEqual([view]);
    });

    it.each<[title: string, verb: VerbName, given: Given, says: string]>([
      ['no endpoint', 'setLimit', { kind: 'card', window: '1h', count: 1 }, 'endpointId is missing'],
      [
        'an unknown endpoint',
        'setLimit',
        { endpointId: 9999999, kind: 'card', window: '1h', count: 1 },
        'there is no endpoint 9999999',
      ],
      [
        'an unknown kind',
        'setLimit',
        { endpointId: 101, kind: 'phone' },
        'kind: one of card, email, address is needed, not "phone"',
      ],
      [
        'no window',
        'setLimit',
        { endpointId: 101, kind: 'card' },
        'window: a time up to 31d such as 90s, 30m, 24h or 7d is needed, not "nothing"',
      ],
      ['too long a window', 'setLimit', { endpointId: 101, kind: 'card', window: '32d' }, 'window: a time up to 31d'],
      ['no limit at all', 'setLimit', { endpointId: 101, kind: 'card', window: '1h' }, 'count or amount is missing'],
      [
        'a count of nothing',
        'setLimit',
        { endpointId: 101, kind: 'card', window: '1h', count: 0 },
        'count: a whole number',
      ],
      [
        'too fine an amount',
        'setLimit',
        { endpointId: 104, kind: 'card', window: '1h', amount: '5.5' },
        'amount: an amount in JPY such as 50000 is needed, not "5.5"',
      ],
      [
        'a limit that is not there',
        'removeLimit',
        { endpointId: 101, kind: 'card', window: '1h' },
        'endpoint 101 has no limit by card for 1h',
      ],
      [
        'a guard without a window',
        'setDuplicateGuard',
        { endpointId: 101 },
        'window: a time up to 31d such as 90s, 30m, 24h or 7d, or none is needed',
      ],
      ['no list', 'addBlock', { kind: 'country', value: 'US' }, 'login is missing'],
      [
        'an unknown merchant',
        'addBlock',
        { login: 'nobody', kind: 'country', value: 'US' },
        'there is no merchant "nobody"',
      ],
      ['no value', 'addBlock', { login: 'demo', kind: 'country' }, 'value is missing: a two-letter ISO 3166-1 code'],
      [
        'a wrong value',
        'addBlock',
        { login: 'demo', kind: 'address', value: '1.2.3' },
        'value: an address such as 192.0.2.7',
      ],
      [
        'a card number',
        'addBlock',
        { login: 'demo', kind: 'card', value: CARD },
        'a card is named by one of orderId and cardReference, never by its number',
      ],
      [
        'a card number as issuer',
        'addBlock',
        { login: 'demo', kind: 'bin', value: CARD },
        'value: the first 6 or 8 digits of cards is needed, not "411111******1111"',
      ],
      [
        'an unknown order',
        'addBlock',
        { login: 'demo', kind: 'card', orderId: 12 },
        'merchant demo has no order "12" with a card',
      ],
      [
        'an unknown reference',
        'addBlock',
        { login: 'demo', kind: 'card', cardReference: 12 },
        'merchant demo has no card reference "12"',
      ],
      [
        'an entry that is not there',
        'removeBlock',
        { login: 'demo', kind: 'bin', value: '400000' },
        'the list has no bin "400000"',
      ],
    ])('refuses %s in one line', async (_, verb, given, says) => {
      const error = await ask(verb, given).then(
        () => undefined,
        (thrown) => thrown,
      );
      expect(error).toBeInstanceOf(InvalidInput);
      expect(error.message).toContain(says);
      expect(error.message).not.toContain('\n');
    });
  });

  it('leaves books that agree with the bank', async () => {
    gateway.clock.advance(25 * HOUR);
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
