// Orders in the console: they are found, understood and given back by people who may, taken away as CSV, and nobody
// sees or does there what their role or their merchant does not let them.

import { get } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditStore } from '../../src/storage/audit.ts';
import { CARD, type Client, describeGateway, newOrderId, type ReplyBody, until } from '../harness.ts';
import { stagesOfOrder, untilBanksAnswered } from './banks-answered.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from './person-browser.ts';

const EVIL = '<script>alert(1)</script>';
const PATIENCE_MS = 60_000;
const SHORT = { acquirerTimeoutMs: 3_000, leaseMs: 5_000 };

describeGateway('orders in the console', SHORT, (gateway) => {
  const { demo } = gateway;
  let ann: PersonBrowser;
  let bob: PersonBrowser;
  let viewer: PersonBrowser;
  let theirs: PersonBrowser;
  let other: { client: Client; id: number };
  let stuck: number;

  const local = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(gateway.dataFolder);
    return askBy(url, token, verb, given);
  };
  const person = async (name: string, role: string, login?: string) => {
    await hire(gateway, name, role, login);
    const browser = new PersonBrowser(() => gateway.adminUrl);
    await browser.signIn(name, PASSWORD);
    return browser;
  };
  const idOf = (order: ReplyBody) => Number(order['paynet-order-id']);
  const stagesOf = (orderId: number) => stagesOfOrder(gateway, orderId);
  const newest = async () => (await auditStore(gateway.database).list({ before: undefined, limit: 1 }))[0];
  const saidBy = (location: string | undefined) => new URL(location ?? '', 'http://x').searchParams.get('said');

  beforeAll(async () => {
    gateway.bank.faults.set({ messages: ['instruct', 'inquire'], garbleRate: 1 });
    const { body } = await demo.sale({ amount: '15.00' });
    stuck = idOf(body);
    const stage = async () =>
      (await gateway.query(`select stage from transactions where order_id = ${stuck}`))[0]?.stage;
    await until('nobody knows', async () => (await stage()) === 'asking', PATIENCE_MS);
    gateway.bank.faults.set({ messages: ['inquire', 'reverse'], refuseRate: 1 });
    await gateway.untilAllFinal();
    gateway.bank.faults.set({});
    other = await gateway.newMerchant();
    ann = await person('ann', 'operator');
    bob = await person('bob', 'operator');
    viewer = await person('vic', 'viewer');
    theirs = await person('tess', 'administrator', `shop${other.id}`);
  });

  describe('are found', () => {
    it('by what is typed into one box, which no address keeps', async () => {
      const order = await demo.saleUntilFinal({ amount: '31.07' });
      const reply = await ann.form('/console/orders/find', { text: `${CARD} 31.07 USD` });
      expect([reply.status, reply.headers.location]).toEqual([
        303,
        // What was typed stays in the box, of a card's number its ends.
        '/console/orders?card=411111******1111&amount=31.07&currency=USD&asked=411111******1111+31.07+USD',
      ]);
      const { text } = await ann.send(reply.headers.location ?? '');
      expect(text).toContain(`/console/orders/${idOf(order)}"`);
      expect(text).not.toContain(CARD);
      const without = await ann.send('/console/orders?card=9999');
      expect(without.text).toContain('No order fits');
    });

    it('by no whole card number in an address: it is led to one with the ends alone', async () => {
      const grouped = '4111 1111 1111 1111';
      for (const name of ['card', 'orderId', 'clientOrderId', 'rrn', 'email', 'login', 'within', 'from']) {
        for (const number of [CARD, grouped, `x${grouped.replaceAll(' ', '-')}`]) {
          const led = await ann.send(`/console/orders?${new URLSearchParams({ status: 'approved', [name]: number })}`);
          const at = new URL(led.headers.location ?? '', 'http://x').searchParams;
          expect([name, led.status, at.get('status')]).toEqual([name, 303, 'approved']);
          expect(at.get(name)).toMatch(/^x?411111\*{6}1111$/);
          const { status, text } = await ann.send(led.headers.location ?? '');
          expect([name, status === 200 || status === 422, text.includes(number)]).toEqual([name, true, false]);
        }
      }
      const beside = await ann.send(`/console/orders?card=1111&card=${CARD}&x=${CARD}`);
      expect([beside.status, beside.headers.location]).toEqual([303, '/console/orders?card=1111']);
      const ofMerchant = await ann.send('/console/orders?clientOrderId=1799999999994');
      expect([ofMerchant.status, ofMerchant.text.includes('value="1799999999994"')]).toEqual([200, true]);
      const file = await ann.send(`/console/orders/export.csv?card=${CARD}`);
      expect([file.status, file.text.includes('411111...1111')]).toEqual([200, true]);
    });

    // The first six and the last four digits are what anybody may see: they pay for nothing.
    it('with ten digits of a card at most, of which the audit chain tells nothing', async () => {
      await demo.saleUntilFinal();
      const before = (await newest())?.seq;
      const { text } = await viewer.send('/console/orders?card=411111******1111');
      const { found } = (await viewer.verb('listOrders', { limit: 50 })).body.answer as { found: { card: string }[] };
      expect(found.length).toBeGreaterThan(0);
      for (const { card } of found) expect(card).toMatch(/^\d{6}\.\.\.\d{4}$/);
      expect([text.includes('411111...1111'), text.includes(CARD.slice(0, 7))]).toEqual([true, false]);
      expect((await newest())?.seq).toBe(before);
    });

    it('with a mark on what looks as if it was charged twice', async () => {
      const [one, two] = [
        await demo.saleUntilFinal({ amount: '32.07' }),
        await demo.saleUntilFinal({ amount: '32.07' }),
      ];
      const { text } = await ann.send('/console/orders?amount=32.07&currency=USD');
      expect(text.match(/>twice\?</g)).toHaveLength(2);
      const [first, second] = [one, two].map((order) => `<a href="/console/orders/${idOf(order)}">${idOf(order)}</a>`);
      expect(text).toMatch(
        new RegExp(`${first} and ${second}: .*32\\.07 USD.*,\\s.*, (\\d+ s|less than a second) apart`),
      );
      const page = await ann.send(`/console/orders/${idOf(two)}`);
      expect(page.text).toMatch(new RegExp(`Charged twice\\? Order <a href="/console/orders/${idOf(one)}"`));
      const [there, here] = [one, two].map((order) => order['merchant-order-id']);
      expect(page.text).toMatch(
        new RegExp(`of the same payer. The merchant asked for both, there as ${there}\\s+and here as ${here}`),
      );
      expect(page.text.match(/value="charged twice, as order \d+ was"/g)).toHaveLength(2);
    });

    it('and on both pages what was given back of the one, so that nobody gives both back', async () => {
      const [kept, back] = [
        await demo.saleUntilFinal({ amount: '32.08' }),
        await demo.saleUntilFinal({ amount: '32.08' }),
      ];
      await demo.followUpUntilFinal('return', back);
      const twin = (order: typeof back, rest: string) =>
        new RegExp(`>${idOf(order)}</a> has the same card\\s+and amount, .* this one\\. ${rest}`);
      const { text } = await ann.send(`/console/orders/${idOf(kept)}`);
      expect(text).toMatch(twin(back, 'Of that one 32.08 USD was given back already: this one stays paid'));
      expect(text).not.toContain('Charged twice');
      const other = await ann.send(`/console/orders/${idOf(back)}`);
      expect(other.text).toMatch(twin(kept, 'This one was given back; that one stays paid'));
      const list = await ann.send('/console/orders?amount=32.08&currency=USD');
      expect(list.text).not.toContain('>twice?<');
    });

    it('or it is said what is wrong with the filters, on the form', async () => {
      const { status, text } = await ann.send('/console/orders?amount=10&orderId=x&from=2027-01-31T12:00');
      expect(status).toBe(422);
      expect(text).toContain('orderId: a whole number above 0 is needed');
      expect(text).toContain('value="2027-01-31T12:00"');
    });

    it('or in which currency an amount is meant', async () => {
      const { status, text } = await ann.send('/console/orders?amount=10&card=1111');
      expect([status, text.includes('/console/orders?card=1111&amp;amount=10&amp;currency=EUR"')]).toEqual([422, true]);
    });

    it('page after page', async () => {
      expect((await ann.send('/console/orders?within=constructor')).status).toBe(200);
      const { text } = await ann.send('/console/orders?status=approved');
      expect(text).toContain('<table>');
      const marked = await ann.send('/console/orders?status=approved&after=wrong');
      expect([marked.status, marked.text.includes('this is no mark of this search')]).toEqual([422, true]);
    });
  });

  it('texts of merchants, payers and their servers stay texts', async () => {
    const shop = await gateway.shop();
    const order = await demo.saleUntilFinal({
      client_orderid: `${EVIL}${newOrderId()}`,
      order_desc: EVIL,
      first_name: EVIL,
      last_name: '"><img src=x onerror=alert(1)>',
      server_callback_url: shop.url(),
    });
    await until('it is told', () => shop.told.length > 0, PATIENCE_MS);
    await ann.form(`/console/orders/${idOf(order)}/return`, { reason: EVIL, amount: '0.01' });
    await ann.form('/console/orders/keep', { name: EVIL, query: `email=${encodeURIComponent(EVIL)}` });
    const pages = [
      '/console/orders',
      `/console/orders?email=${encodeURIComponent(EVIL)}&card=${encodeURIComponent('"><script>')}`,
      `/console/orders/${idOf(order)}`,
      '/console/waiting',
      '/console/payouts',
      '/console/queue',
    ];
    for (const page of pages) {
      const { text } = await ann.send(page);
      expect([page, text.includes('<script>alert'), text.includes('<img src=x'), text.includes('"><script>')]).toEqual([
        ...[page, false, false, false],
      ]);
    }
    expect((await ann.send(pages[2] ?? '')).text).toContain('&lt;script&gt;alert(1)');
    await ann.form('/console/orders/forget', { name: EVIL });
  });

  describe('a search', () => {
    it('is kept by one person under a name, and forgotten', async () => {
      const query = 'status=declined&within=24h';
      const kept = await viewer.form('/console/orders/keep', { name: 'Declines', query });
      expect([kept.status, saidBy(kept.headers.location)]).toEqual([303, 'kept']);
      expect((await viewer.send('/console/orders')).text).toContain('>Declines</a>');
      expect((await ann.send('/console/orders')).text).not.toContain('Declines');
      expect((await theirs.verb('listFilters')).body.answer).toEqual([]);
      expect((await viewer.send(`/console/orders?${query}`)).text).toContain('Forget “Declines”');
      await viewer.form('/console/orders/forget', { name: 'Declines' });
      await viewer.form('/console/orders/keep', { name: 'Hers', query: 'email=ann%40example.com' });
      const told = JSON.stringify(await newest());
      expect([told.includes('saveFilter'), told.includes('Hers'), told.includes('example.com')]).toEqual([
        ...[true, true, false],
      ]);
      await viewer.form('/console/orders/forget', { name: 'Hers' });
      expect((await viewer.verb('listFilters')).body.answer).toEqual([]);
    });

    it('is refused with a card number, without a filter, and beyond thirty', async () => {
      const name = 'mine';
      for (const query of [`email=${CARD}`, '', 'password=x']) {
        expect((await theirs.verb('saveFilter', { name, query })).status).toBe(400);
      }
      for (let index = 1; index <= 30; index++)
        await theirs.verb('saveFilter', { name: `n${index}`, query: 'card=1111' });
      expect((await theirs.verb('saveFilter', { name: 'n30', query: 'card=2222' })).status).toBe(200);
      expect((await theirs.verb('saveFilter', { name, query: 'card=1111' })).body.error).toMatch(/keep 30 searches/);
      expect((await local('listFilters')).body.error).toMatch(/belong to people/);
    });
  });

  describe('as a file', () => {
    it('has every order of the search, page after page, and the audit chain says who took it', async () => {
      await demo.saleUntilFinal({ client_orderid: `=1+1-${newOrderId()}`, amount: '33.07' });
      const { status, headers, text } = await ann.send('/console/orders/export.csv?currency=USD');
      expect([status, headers['content-type'], headers['transfer-encoding']]).toEqual([
        ...[200, 'text/csv; charset=utf-8', 'chunked'],
      ]);
      expect(headers['content-disposition']).toMatch(/^attachment; filename="orders-[\dT-]+Z\.csv"$/);
      const [{ count }] = (await gateway.query(`select count(*)::int from orders where currency = 'USD'`)) as [
        { count: number },
      ];
      const lines = text.trimEnd().split('\r\n');
      expect(lines).toHaveLength(count + 1);
      expect(text).toContain(",'=1+1-");
      expect(await newest()).toMatchObject({
        who: expect.stringMatching(/^ann /),
        action: 'exportOrders',
        details: '{"currency":"USD"}',
      });
    });

    it('goes on behind pages, and a broken one does not end like a whole one', async () => {
      // Five hundred orders make a page.
      await gateway.query(`
        insert into orders select (jsonb_populate_record(null::orders, to_jsonb(o) || jsonb_build_object(
          'order_id', 500000000 + n, 'client_order_id', 'copy-' || n, 'receipt_id', gen_random_uuid(), 'control', null))).*
        from (select * from orders where unsigned = false order by order_id limit 1) o, generate_series(1, 1100) n`);
      await gateway.query(`
        insert into transactions select (jsonb_populate_record(null::transactions, to_jsonb(t) || jsonb_build_object(
          'order_id', 500000000 + n, 'request_serial', gen_random_uuid(), 'idempotency_key', null))).*
        from (select * from transactions where seq = 1 order by order_id limit 1) t, generate_series(1, 1100) n`);
      const { text } = await ann.send('/console/orders/export.csv?from=2020-01-01');
      expect(text.match(/copy-/g)).toHaveLength(1100);
      await gateway.changeSchema(`alter table transactions rename to transactions_away`);
      const ended = new Promise<string>((resolve) => {
        const headers = { cookie: ann.cookie ?? '' };
        get(`${gateway.adminUrl}/console/orders/export.csv`, { headers }, (response) => {
          response.resume();
          response.on('error', () => resolve('cut'));
          response.on('end', () => resolve('whole'));
        }).on('error', () => resolve('cut'));
      });
      const how = await ended;
      await gateway.changeSchema(`alter table transactions_away rename to transactions`);
      expect(how).toBe('cut');
      await gateway.query(`delete from transactions where order_id > 500000000 and order_id <= 500001100`);
      await gateway.query(`delete from orders where order_id > 500000000 and order_id <= 500001100`);
    });

    it('is sent without its rows to who asks for the head, and to nobody who may not', async () => {
      const head = await ann.send('/console/orders/export.csv', { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      expect((await viewer.send('/console/orders/export.csv')).status).toBe(403);
      const wrong = await ann.send('/console/orders/export.csv?amount=1');
      expect([wrong.status, wrong.text.includes('currency is missing')]).toEqual([422, true]);
    });
  });

  describe('the page of one', () => {
    it('tells its story, and who looked', async () => {
      const order = await demo.saleUntilFinal({ email: 'payer@example.com' });
      await gateway.journalLine(order);
      await bob.send(`/console/orders/${idOf(order)}`);
      const { text } = await ann.send(`/console/orders/${idOf(order)}`);
      for (const words of [
        'The money was taken.',
        'The merchant asked for SALE: accepted',
        'checked: it fits',
        'limits and lists let it through',
        'The bank approved it',
        'Booked for transaction 1',
        'payer@example.com',
        'As it was received, masked',
      ]) {
        expect(text).toContain(words);
      }
      expect(text).toMatch(/bob by session \S+ looked at this order/);
      expect(text).not.toContain(CARD);
    });

    it('tells what its bank was asked and answered, and the messages while this node has them', async () => {
      const { client, id } = other;
      const order = await client.saleUntilFinal({ amount: '33.08', cvv2: '124' }, { endpoint: id });
      const reference = await gateway.bankReference(`${idOf(order)}`, 1);
      const { text } = await ann.send(`/console/orders/${idOf(order)}`);
      for (const words of [
        'The bank at demo-bank was asked for a sale: declined',
        'this node has 2 that name it; they stand in this story',
        'ms from when it was written down',
        `sale reference=${reference} amount=33.08 USD card=411111...1111`,
        `declined code=100 rrn=`,
      ]) {
        expect(text).toContain(words);
      }
      // Messages are between the gateway and its banks; that it was asked is the merchant's own.
      const own = await theirs.send(`/console/orders/${idOf(order)}`);
      expect(own.text).toContain('The bank at demo-bank was asked for a sale: declined');
      expect(own.text).not.toContain('amount=33.08 USD');
      expect(own.text).not.toContain('this node has');
      await gateway.restart({});
      const later = await ann.send(`/console/orders/${idOf(order)}`);
      expect(later.text).toContain('this node has none about it any more');
    });

    it('tells of every question that got no answer', async () => {
      const { text } = await ann.send(`/console/orders/${stuck}`);
      expect(text).toContain('was asked for a sale: no answer that says how it ended');
      expect(text).toContain('was asked what became of the sale: no answer');
      expect(text).toContain('was asked to take back the sale: no answer that says how it ended, for the last time');
    });

    it('gives money back once, however often its form is sent at once', async () => {
      const order = await demo.saleUntilFinal();
      const path = `/console/orders/${idOf(order)}/return`;
      const fields = { reason: 'charged twice', amount: '4.00', repeat: 'one-click', again: 'yes' };
      const replies = await Promise.all([ann.form(path, fields), ann.form(path, fields)]);
      expect(replies.map(({ status, headers }) => [status, saidBy(headers.location)])).toEqual([
        [303, 'returned'],
        [303, 'returned'],
      ]);
      expect(await stagesOf(idOf(order))).toEqual(['sale approved 1042', 'reversal approved 400']);
    });

    it('captures a part, releases the rest, and voids', async () => {
      const hold = idOf(await demo.preauthUntilFinal());
      expect((await ann.send(`/console/orders/${hold}`)).text).toContain('The money is held, not taken.');
      await ann.form(`/console/orders/${hold}/capture`, { amount: '60.00', reason: 'ticket' });
      await untilBanksAnswered(gateway);
      await ann.form(`/console/orders/${hold}/release`, { reason: 'ticket' });
      await untilBanksAnswered(gateway);
      await ann.form(`/console/orders/${hold}/void`, { reason: 'ticket' });
      expect(await stagesOf(hold)).toEqual([
        'preauth approved 10000',
        'capture approved 6000',
        'cancel approved 4000',
        'void approved 6000',
      ]);
    });

    it('tells on the form why it is refused, with what was typed', async () => {
      const order = await demo.saleUntilFinal();
      const path = `/console/orders/${idOf(order)}/return`;
      const { status, text } = await ann.form(path, { reason: 'ticket 78', amount: '99.00' });
      expect(status).toBe(422);
      expect(text).toMatch(/role="alert"[^>]*>[^<]*10\.42 USD/);
      expect(text).toMatch(/<details class="folded" name="actions" open>/);
      expect(text).toContain('value="99.00"');
      expect(text.match(/value="ticket 78"/g)).toHaveLength(1);
      expect((await ann.form(path, { amount: '1.00' })).text).toContain('reason is missing');
      expect(await stagesOf(idOf(order))).toEqual(['sale approved 1042']);
    });

    it('is not for viewers, who get no links to it either', async () => {
      const order = await demo.saleUntilFinal();
      expect((await viewer.send(`/console/orders/${idOf(order)}`)).status).toBe(403);
      expect((await viewer.form(`/console/orders/${idOf(order)}/return`, { reason: 'x' })).status).toBe(403);
      expect((await viewer.send('/console/orders')).text).not.toMatch(/href="\/console\/orders\/\d/);
      expect((await ann.send('/console/orders/99999999')).status).toBe(422);
    });
  });

  it('above an amount it waits for a second person, who approves it in the console', async () => {
    await local('setMerchant', { login: 'demo', secondPersonAbove: ['5.00 USD'] });
    const orderId = idOf(await demo.saleUntilFinal());
    expect((await ann.send(`/console/orders/${orderId}`)).text).toContain('Above 5.00 USD it waits');
    const asked = await ann.form(`/console/orders/${orderId}/return`, { reason: 'ticket' });
    expect(saidBy(asked.headers.location)).toBe('waits');
    expect((await ann.send(`/console/orders/${orderId}`)).text).toContain('waits for a second person');
    const [deed] = (await ann.verb('listDeeds')).body.answer;
    const own = await ann.send('/console/waiting');
    expect(own.text).toContain('You asked for it; somebody else approves it.');
    expect((await ann.form('/console/waiting/approve', { deedId: String(deed.deedId) })).status).toBe(403);
    expect((await theirs.send('/console/waiting')).text).toContain('Nothing waits.');
    expect((await theirs.form('/console/waiting/approve', { deedId: String(deed.deedId) })).status).toBe(422);
    expect((await bob.form('/console/waiting/reject', { deedId: String(deed.deedId) })).text).toContain(
      'reason is missing',
    );
    const approved = await bob.form('/console/waiting/approve', { deedId: String(deed.deedId) });
    expect(saidBy(approved.headers.location)).toBe('approved');
    expect(await stagesOf(orderId)).toEqual(['sale approved 1042', 'reversal approved 1042']);
    await local('setMerchant', { login: 'demo', secondPersonAbove: ['none'] });
  });

  it('what is stuck is settled from the queue by people who run the gateway', async () => {
    expect((await ann.send('/console/queue')).text).toContain(`/console/orders/${stuck}"`);
    expect((await theirs.send('/console/queue')).text).toContain('Nothing waits for a person.');
    const given = { orderId: String(stuck), seq: '1' };
    expect((await viewer.form('/console/queue/settle', { ...given, outcome: 'approved', note: 'x' })).status).toBe(403);
    const refused = await ann.form('/console/queue/settle', { ...given, note: 'by e-mail' });
    expect([refused.status, refused.text.includes('value="by e-mail"')]).toEqual([422, true]);
    await ann.form('/console/queue/settle', { ...given, outcome: 'declined', note: 'by e-mail' });
    expect(await stagesOf(stuck)).toEqual(['sale declined 1500']);
    expect((await ann.send('/console/queue')).text).toContain('Nothing waits for a person.');
  });

  it('a payout that waits is listed and confirmed, by its merchant’s people too', async () => {
    await other.client.saleUntilFinal({ amount: '5000' }, { endpoint: other.id });
    const fields = { client_orderid: newOrderId(), amount: '10.00', currency: 'USD', credit_card_number: CARD };
    const { body } = await other.client.oauth('/api/v4/payout-check', fields, { endpoint: other.id });
    const orderId = idOf(body);
    expect((await viewer.send('/console/payouts')).text).not.toContain('Confirm it');
    expect((await theirs.send('/console/payouts')).text).toContain('411111...1111');
    const confirm = { login: `shop${other.id}`, orderId: String(orderId), reason: 'by telephone' };
    const done = await theirs.form('/console/payouts/confirm', confirm);
    expect([done.status, saidBy(done.headers.location)]).toEqual([303, 'confirmed']);
    expect(await stagesOf(orderId)).toEqual(['payout approved 1000']);
    expect((await ann.send('/console/payouts')).text).toContain('No payout waits.');
  });

  it('a merchant’s people see their own, and no names of those who run the gateway', async () => {
    const mine = idOf(await other.client.saleUntilFinal({}, { endpoint: other.id }));
    const foreign = idOf(await demo.saleUntilFinal());
    await ann.send(`/console/orders/${mine}`);
    const list = await theirs.send('/console/orders');
    expect(list.text).toContain(`/console/orders/${mine}"`);
    expect(list.text).not.toContain(`/console/orders/${foreign}"`);
    expect(list.text).not.toMatch(/name="(login|terminal)"/);
    const page = await theirs.send(`/console/orders/${mine}`);
    expect(page.text).toContain('somebody who runs the gateway looked at this order');
    expect(page.text).not.toContain('ann by session');
    expect((await theirs.send(`/console/orders/${foreign}`)).status).toBe(422);
    expect((await theirs.send(`/console/orders/${foreign}/state.json`)).body).toEqual({ changedAt: null });
    expect((await theirs.form(`/console/orders/${foreign}/return`, { reason: 'x' })).status).toBe(422);
    const file = await theirs.send('/console/orders/export.csv');
    expect(file.text).toContain(`\n${mine},`);
    expect(file.text).not.toContain(`\n${foreign},`);
  });
});
