// A thief has 540 card numbers and wants to know which of them work.

import { beforeAll, expect, it } from 'vitest';
import { CARD, type Client, DEMO_MERCHANT_ID, describeGateway, type Fields, newOrderId, until } from '../harness.ts';
import { openForm } from '../scenarios/form-payer.ts';
import { stolenCard, tally, WRONG_CODE, workThrough } from './stolen-cards.ts';

const STOLEN = 540;
const HANDS = 6;
const CARDS_PER_NETWORK = 10;
const CARDS_PER_EMAIL = 5;

type Shop = { readonly client: Client; readonly id: number };

/** `approved`, or how it ended with its code. */
async function sold({ client, id }: Shop, fields: Fields): Promise<string> {
  const reply = await client.sale(fields, { endpoint: id });
  expect(reply.status, reply.text).toBe(200);
  const { status, 'error-code': code } = await client.untilFinal(reply.body['merchant-order-id'], { endpoint: id });
  return status === 'approved' ? 'approved' : `${status} ${code}`;
}

const stolen = (place: number): Fields => ({ credit_card_number: stolenCard(place), cvv2: WRONG_CODE });

describeGateway('in production, a thief who tests cards', {}, (gateway) => {
  beforeAll(async () => {
    // Everybody knows the demo merchant's key, so production does not start with it.
    await gateway.changeMerchant(DEMO_MERCHANT_ID, { enabled: false });
    await gateway.restart({ mode: 'production', trustedProxies: ['127.0.0.1'] });
  });

  const triesOf = ({ id }: Shop) => gateway.query(`select * from card_tries where merchant_id = ${id}`);

  /** From here on the gateway knows of this many cards of a source. */
  const isKnown = (shop: Shop, cards: number) =>
    until(`${cards} tries are counted`, async () => (await triesOf(shop)).length >= cards);

  it('from many addresses of one /24 gets ten answers of 540, and the bank is not asked about the rest', async () => {
    const shop = await gateway.newMerchant();
    const outcomes = await workThrough(STOLEN, HANDS, (place) =>
      sold(shop, { ...stolen(place), ipaddress: `198.51.101.${place % 254}`, email: `thief${place}@example.com` }),
    );
    const counts = tally(outcomes);
    expect(counts['declined 100']).toBeGreaterThanOrEqual(CARDS_PER_NETWORK);
    expect(counts['declined 100']).toBeLessThan(CARDS_PER_NETWORK + 2 * HANDS);
    expect(counts['filtered 80']).toBe(STOLEN - (counts['declined 100'] as number));
    const [asked] = await gateway.query(`select count(*)::int as n from transactions where merchant_id = ${shop.id}
      and sends > 0`);
    expect(asked?.n).toBe(counts['declined 100']);
    // A real payer beside it passes, also in the middle of the attack.
    expect(await sold(shop, { ipaddress: '198.51.102.7' })).toBe('approved');
  });

  it('from many addresses of one /64 is stopped too', async () => {
    const shop = await gateway.newMerchant();
    const outcomes = await workThrough(60, HANDS, (place) =>
      sold(shop, { ...stolen(place), ipaddress: `2a00:1450:4001:80b::${place}`, email: `t${place}@example.com` }),
    );
    expect(tally(outcomes)['declined 100']).toBeLessThan(CARDS_PER_NETWORK + 2 * HANDS);
  });

  it('by one e-mail address from many address ranges gets five answers', async () => {
    const shop = await gateway.newMerchant();
    const outcomes = await workThrough(100, HANDS, (place) =>
      sold(shop, { ...stolen(place), ipaddress: `45.${place}.7.9`, email: `thief+${place}@example.com` }),
    );
    const counts = tally(outcomes);
    expect(counts['declined 100']).toBeLessThan(CARDS_PER_EMAIL + 2 * HANDS);
    expect(counts['filtered 81']).toBe(100 - (counts['declined 100'] as number));
    expect(await sold(shop, { email: 'bob@example.com', ipaddress: '45.1.8.9' })).toBe('approved');
  });

  it('on hosted forms is known by the address the cards come from, whatever the merchant says', async () => {
    const { client, id } = await gateway.newMerchant({ formTries: 1 });
    const outcomes = await workThrough(60, HANDS, async (place) => {
      const fields = { email: `t${place}@example.com`, ipaddress: `47.${place}.7.9` };
      const { clientOrderId, payer } = await openForm(gateway, 'sale-form', fields, { client, endpoint: id });
      await payer.pay(stolen(place), { 'x-forwarded-for': `198.51.103.${place}` });
      const { status, 'error-code': code } = await client.untilFinal(clientOrderId, { endpoint: id });
      return `${status} ${code}`;
    });
    const counts = tally(outcomes);
    expect(counts['declined 100']).toBeLessThan(CARDS_PER_NETWORK + 2 * HANDS);
    expect(counts['filtered 80']).toBe(60 - (counts['declined 100'] as number));
    const honest = await openForm(gateway, 'sale-form', {}, { client, endpoint: id });
    await honest.payer.pay({}, { 'x-forwarded-for': '198.51.104.1' });
    expect(await client.untilFinal(honest.clientOrderId, { endpoint: id })).toMatchObject({ status: 'approved' });
  });

  it('is not forgotten by a restart, nor unknown to another node, nor told by what is stored', async () => {
    // The second node is a sandbox.
    const shop = await gateway.newMerchant({ cardTesting: true });
    const from = { ipaddress: '198.51.105.9' };
    for (let place = 0; place < CARDS_PER_NETWORK; place++) {
      expect(await sold(shop, { ...stolen(place), ...from, email: `t${place}@example.com` })).toBe('declined 100');
    }
    await isKnown(shop, 2 * CARDS_PER_NETWORK);
    await gateway.restart({ mode: 'production', trustedProxies: ['127.0.0.1'] });
    expect(await sold(shop, { ...stolen(99), ...from, email: 'other@example.com' })).toBe('filtered 80');
    const cards = await gateway.query(`select fingerprint from cards where merchant_id = ${shop.id}`);
    const known = new Set(cards.map(({ fingerprint }) => String(fingerprint)));
    for (const { card, source } of await triesOf(shop)) {
      expect(known.has(String(card))).toBe(false);
      expect(String(source)).not.toContain('198.51');
    }
    if (gateway.kind !== 'postgres') return;
    const elsewhere = { client: await gateway.second(shop.client), id: shop.id };
    expect(await sold(elsewhere, { ...stolen(98), ...from, email: 'third@example.com' })).toBe('filtered 80');
  });

  it('does not keep out the payers of a shared address: approvals make good for declines', async () => {
    const shop = await gateway.newMerchant();
    const outcomes: string[] = [];
    // A carrier's payers: one card in four is declined.
    for (let place = 0; place < 60; place++) {
      const card = { credit_card_number: stolenCard(place), cvv2: place % 4 === 0 ? WRONG_CODE : '123' };
      outcomes.push(await sold(shop, { ...card, ipaddress: '198.51.106.1', email: `payer${place}@example.com` }));
    }
    expect(tally(outcomes)).toEqual({ approved: 45, 'declined 100': 15 });
  });

  it('who waits an hour may go on, and a payer with many wrong codes of one card was never stopped', async () => {
    const shop = await gateway.newMerchant();
    const from = (place: number) => ({ ipaddress: '198.51.107.1', email: `t${place}@example.com` });
    for (let times = 0; times < 12; times++) {
      expect(await sold(shop, { ...stolen(1), ...from(times) })).toBe('declined 100');
    }
    for (let place = 2; place <= CARDS_PER_NETWORK; place++)
      await sold(shop, { ...stolen(place), ...from(100 + place) });
    await isKnown(shop, 12 + 2 * CARDS_PER_NETWORK - 1);
    expect(await sold(shop, { ...stolen(50), ...from(50) })).toBe('filtered 80');
    gateway.clock.advance(60 * 60_000);
    expect(await sold(shop, { ...stolen(51), ...from(51) })).toBe('declined 100');
  });

  it('is told by metric and log, and the endpoint goes on to take orders', async () => {
    const shop = await gateway.newMerchant();
    await workThrough(40, HANDS, (place) =>
      sold(shop, { ...stolen(place), ipaddress: `46.${place}.7.9`, email: `t${place}@example.com` }),
    );
    const metrics = async () => (await fetch(`${gateway.adminUrl}/metrics`)).text();
    const isTold = `tender_card_testing_declined_ratio{endpoint="${shop.id}"} 1`;
    await until('the metrics tell of it', async () => (await metrics()).includes(isTold));
    expect(await metrics()).toMatch(/tender_card_testing_filtered_total\{by="address"\} \d+/);
    expect(gateway.log.join('\n')).toContain('somebody tests cards at an endpoint');
    expect(await sold(shop, { client_orderid: newOrderId() })).toBe('approved');
  });

  it('is not looked for where an operator switched it off', async () => {
    const shop = await gateway.newMerchant({ cardTesting: false });
    const outcomes = await workThrough(20, HANDS, (place) =>
      sold(shop, { ...stolen(place), ipaddress: '198.51.108.1', email: 't@example.com' }),
    );
    expect(tally(outcomes)).toEqual({ 'declined 100': 20 });
    expect(await triesOf(shop)).toEqual([]);
  });
});

describeGateway('in a sandbox, somebody who tries many cards', {}, (gateway) => {
  const tryThem = (shop: Shop) =>
    workThrough(30, HANDS, (place) => sold(shop, { ...stolen(place), ipaddress: '198.51.101.1' }));

  it('is let alone, unless the endpoint is set to stop it', async () => {
    expect(tally(await tryThem(await gateway.newMerchant()))).toEqual({ 'declined 100': 30 });
    const counts = tally(await tryThem(await gateway.newMerchant({ cardTesting: true })));
    expect(counts['declined 100']).toBeLessThan(CARDS_PER_EMAIL + 2 * HANDS);
    expect(await sold(await gateway.newMerchant({ cardTesting: true }), { credit_card_number: CARD })).toBe('approved');
  });
});
