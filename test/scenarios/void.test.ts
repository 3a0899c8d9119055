// Taking a payment back as if it had not been: whole, and only until the bank clears it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeGateway, type Fields, type Reply, type ReplyBody, until } from '../harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });
const usd = (amount: string): Fields => ({ amount, currency: 'USD' });

describeGateway('a void', { holdMs: 1_000 }, (gateway) => {
  const { demo } = gateway;
  const takeBack = (order: ReplyBody, fields: Fields = {}) => demo.followUp('void', order, fields);
  const takenBack = (order: ReplyBody, fields: Fields = {}) => demo.followUpUntilFinal('void', order, fields);
  const paid = (amount = '100.00') => demo.saleUntilFinal({ amount });
  const latest = async (order: ReplyBody) => (await demo.status({ client_orderid: order['merchant-order-id'] })).body;

  const voids = async (order: ReplyBody) =>
    (await gateway.bookedFor(order['paynet-order-id']))
      .filter(({ kind }) => kind === 'void')
      .map(({ original, outcome, amount }) => [original?.split('-')[1], outcome, Number(amount.minor)]);

  // The bank's day must not end between a payment and its void.
  beforeAll(() => gateway.clock.advance(1.5 * DAY_MS - (Date.now() % DAY_MS)));

  afterAll(async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  it('takes a whole sale back before it is cleared', async () => {
    const before = await gateway.balance();
    const order = await paid();
    expect(await takenBack(order)).toMatchObject({
      status: 'approved',
      'transaction-type': 'void',
      'order-stage': 'void_approved',
      amount: '100.00',
    });
    expect(await voids(order)).toEqual([['1', 'approved', 10_000]]);
    expect(await gateway.balance()).toBe(before);
    expect(refused(await takeBack(order))).toEqual({ status: 400, code: '40' });
    expect(refused(await demo.followUp('return', order))).toEqual({ status: 400, code: '43' });
  });

  it('is declined by the bank after clearing, when a return still works', async () => {
    const before = await gateway.balance();
    const order = await paid();
    await gateway.bank.clear();
    const declined = await takenBack(order);
    expect(declined).toMatchObject({ status: 'declined', 'order-stage': 'void_declined', 'error-code': '902' });
    expect(await gateway.balance()).toBe(before + 10_000n);
    const returned = await demo.followUpUntilFinal('return', order);
    expect(returned).toMatchObject({ status: 'approved', 'transaction-type': 'reversal', amount: '100.00' });
    expect(await gateway.balance()).toBe(before);
  });

  it.each([
    ['100.00', '100.00'],
    ['100.00', '10000'],
    ['10000', '100.00'],
    ['10000', '10000'],
    ['10000', '100'],
  ])('of %s with the amount written %s is taken', async (amount, written) => {
    expect(await takenBack(await paid(amount), usd(written))).toMatchObject({ status: 'approved', amount });
  });

  it.each(['99.99', '100.01', '1', '0.001'])('of 100.00 with an amount of %s is refused', async (amount) => {
    const order = await paid();
    const reply = await takeBack(order, usd(amount));
    expect(refused(reply)).toEqual({ status: 400, code: '44' });
    expect(reply.body['error-message']).toContain('100.00');
    expect(reply.body.errors).toMatchObject([{ field: 'amount' }]);
    expect(await voids(order)).toEqual([]);
  });

  it('with an amount needs its currency, which is that of the order', async () => {
    const order = await paid();
    expect(refused(await takeBack(order, { amount: '100.00' }))).toEqual({ status: 400, code: '1' });
    expect(refused(await takeBack(order, { currency: 'USD' }))).toEqual({ status: 400, code: '5' });
    expect(refused(await takeBack(order, { amount: '100.00', currency: 'EUR' }))).toEqual({ status: 400, code: '11' });
  });

  it('takes the latest capture back, then the one before, and never the hold', async () => {
    const order = await demo.preauthUntilFinal();
    expect(refused(await takeBack(order))).toEqual({ status: 400, code: '40' });
    await demo.followUpUntilFinal('capture', order, usd('20.00'));
    await demo.followUpUntilFinal('capture', order, usd('30.00'));
    expect(refused(await takeBack(order, usd('20.00')))).toEqual({ status: 400, code: '44' });
    expect(await takenBack(order, usd('30.00'))).toMatchObject({ status: 'approved', amount: '30.00' });
    expect(await takenBack(order)).toMatchObject({ status: 'approved', amount: '20.00' });
    expect(await voids(order)).toEqual([
      ['3', 'approved', 3_000],
      ['2', 'approved', 2_000],
    ]);
    expect(refused(await takeBack(order))).toEqual({ status: 400, code: '40' });
    expect(refused(await demo.followUp('return', order, usd('0.01')))).toMatchObject({ status: 400 });
    expect(await demo.followUpUntilFinal('capture', order)).toMatchObject({ status: 'approved', amount: '50.00' });
  });

  it('is refused once a part was returned', async () => {
    const order = await paid();
    await demo.followUpUntilFinal('return', order, usd('1.00'));
    const reply = await takeBack(order);
    expect(refused(reply)).toEqual({ status: 400, code: '40' });
    expect(reply.body['error-message']).toContain('return the rest instead');
  });

  it('the bank is in doubt about leaves nothing to return until it has ended', async () => {
    const order = await paid('92.17');
    const accepted = await takeBack(order);
    await until('the void is unknown', async () => (await latest(order)).status === 'unknown');
    expect(refused(await takeBack(order))).toEqual({ status: 400, code: '40' });
    expect(refused(await demo.followUp('return', order, usd('1.00')))).toEqual({ status: 400, code: '43' });
    gateway.clock.advance(6_000);
    const bySerial = accepted.body['serial-number'];
    expect(await demo.untilFinal(order['merchant-order-id'], { bySerial })).toMatchObject({
      status: 'approved',
      'transaction-type': 'void',
      'by-request-sn': bySerial,
    });
  });

  it('of an order that was not paid is refused', async () => {
    const declined = await demo.saleUntilFinal({ cvv2: '116' });
    const { body: unfinished } = await demo.sale({ cvv2: '217' });
    for (const order of [declined, unfinished]) {
      expect(refused(await takeBack(order))).toEqual({ status: 400, code: '40' });
    }
    gateway.clock.advance(6_000);
    await demo.untilFinal(unfinished['merchant-order-id']);
  });

  it("of another merchant's order is answered exactly as of one that does not exist", async () => {
    const order = await paid();
    const { client: rival, id } = await gateway.newMerchant();
    const nobodys = { ...order, 'paynet-order-id': String(Number(order['paynet-order-id']) + 1) };
    const foreign = await rival.followUp('void', order, {}, { endpoint: id });
    const missing = await rival.followUp('void', nobodys, {}, { endpoint: id });
    expect(refused(foreign)).toEqual({ status: 400, code: '30' });
    expect(foreign.text.replace(foreign.body['serial-number'], '')).toBe(
      missing.text.replace(missing.body['serial-number'], ''),
    );
    expect(await voids(order)).toEqual([]);
  });

  it('asked for many times at once is made once', async () => {
    const order = await paid();
    const replies = await Promise.all(Array.from({ length: 20 }, () => takeBack(order)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    await demo.untilFinal(order['merchant-order-id']);
    expect(await voids(order)).toEqual([['1', 'approved', 10_000]]);
  });
});
