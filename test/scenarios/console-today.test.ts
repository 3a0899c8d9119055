// The overview as people of the gateway and of a merchant see it: the same figures as the orders behind their links,
// each their own, and nothing that somebody wrote becomes markup.

import { beforeAll, expect, it } from 'vitest';
import { SETTLES_MS, SPAN_MS } from '../../src/domain/figures/spans.ts';
import { figureCounts } from '../../src/storage/figures/counting.ts';
import { CARD, describeGateway, newOrderId } from '../harness.ts';
import { openForm } from './form-payer.ts';
import { hire, PASSWORD, PersonBrowser } from './person-browser.ts';
import { toldReturned } from './whole-life.ts';

const SCRIPT = '<script>alert(1)</script>';

describeGateway('the overview', {}, (gateway) => {
  let other: Awaited<ReturnType<typeof gateway.newMerchant>>;
  const people: Record<string, PersonBrowser> = {};

  /** What was counted a moment ago is counted again after ten seconds. */
  const countAll = async () => {
    gateway.clock.advance(11_000);
    const counts = async () => figureCounts(gateway.database).countLot(gateway.clock.now());
    while (await counts());
    // The gateway may have been counting itself: nobody else counts meanwhile.
    await gateway.query('select from figures_counted for update');
    while (await counts());
  };

  beforeAll(async () => {
    other = await gateway.newMerchant();
    for (const [name, role, login] of [
      ['olga', 'operator', undefined],
      ['vic', 'viewer', 'demo'],
    ] as const) {
      await hire(gateway, name, role, login);
      const browser = new PersonBrowser(() => gateway.adminUrl);
      await browser.signIn(name, PASSWORD);
      people[name] = browser;
    }
    await gateway.demo.saleUntilFinal({ order_desc: SCRIPT, first_name: SCRIPT });
    await gateway.demo.saleUntilFinal({ cvv2: '124' });
    await other.client.saleUntilFinal({}, { endpoint: other.id });
    await countAll();
  });

  const page = async (name: string, query = '') => (await people[name]?.send(`/console${query}`))?.text ?? '';
  const ask = async (name: string, verb: string, given = {}) => (await people[name]?.verb(verb, given))?.body.answer;
  /** The searches that links of the page lead to, as inputs of listOrders. */
  const searches = (text: string) =>
    [...text.matchAll(/href="\/console\/orders\?([^"]+)"[^>]*>(?:<[^>]+>)*([^<]+)/g)].map(
      ([, query = '', says = '']) => ({
        given: Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&'))),
        says,
      }),
    );

  it('counts what was made, and every number leads to exactly its orders', async () => {
    const { totals, reasons, terminals, nodes } = await ask('olga', 'showOverview', { range: 'hour' });
    expect(totals).toMatchObject({ orders: 3, approved: 2, declined: 1, approvalRate: 66.7 });
    expect(terminals).toMatchObject([{ terminal: 'demo-bank', orders: 3, answers: 3, p50Ms: expect.any(Number) }]);
    expect(nodes).toMatchObject([{ version: expect.any(String), alive: true }]);
    const text = await page('olga', '?range=hour');
    const counted = searches(text).filter(({ says }) => /^\d+$/.test(says));
    expect(counted.length).toBeGreaterThan(2);
    for (const { given, says } of counted) {
      const { found } = await ask('olga', 'listOrders', given);
      expect(found.length, JSON.stringify(given)).toBe(Number(says));
    }
    expect(counted.filter(({ given }) => given.terminal === 'demo-bank')).toMatchObject([{ says: '3' }]);
    expect(text).toContain('An order counts at every terminal that was asked about it');
    const [{ reason, says, orders }] = reasons;
    const why = searches(text).find(({ given }) => given.reason === reason);
    expect(why?.says).toBe(says);
    expect((await ask('olga', 'listOrders', why?.given)).found).toHaveLength(orders);
    expect((await ask('olga', 'listOrders', { reason: '999' })).found).toEqual([]);
  });

  it("shows a merchant's person their own alone, and nothing of terminals and nodes", async () => {
    const overview = await ask('vic', 'showOverview', { range: 'hour' });
    expect(overview).toMatchObject({ totals: { orders: 2 }, terminals: null, nodes: null });
    const text = await page('vic', '?range=hour');
    expect(text).toContain('Why orders ended without money');
    expect(text).not.toMatch(/Nodes of the gateway|demo-bank|name="login"/);
    expect(text).not.toContain(`shop${other.id}`);
    expect((await people.vic?.verb('showOverview', { login: `shop${other.id}` }))?.status).toBe(400);
    const foreign = await ask('vic', 'showOverview', { endpointId: other.id });
    expect(foreign.totals.orders).toBe(0);
    expect((await page('olga')).includes('Nodes of the gateway')).toBe(true);
  });

  it('names the oldest order that has not ended, and what waits', async () => {
    const nothing = { callbacks: { waiting: 0, isMore: false }, waiting: { stuck: 0, deeds: 0 } };
    const before = await ask('olga', 'showOverview');
    expect(before).toMatchObject({ ...nothing, unfinished: { orders: 0, oldest: null } });
    const { orderId } = await openForm(gateway, 'sale-form');
    await countAll();
    const oldest = { orderId: Number(orderId), login: 'demo', status: 'processing' };
    expect(await ask('vic', 'showOverview')).toMatchObject({ unfinished: { orders: 1, oldest } });
    // A form that nobody has filled in is at no bank.
    const { totals, terminals } = await ask('olga', 'showOverview', { range: 'hour' });
    expect([totals.orders, terminals]).toMatchObject([4, [{ terminal: 'demo-bank', orders: 3, unfinished: 0 }]]);
    expect((await ask('olga', 'listOrders', { terminal: 'demo-bank' })).found).toHaveLength(3);
    expect(await page('olga')).toContain(`href="/console/orders/${orderId}"`);
  });

  it('refuses a range that is none, on the page it was asked on', async () => {
    for (const query of [
      '?range=year',
      '?from=yesterday',
      '?from=2020-01-01&to=2027-01-01',
      '?endpointId=x',
      '?to=2027-01-01',
    ]) {
      expect((await people.olga?.send(`/console${query}`))?.status, query).toBe(422);
    }
    const both = await people.olga?.verb('showOverview', { range: 'day', from: '2027-01-01', to: '2027-01-02' });
    expect(both?.body.error ?? both?.text).toMatch(/range: give it, or from and to, not both/);
  });

  it('writes what was typed and what merchants are called as text', async () => {
    await gateway.administer(`update merchants set name = '${SCRIPT}' where login = 'demo'`);
    const text = await page('olga', `?currency=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).not.toContain('<script>alert');
    expect(await page('olga')).not.toContain('<script>alert');
  });

  it('counts a payout that its bank returned long after as not paid out', async () => {
    const paidOut = async () => {
      await countAll();
      const { totals } = await ask('olga', 'showOverview', { range: 'day', login: 'demo' });
      return [totals.approved, totals.volumes[0].approved, totals.volumes[0].paidOut];
    };
    const usd = { currency: 'USD', credit_card_number: CARD };
    const payout = async (amount: string) => {
      const client_orderid = newOrderId();
      await gateway.demo.oauth('/api/v4/payout', { ...usd, amount, client_orderid });
      const { 'paynet-order-id': orderId } = await gateway.demo.untilFinal(client_orderid);
      return { orderId, reference: await gateway.bankReference(orderId) };
    };
    const byHand = await payout('2.00');
    const { reference } = await payout('3.00');
    expect(await paidOut()).toEqual([3, '10.42', '5.00']);
    // So late that no order of that time would be counted again by itself.
    gateway.clock.advance(SETTLES_MS + SPAN_MS);
    await people.olga?.signIn('olga', PASSWORD);
    expect(await paidOut()).toEqual([3, '10.42', '5.00']);
    await gateway.bank.reverse(reference);
    expect((await toldReturned(gateway, reference)).status).toBe(200);
    expect(await paidOut()).toEqual([3, '10.42', '2.00']);
    await ask('olga', 'bookReturnedPayout', { orderId: Number(byHand.orderId), reason: 'line 12 of the statement' });
    expect(await paidOut()).toEqual([3, '10.42', '0.00']);
  });

  it('has the box that finds orders', async () => {
    expect(await page('olga')).toMatch(/<form[^>]+action="\/console\/orders\/find"[\s\S]+Find orders by what you know/);
  });

  it('is for people who have signed in', async () => {
    const stranger = await new PersonBrowser(() => gateway.adminUrl).send('/console');
    expect([stranger.status, stranger.text.includes('Overview')]).toEqual([303, false]);
  });
});
