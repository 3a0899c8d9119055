// Declined cards on hosted forms: how many may be tried, the way back to the shop between two of them, and that nobody
// who leaves leaves money behind.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeGateway, type Fields, sha1, until } from '../harness.ts';
import { TestShop } from '../test-shop.ts';
import { hiddenFields, type Opened, openForm, Payer } from './form-payer.ts';

const MINUTE_MS = 60_000;
const DECLINED = { cvv2: '116' };
const LEAVE = { leave: 'true' };

describeGateway('declined cards on hosted forms', { acquirerTimeoutMs: 500, leaseMs: 1_500 }, (gateway) => {
  const { demo } = gateway;
  let shop: TestShop;

  beforeAll(async () => {
    shop = await TestShop.open({ key: demo.key, now: () => gateway.clock.now() });
  });
  afterAll(async () => {
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
    await shop.close();
  });

  const untilState = (payer: Payer, state: string) =>
    until(`the page is at ${state}`, async () => (await payer.state()) === state);
  const links = () => ({ redirect_url: 'https://shop.example/back', server_callback_url: shop.url('/server') });
  const wayOut = (text: string) => /name="leave" value="true">([^<]*)</.exec(text)?.[1];
  const outcomesOf = async ({ orderId }: Opened) => (await gateway.bookedFor(orderId)).map(({ outcome }) => outcome);

  /** A form whose first card was declined, and what its page would send. */
  async function declinedOnce(changes: Fields = {}) {
    const opened = await openForm(gateway, 'sale-form', changes);
    await opened.payer.pay(DECLINED);
    await untilState(opened.payer, 'card');
    return { ...opened, hidden: hiddenFields((await opened.payer.open()).text) };
  }

  describe('how many may be tried', () => {
    it('where it is one, the decline ends the order: the shop and the payer are told at once', async () => {
      const { client, id } = await gateway.newMerchant({ formTries: 1 });
      const told = await TestShop.open({ key: client.key, now: () => gateway.clock.now() });
      const addresses = { redirect_url: 'https://shop.example/back', server_callback_url: told.url('/server') };
      const { clientOrderId, orderId, payer, reply } = await openForm(gateway, 'sale-form', addresses, {
        client,
        endpoint: id,
      });
      await payer.pay(DECLINED);
      expect(await client.untilFinal(clientOrderId, { endpoint: id })).toMatchObject({
        status: 'declined',
        'error-code': '116',
      });
      await until('the callback came', () => told.of(reply.body).length === 1);
      expect(told.of(reply.body)).toMatchObject([{ fields: { status: 'declined', error_code: '116' } }]);
      await told.close();
      const page = await payer.open();
      expect([page.status, page.text.includes('Payment declined')]).toEqual([200, true]);
      expect(page.text).not.toMatch(/Too many|credit_card_number|name="leave"/);
      expect(page.text).toContain('action="https://shop.example/back"');
      expect(hiddenFields(page.text)).toMatchObject({ status: 'declined', error_code: '116' });
      expect(await gateway.bookedFor(orderId)).toHaveLength(1);
    });

    it.each([
      [{ legacyReplies: true }, 1],
      [{ legacyReplies: true, formTries: 2 }, 2],
      [{ formTries: 5 }, 5],
      [{}, 3],
    ])('with %j it is %i', async (settings, tries) => {
      const { client, id } = await gateway.newMerchant(settings);
      const { clientOrderId, orderId, payer } = await openForm(gateway, 'sale-form', {}, { client, endpoint: id });
      for (let left = tries - 1; left > 0; left--) {
        await payer.pay(DECLINED);
        await untilState(payer, 'card');
        expect((await payer.open()).text).toContain(left === 1 ? 'one more card' : `${left} more cards`);
      }
      await payer.pay(DECLINED);
      expect(await client.untilFinal(clientOrderId, { endpoint: id })).toMatchObject({ status: 'declined' });
      expect(await payer.state()).toBe(tries === 1 ? 'declined' : 'locked');
      expect(await gateway.bookedFor(orderId)).toHaveLength(tries);
    });

    it('is what it was when the form was opened', async () => {
      const { client, id } = await gateway.newMerchant({ formTries: 1 });
      const { clientOrderId, payer } = await openForm(gateway, 'sale-form', {}, { client, endpoint: id });
      await gateway.administer(`update endpoints set form_tries = 5 where endpoint_id = ${id}`);
      await gateway.query('update configuration_version set version = version + 1');
      await gateway.refresh();
      await payer.pay(DECLINED);
      expect(await client.untilFinal(clientOrderId, { endpoint: id })).toMatchObject({ status: 'declined' });
    });
  });

  describe('the way back to the shop', () => {
    it('is there between two cards, and ends the order like the card before', async () => {
      const opened = await openForm(gateway, 'sale-form', { ...links(), notify_url: shop.url('/notify') });
      const { clientOrderId, orderId, payer, reply } = opened;
      expect(wayOut((await payer.open()).text)).toBeUndefined();
      await payer.pay(DECLINED);
      await untilState(payer, 'card');
      const { text } = await payer.open();
      expect(wayOut(text)).toBe('Return to Demo merchant');
      const left = await payer.send(hiddenFields(text), LEAVE);
      expect(left.status).toBe(303);
      const status = (await demo.status({ client_orderid: clientOrderId })).body;
      expect(status).toMatchObject({
        ...{ status: 'declined', 'order-stage': 'sale_declined', 'error-code': '116' },
        ...{ 'last-four-digits': '1111', amount: '10.42' },
      });
      const page = await payer.open(new URL(left.headers.get('location') ?? '', gateway.origin).search);
      const backForm = '<form method="post" action="https://shop.example/back" class="back" data-return=';
      expect(page.text).toContain(`${backForm}"now"`);
      // Only who pressed the button is taken there at once, not who opens the link again or has another tab.
      expect((await payer.open()).text).toContain(`${backForm}""`);
      expect(hiddenFields(page.text)).toMatchObject({
        ...{ status: 'declined', error_code: '116' },
        control: sha1(`declined${orderId}${clientOrderId}${demo.key}`),
      });
      await until('all callbacks came', () => shop.of(reply.body).length === 2);
      const told = shop.of(reply.body).map(({ path, fields }) => [path, fields.status, fields.error_code]);
      expect(told.sort()).toEqual([
        ['/notify', 'declined', '116'],
        ['/server', 'declined', '116'],
      ]);
      expect(shop.complaints).toEqual([]);
      expect(await outcomesOf(opened)).toEqual(['declined']);
    });

    it('is there without an address too, and then only ends the order', async () => {
      const { clientOrderId, payer, hidden } = await declinedOnce();
      expect(wayOut((await payer.open('?lang=de')).text)).toBe('Abbrechen');
      await payer.send(hidden, LEAVE);
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'declined', 'error-code': '116' });
      expect((await payer.open()).text).toContain('Payment declined');
    });

    it('is taken once, however often it is clicked, and no card is taken after it', async () => {
      const opened = await declinedOnce(links());
      const { clientOrderId, payer, reply, hidden } = opened;
      const replies = await Promise.all(Array.from({ length: 8 }, () => payer.send(hidden, LEAVE)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
      expect((await payer.send(hidden)).status).toBe(303);
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'declined' });
      expect(await outcomesOf(opened)).toEqual(['declined']);
      await until('the callback came', () => shop.of(reply.body).length > 0);
      expect(shop.of(reply.body)).toHaveLength(1);
    });

    it('is opened by nobody but the page itself', async () => {
      const other = await declinedOnce();
      const { payer, hidden } = await declinedOnce();
      // Whoever writes the address of the page after it changes nothing.
      expect((await payer.open('?left')).text).toContain('name="leave"');
      const attempts: [Fields, Record<string, string>][] = [
        [{ ...hidden, proof: undefined }, {}],
        [{ ...hidden, proof: other.hidden.proof }, {}],
        [hidden, { 'sec-fetch-site': 'cross-site' }],
        [hidden, { origin: 'https://evil.example' }],
      ];
      for (const [fields, headers] of attempts) expect((await payer.send(fields, LEAVE, headers)).status).toBe(403);
      expect(await payer.state()).toBe('card');
    });

    it('is not there before a card was declined, whoever asks for it', async () => {
      const { clientOrderId, payer } = await openForm(gateway, 'sale-form');
      expect((await payer.pay(LEAVE)).status).toBe(303);
      expect(await payer.state()).toBe('card');
      await payer.pay();
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
    });

    it('from a page that is out of date changes nothing', async () => {
      const { clientOrderId, payer, hidden } = await declinedOnce();
      await payer.send(hidden, DECLINED);
      await until('the third card is asked for', async () => hiddenFields((await payer.open()).text).try === '3');
      expect((await payer.send(hidden, LEAVE)).status).toBe(303);
      expect(await payer.state()).toBe('card');
      await payer.pay();
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
    });

    it('never abandons money that is on its way', async () => {
      const { clientOrderId, orderId, payer, hidden } = await declinedOnce();
      gateway.bank.faults.set({ messages: ['instruct', 'inquire'], loseAnswerRate: 1 });
      await payer.send(hidden);
      expect((await payer.send(hidden, LEAVE)).status).toBe(303);
      expect(await payer.state()).toBe('processing');
      gateway.bank.faults.set({});
      expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
      expect((await gateway.bookedFor(orderId)).map(({ outcome }) => outcome)).toEqual(['declined', 'approved']);
    });

    /** Some leave and others pay, all at once: the bank's books say who was first, and so does the order. */
    async function race(pages: (opened: Opened) => readonly Payer[]): Promise<void> {
      for (let round = 0; round < 6; round++) {
        const opened = await declinedOnce();
        const sent = pages(opened).flatMap((page, index) =>
          (index + round) % 2 === 0
            ? [page.send(opened.hidden, LEAVE), page.send(opened.hidden)]
            : [page.send(opened.hidden), page.send(opened.hidden, LEAVE)],
        );
        for (const { status } of await Promise.all(sent)) expect(status).toBe(303);
        const { status } = await demo.untilFinal(opened.clientOrderId);
        expect(await outcomesOf(opened)).toEqual(status === 'approved' ? ['declined', 'approved'] : ['declined']);
      }
    }

    it('and another card at the same time: one of them counts', async () => {
      await race(({ payer }) => [payer, payer, payer]);
    });

    // The embedded database has one node.
    if (gateway.kind !== 'pglite') {
      it('and another card at two nodes at the same time: one of them counts', async () => {
        const { origin } = await gateway.secondGateway();
        await race(({ payer, address }) => [payer, new Payer(origin, address), payer, new Payer(origin, address)]);
      });
    }
  });

  it('a form that is left after a decline ends with its code when the time is over', async () => {
    const { clientOrderId, payer, reply } = await declinedOnce(links());
    gateway.clock.advance(30 * MINUTE_MS);
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'declined', 'error-code': '116' });
    const { text } = await payer.open();
    expect(text).toContain('Payment declined');
    expect(text).toContain('class="back" data-return=""');
    await until('the callback came', () => shop.of(reply.body).length === 1);
    expect(shop.of(reply.body)).toMatchObject([{ fields: { status: 'declined', error_code: '116' } }]);
  });
});
