// Money that people move in the place of a merchant: by the rules that its requests meet, with a reason that stays, and
// above a set amount by two people together.

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditStore } from '../../src/storage/audit.ts';
import { CARD, type Client, describeGateway, newOrderId, type ReplyBody, until } from '../harness.ts';
import type { TestShop } from '../test-shop.ts';
import { stagesOfOrder, untilBanksAnswered } from './banks-answered.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from './person-browser.ts';
import { toldReturned } from './whole-life.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PATIENCE_MS = 60_000;

type Answer = { readonly status: number; readonly body: ReplyBody };

describeGateway('money by people', { acquirerTimeoutMs: 3_000 }, (gateway) => {
  const { demo } = gateway;
  let ann: PersonBrowser;
  let bob: PersonBrowser;
  let viewer: PersonBrowser;
  let callbacks: TestShop;

  const local = async (verb: string, given: object = {}): Promise<Answer> => {
    const { url, token } = await localNote(gateway.dataFolder);
    return askBy(url, token, verb, given);
  };
  const person = async (name: string, role = 'operator', login?: string) => {
    await hire(gateway, name, role, login);
    const browser = new PersonBrowser(() => gateway.adminUrl);
    await browser.signIn(name, PASSWORD);
    return browser;
  };
  const twoAbove = (...amounts: string[]) =>
    local('setMerchant', { login: 'demo', secondPersonAbove: amounts.length === 0 ? ['none'] : amounts });
  const orderIdOf = (order: ReplyBody) => Number(order['paynet-order-id']);
  const asked = (who: PersonBrowser, verb: string, order: ReplyBody, more: object = {}): Promise<Answer> =>
    who.verb(verb, { orderId: orderIdOf(order), reason: 'ticket 77', ...more });
  const stagesOf = (order: ReplyBody) => stagesOfOrder(gateway, orderIdOf(order));
  const audited = async (count = 1) => auditStore(gateway.database).list({ before: undefined, limit: count });
  const eventsOf = (order: ReplyBody) =>
    gateway.query(
      `select event->'by' as by, event->>'reason' as reason from order_events
       where order_id = ${orderIdOf(order)} and event->'by' is not null order by version`,
    );
  const waiting = async (): Promise<ReplyBody[]> => (await ann.verb('listDeeds')).body.answer;

  beforeAll(async () => {
    callbacks = await gateway.shop();
    ann = await person('ann');
    bob = await person('bob');
    viewer = await person('vic', 'viewer');
  });
  beforeEach(() => twoAbove());
  afterEach(async () => {
    for (const { deedId } of await waiting()) await ann.verb('rejectDeed', { deedId, reason: 'cleared' });
    await untilBanksAnswered(gateway);
    expect(await gateway.discrepancies()).toEqual([]);
  });

  describe('alone', () => {
    it('a person captures a part, returns a part of it and releases the rest', async () => {
      const order = await demo.preauthUntilFinal();
      expect((await asked(ann, 'captureOrder', order, { amount: '60.00' })).body.answer).toMatchObject({
        orderId: orderIdOf(order),
        login: 'demo',
        amount: '60.00',
        currency: 'USD',
        transaction: 2,
        waits: null,
      });
      await untilBanksAnswered(gateway);
      await asked(ann, 'returnOrder', order, { amount: '10.00' });
      await asked(ann, 'returnOrder', order, { from: 'hold' });
      expect(await stagesOf(order)).toEqual([
        'preauth approved 10000',
        'capture approved 6000',
        'reversal approved 1000',
        'cancel approved 4000',
      ]);
    });

    it('a person voids a sale, and its merchant is told as of its own request', async () => {
      const order = await demo.saleUntilFinal({ notify_url: callbacks.url() });
      expect((await asked(ann, 'voidOrder', order)).status).toBe(200);
      expect(await stagesOf(order)).toEqual(['sale approved 1042', 'void approved 1042']);
      const told = () => callbacks.of(order).filter(({ fields }) => fields.type === 'void');
      await until('the merchant is told', () => told().length > 0, PATIENCE_MS);
      expect(told()[0]?.fields).toMatchObject({ type: 'void', status: 'approved' });
      expect(callbacks.complaints).toEqual([]);
    });

    it('who and why stay with the order and in the audit chain, without card numbers', async () => {
      const order = await demo.saleUntilFinal();
      await asked(ann, 'returnOrder', order, { reason: `charged twice, card ${CARD}` });
      const [event] = await eventsOf(order);
      expect(event?.by).toEqual({ asked: expect.stringMatching(/^ann by session /) });
      expect(event?.reason).toMatch(/^charged twice, card 411111\*+1111$/);
      const [entry] = await audited();
      expect(entry).toMatchObject({
        who: expect.stringMatching(/^ann by session /),
        action: 'returnOrder',
        subject: `order ${orderIdOf(order)}`,
      });
      expect(entry?.details).not.toContain(CARD);
      const { body } = await ann.verb('showOrder', { orderId: orderIdOf(order) });
      expect(JSON.stringify(body.answer.story)).toMatch(/"by":\{"asked":"ann by session /);
    });

    it('the rules of the order refuse, in the words a merchant is told, and nothing is written', async () => {
      const order = await demo.saleUntilFinal();
      const before = await audited();
      const tooMuch = await asked(ann, 'returnOrder', order, { amount: '10.43' });
      const own = await demo.followUp('return', order, { amount: '10.43', currency: 'USD' });
      expect([tooMuch.status, tooMuch.body.error]).toEqual([400, own.body['error-message']]);
      expect((await asked(ann, 'captureOrder', order)).body.error).toMatch(/only an approved preauthorization/);
      expect((await asked(ann, 'returnOrder', order, { amount: '1.001' })).body.error).toMatch(/an amount in USD/);
      expect((await ann.verb('returnOrder', { orderId: 999_999_999, reason: 'x' })).body.error).toMatch(/no order/);
      expect((await ann.verb('returnOrder', { orderId: orderIdOf(order) })).body.error).toMatch(/^reason is missing/);
      expect(await audited()).toEqual(before);
    });

    it('only an operator may', async () => {
      const order = await demo.saleUntilFinal();
      for (const verb of ['captureOrder', 'voidOrder', 'returnOrder']) {
        expect((await asked(viewer, verb, order)).status).toBe(403);
      }
      expect(await stagesOf(order)).toEqual(['sale approved 1042']);
    });

    it('a whole return is made once, and an equal part only when it is meant again', async () => {
      const order = await demo.saleUntilFinal();
      await asked(ann, 'returnOrder', order, { amount: '2.00' });
      const second = await asked(bob, 'returnOrder', order, { amount: '2.00' });
      expect([second.status, second.body.error]).toEqual([400, expect.stringMatching(/equal return of 2\.00 USD/)]);
      expect((await asked(bob, 'returnOrder', order, { amount: '2.00', again: true })).status).toBe(200);
      await untilBanksAnswered(gateway);
      await demo.followUpUntilFinal('return', order, { amount: '3.00', currency: 'USD' });
      expect((await asked(ann, 'returnOrder', order, { amount: '3.00' })).body.error).toMatch(/equal return/);
      expect((await asked(ann, 'returnOrder', order)).status).toBe(200);
      expect((await asked(ann, 'returnOrder', order)).status).toBe(400);
      expect(await stagesOf(order)).toEqual([
        'sale approved 1042',
        'reversal approved 200',
        'reversal approved 200',
        'reversal approved 300',
        'reversal approved 342',
      ]);
    });

    it('people and the merchant who return the whole at once give it back once', async () => {
      const order = await demo.saleUntilFinal();
      const replies = await Promise.all([
        ...[ann, bob, ann].map((who) => asked(who, 'returnOrder', order)),
        demo.followUp('return', order, { comment: 'a' }),
        demo.followUp('return', order, { comment: 'b' }),
      ]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await stagesOf(order)).toEqual(['sale approved 1042', 'reversal approved 1042']);
    });
  });

  describe('above an amount', () => {
    const wait = async (order: ReplyBody, who = ann, more: object = {}) => {
      const { body } = await asked(who, 'returnOrder', order, more);
      expect(body.answer).toMatchObject({ transaction: null, waits: { deedId: expect.any(Number) } });
      return body.answer.waits.deedId as number;
    };
    const approve = (who: PersonBrowser, deedId: number): Promise<Answer> => who.verb('approveDeed', { deedId });

    it('it waits, and is done when somebody else approves it; both are named', async () => {
      await twoAbove('5.00 USD', '9 eur');
      const order = await demo.saleUntilFinal();
      const deedId = await wait(order);
      expect(await waiting()).toMatchObject([
        { deedId, kind: 'return', orderId: orderIdOf(order), amount: '10.42', currency: 'USD', reason: 'ticket 77' },
      ]);
      expect(await stagesOf(order)).toEqual(['sale approved 1042']);
      expect((await approve(bob, deedId)).status).toBe(200);
      expect(await stagesOf(order)).toEqual(['sale approved 1042', 'reversal approved 1042']);
      expect(await waiting()).toEqual([]);
      const [event] = await eventsOf(order);
      const [asker, approver] = [/^ann by session /, /^bob by session /].map((one) => expect.stringMatching(one));
      expect(event).toEqual({ by: { asked: asker, approved: approver }, reason: 'ticket 77' });
      const [entry] = await audited();
      expect(entry).toMatchObject({ who: approver, action: 'approveDeed', subject: `order ${orderIdOf(order)}` });
      expect(JSON.parse(entry?.details as string)).toMatchObject({ deedId, askedBy: asker, amount: '10.42' });
      expect((await approve(bob, deedId)).status).toBe(400);
    });

    it('nobody is their own second person, neither by session, by token nor by the local command line', async () => {
      await twoAbove('5.00 USD');
      const order = await demo.saleUntilFinal();
      const deedId = await wait(order);
      const until = new Date(gateway.clock.now() + DAY_MS).toISOString();
      const made = await local('addToken', { name: 'ann', label: 't', role: 'operator', until });
      const byToken = await askBy(gateway.adminUrl, made.body.answer.token, 'approveDeed', { deedId });
      expect([(await approve(ann, deedId)).status, byToken.status]).toEqual([403, 403]);
      expect((await local('approveDeed', { deedId })).status).toBe(403);
      expect((await approve(viewer, deedId)).status).toBe(403);
      expect(await stagesOf(order)).toEqual(['sale approved 1042']);
    });

    it('what the local command line asks for, a person approves', async () => {
      await twoAbove('5.00 USD');
      const order = await demo.saleUntilFinal();
      const { body } = await local('returnOrder', { orderId: orderIdOf(order), reason: 'by command' });
      const { deedId } = body.answer.waits;
      expect((await local('approveDeed', { deedId })).status).toBe(403);
      expect((await approve(ann, deedId)).status).toBe(200);
      expect(await stagesOf(order)).toEqual(['sale approved 1042', 'reversal approved 1042']);
    });

    it('parts count together, and what a second person approved does not', async () => {
      await twoAbove('5.00 USD');
      const order = await demo.saleUntilFinal();
      const alone = (amount: string) => asked(ann, 'returnOrder', order, { amount });
      expect((await alone('3.00')).body.answer.waits).toBeNull();
      expect((await alone('2.00')).body.answer.waits).toBeNull();
      const { deedId } = (await alone('0.01')).body.answer.waits;
      expect((await approve(bob, deedId)).status).toBe(200);
      expect(await stagesOf(order)).toHaveLength(4);
    });

    it('approvals at once, and a rejection among them, do it once or not at all', async () => {
      await twoAbove('1.00 USD');
      const eve = await person('eve');
      for (let round = 0; round < 3; round++) {
        const order = await demo.saleUntilFinal();
        const deedId = await wait(order);
        const replies = await Promise.all([
          approve(bob, deedId),
          approve(eve, deedId),
          bob.verb('rejectDeed', { deedId, reason: 'no' }),
          approve(bob, deedId),
        ]);
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
        const isDone = replies[2]?.status !== 200;
        expect((await stagesOf(order)).length).toBe(isDone ? 2 : 1);
      }
    });

    it("the merchant's own return and an approval at once give it back once", async () => {
      await twoAbove('1.00 USD');
      const order = await demo.saleUntilFinal();
      const deedId = await wait(order);
      const [approved, own] = await Promise.all([approve(bob, deedId), demo.followUp('return', order)]);
      expect([approved.status, own.status].filter((one) => one === 200)).toHaveLength(1);
      expect(await stagesOf(order)).toEqual(['sale approved 1042', 'reversal approved 1042']);
      const late = await approve(bob, deedId);
      expect(late.status).toBe(400);
    });

    it('the rules decide when it is approved: what is gone by then is refused, and says why', async () => {
      await twoAbove('5.00 USD');
      const order = await demo.saleUntilFinal();
      const deedId = await wait(order);
      await demo.followUpUntilFinal('return', order, { amount: '1.00', currency: 'USD' });
      const refused = await approve(bob, deedId);
      expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('9.42 USD')]);
      expect(await waiting()).toHaveLength(1);
      expect((await ann.verb('rejectDeed', { deedId, reason: 'mine' })).status).toBe(200);
    });

    it('the same deed does not wait twice', async () => {
      await twoAbove('5.00 USD');
      const order = await demo.saleUntilFinal();
      const deedId = await wait(order);
      expect((await asked(bob, 'returnOrder', order)).body.error).toContain(`as deed ${deedId}`);
    });

    it('a payout and a void wait as well', async () => {
      const shop = await gateway.newMerchant();
      const { login } = shop.client;
      await local('setMerchant', { login, secondPersonAbove: ['5.00 USD'] });
      const sale = await shop.client.saleUntilFinal({ amount: '5000' }, { endpoint: shop.id });
      const payout = await waitingPayout(shop);
      const given = { login, orderId: orderIdOf(payout), reason: 'by telephone' };
      expect((await ann.verb('approvePayout', { ...given, orderId: orderIdOf(sale) })).status).toBe(400);
      const { deedId } = (await ann.verb('approvePayout', given)).body.answer.waits;
      expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 5000 });
      expect((await approve(bob, deedId)).status).toBe(200);
      await until('the payout is made', async () => (await stageOf(payout)) === 'approved');
      expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 4000, reserved: 0 });
      const voided = (await asked(ann, 'voidOrder', sale)).body.answer.waits;
      expect((await approve(bob, voided.deedId)).status).toBe(200);
      expect(await stagesOf(sale)).toEqual(['sale approved 5000', 'void approved 5000']);
    });

    it('a payout below the amount is made at once, with who and why', async () => {
      const shop = await gateway.newMerchant();
      await shop.client.saleUntilFinal({ amount: '5000' }, { endpoint: shop.id });
      const payout = await waitingPayout(shop);
      const given = { login: shop.client.login, orderId: orderIdOf(payout), reason: 'by telephone' };
      expect((await ann.verb('approvePayout', given)).body.answer.waits).toBeNull();
      await until('the payout is made', async () => (await stageOf(payout)) === 'approved');
      expect(await eventsOf(payout)).toEqual([
        { by: { asked: expect.stringMatching(/^ann by session /) }, reason: 'by telephone' },
      ]);
      expect((await ann.verb('approvePayout', given)).status).toBe(400);
    });

    it('a payout that came back is booked once, with who and why, and above the amount by two', async () => {
      const shop = await gateway.newMerchant();
      const { login } = shop.client;
      const sale = await shop.client.saleUntilFinal({ amount: '5000' }, { endpoint: shop.id });
      const returned = async (): Promise<ReplyBody> => {
        const payout = await waitingPayout(shop);
        expect((await asked(ann, 'bookReturnedPayout', payout)).body.error).toContain('that was approved');
        await ann.verb('approvePayout', { login, orderId: orderIdOf(payout), reason: 'by telephone' });
        await until('the payout is made', async () => (await stageOf(payout)) === 'approved');
        await gateway.bank.reverse(await gateway.bankReference(payout['paynet-order-id']));
        return payout;
      };
      const first = await returned();
      expect((await asked(viewer, 'bookReturnedPayout', first)).status).toBe(403);
      expect((await ann.verb('bookReturnedPayout', { orderId: orderIdOf(first) })).status).toBe(400);
      expect((await asked(ann, 'bookReturnedPayout', sale)).body.error).toContain('only a payout');
      expect((await asked(ann, 'bookReturnedPayout', first)).body.answer).toMatchObject({
        ...{ login, amount: '10.00', transaction: 2, waits: null },
      });
      expect(await eventsOf(first)).toContainEqual({
        by: { asked: expect.stringMatching(/^ann by session /) },
        reason: 'ticket 77',
      });
      expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 5000, reserved: 0 });
      expect((await asked(ann, 'bookReturnedPayout', first)).body.error).toContain('as transaction 2');
      const reference = await gateway.bankReference(first['paynet-order-id']);
      expect((await toldReturned(gateway, reference)).status).toBe(200);
      expect(await stagesOf(first)).toEqual(['payout approved 1000', 'reversal approved 1000']);
      const second = await returned();
      await local('setMerchant', { login, secondPersonAbove: ['5.00 USD'] });
      const { deedId } = (await asked(ann, 'bookReturnedPayout', second)).body.answer.waits;
      expect(await stagesOf(second)).toEqual(['payout approved 1000']);
      expect((await approve(ann, deedId)).status).toBe(403);
      const ofShop = await person('sam', 'operator', login);
      expect((await asked(ofShop, 'bookReturnedPayout', second)).status).toBe(403);
      expect((await approve(ofShop, deedId)).body.error).toContain('only people who run the gateway');
      expect(await stagesOf(second)).toEqual(['payout approved 1000']);
      expect((await approve(bob, deedId)).status).toBe(200);
      expect(await stagesOf(second)).toEqual(['payout approved 1000', 'reversal approved 1000']);
      expect(await gateway.balances(shop.id)).toMatchObject({ merchant: 5000, reserved: 0 });
    });

    // The last one: it puts the clock forward by a week.
    it('a deed is over after seven days', async () => {
      await twoAbove('5.00 USD');
      const order = await demo.saleUntilFinal();
      const deedId = await wait(order);
      gateway.clock.advance(7 * DAY_MS);
      for (const who of [ann, bob]) await who.signIn(who === ann ? 'ann' : 'bob', PASSWORD);
      expect(await waiting()).toEqual([]);
      const late = await approve(bob, deedId);
      expect([late.status, late.body.error]).toEqual([400, expect.stringMatching(/over/)]);
      expect(await stagesOf(order)).toEqual(['sale approved 1042']);
      expect((await asked(ann, 'returnOrder', order)).body.answer.waits).not.toBeNull();
      expect(await gateway.query('select count(*)::int as count from waiting_deeds')).toEqual([{ count: 1 }]);
    });
  });

  async function waitingPayout({ client, id }: { client: Client; id: number }): Promise<ReplyBody> {
    const fields = { client_orderid: newOrderId(), amount: '10.00', currency: 'USD', credit_card_number: CARD };
    const { body } = await client.oauth('/api/v4/payout-check', fields, { endpoint: id });
    return body;
  }

  async function stageOf(order: ReplyBody): Promise<unknown> {
    const rows = await gateway.query(`select stage from transactions where order_id = ${orderIdOf(order)}`);
    return rows[0]?.stage;
  }
});
