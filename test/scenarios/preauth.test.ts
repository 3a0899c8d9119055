// Holding money on a card: what a preauthorization does, how it is released, and that it lets go by itself.

import { afterAll, expect, it } from 'vitest';
import { describeGateway, newOrderId, type Reply, type ReplyBody, until } from '../harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOLD_MS = 7 * DAY_MS;

const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });

describeGateway('a preauthorization', { holdMs: 200 }, (gateway) => {
  const { demo } = gateway;

  const kinds = async (order: ReplyBody) =>
    (await gateway.bookedFor(order['paynet-order-id'])).map(({ kind, outcome, amount }) => [
      kind,
      outcome,
      Number(amount.minor),
    ]);

  const latest = async (order: ReplyBody) => (await demo.status({ client_orderid: order['merchant-order-id'] })).body;

  /** Lets the hold run out, and waits until the gateway has noticed. */
  async function expire(order: ReplyBody): Promise<void> {
    gateway.clock.advance(HOLD_MS + 1_000);
    await until('the hold is released', async () => {
      const { 'transaction-type': type, status } = await latest(order);
      return type === 'cancel' && status === 'approved';
    });
  }

  afterAll(async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  it('holds the amount and gives me nothing yet', async () => {
    const before = await gateway.balance();
    const order = await demo.preauthUntilFinal();
    expect(order).toMatchObject({
      status: 'approved',
      'transaction-type': 'preauth',
      'order-stage': 'preauth_approved',
      amount: '100.00',
      'initial-amount': '100.00',
    });
    expect(await kinds(order)).toEqual([['preauth', 'approved', 10_000]]);
    expect(await gateway.balance()).toBe(before);
  });

  it('is acknowledged like a sale, and the same request again is the same order', async () => {
    const client_orderid = newOrderId();
    const [first, again] = [await demo.preauth({ client_orderid }), await demo.preauth({ client_orderid })];
    expect(first.body).toMatchObject({ type: 'async-response', status: 'processing', 'end-point-id': '101' });
    expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
    expect(await kinds(await demo.untilFinal(client_orderid))).toHaveLength(1);
  });

  it('that the bank declines holds nothing and tells why', async () => {
    const order = await demo.preauthUntilFinal({ cvv2: '116' });
    expect(order).toMatchObject({ status: 'declined', 'order-stage': 'preauth_declined', 'error-code': '116' });
  });

  it('is released whole by a return, as if it had not been', async () => {
    const before = await gateway.balance();
    const order = await demo.preauthUntilFinal();
    const released = await demo.followUpUntilFinal('return', order);
    expect(released).toMatchObject({
      status: 'approved',
      'transaction-type': 'cancel',
      'order-stage': 'cancel_approved',
      amount: '100.00',
    });
    expect(await kinds(order)).toContainEqual(['cancel', 'approved', 10_000]);
    expect(await gateway.balance()).toBe(before);
    expect(refused(await demo.followUp('capture', order))).toEqual({ status: 400, code: '42' });
    // The same bytes would be the same return.
    const another = { comment: 'once more' };
    expect(refused(await demo.followUp('return', order, another))).toEqual({ status: 400, code: '42' });
  });

  it('is released in parts, and only what is left can be captured', async () => {
    const order = await demo.preauthUntilFinal();
    await demo.followUpUntilFinal('return', order, { amount: '30.00', currency: 'USD' });
    const beyond = await demo.followUp('capture', order, { amount: '70.01', currency: 'USD' });
    expect(refused(beyond)).toEqual({ status: 400, code: '42' });
    expect(beyond.body['error-message']).toContain('70.00 USD');
    expect(await demo.followUpUntilFinal('capture', order)).toMatchObject({ status: 'approved', amount: '70.00' });
  });

  it('is released by itself after seven days, and cannot be captured then', async () => {
    const order = await demo.preauthUntilFinal();
    gateway.clock.advance(HOLD_MS - DAY_MS);
    expect(await latest(order)).toMatchObject({ 'transaction-type': 'preauth' });
    await expire(order);
    expect(await kinds(order)).toEqual([
      ['preauth', 'approved', 10_000],
      ['cancel', 'approved', 10_000],
    ]);
    expect(refused(await demo.followUp('capture', order))).toEqual({ status: 400, code: '41' });
    const part = await demo.followUp('capture', order, { amount: '1.00', currency: 'USD' });
    expect(refused(part)).toEqual({ status: 400, code: '41' });
    expect(refused(await demo.followUp('return', order))).toEqual({ status: 400, code: '42' });
  });

  it('can be captured until the last day', async () => {
    const order = await demo.preauthUntilFinal();
    gateway.clock.advance(HOLD_MS - DAY_MS);
    expect(await demo.followUpUntilFinal('capture', order)).toMatchObject({ status: 'approved', amount: '100.00' });
  });

  it('that was captured in part lets go of the rest only, and what was captured can still be returned', async () => {
    const order = await demo.preauthUntilFinal();
    await demo.followUpUntilFinal('capture', order, { amount: '40.00', currency: 'USD' });
    await expire(order);
    expect(await latest(order)).toMatchObject({ 'transaction-type': 'cancel', amount: '60.00' });
    expect(refused(await demo.followUp('capture', order))).toEqual({ status: 400, code: '41' });
    expect(await demo.followUpUntilFinal('return', order)).toMatchObject({
      'transaction-type': 'reversal',
      status: 'approved',
      amount: '40.00',
    });
  });

  it('lets go of all of it when a capture that was under way at its end came to nothing', async () => {
    const order = await demo.preauthUntilFinal();
    gateway.clock.advance(HOLD_MS - 10_000);
    gateway.bank.faults.set({ messages: ['instruct'], refuseRate: 1 });
    await demo.followUp('capture', order, { amount: '40.00', currency: 'USD' });
    await until('the capture is given up', async () => {
      gateway.clock.advance(5_000);
      return (await latest(order)).status === 'error';
    });
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
    expect(await kinds(order)).toEqual([
      ['preauth', 'approved', 10_000],
      ['cancel', 'approved', 10_000],
    ]);
  });

  it('that was captured whole has nothing to let go of', async () => {
    const order = await demo.preauthUntilFinal();
    await demo.followUpUntilFinal('capture', order);
    await gateway.untilAllFinal();
    expect(await kinds(order)).toEqual([
      ['preauth', 'approved', 10_000],
      ['capture', 'approved', 10_000],
    ]);
  });

  it('tells what each of my requests did, by its serial number', async () => {
    const accepted = await demo.preauth({ amount: '100.00' });
    const order = await demo.untilFinal(accepted.body['merchant-order-id']);
    const capture = await demo.followUp('capture', order, { amount: '25.00', currency: 'USD' });
    await demo.untilFinal(order['merchant-order-id']);
    const cancel = await demo.followUp('return', order, { amount: '5.00', currency: 'USD' });
    await demo.untilFinal(order['merchant-order-id']);
    const told = async (reply: Reply) => {
      const serial = reply.body['serial-number'];
      const { body } = await demo.status({ client_orderid: order['merchant-order-id'], 'by-request-sn': serial });
      expect(body['by-request-sn']).toBe(serial);
      return [body['transaction-type'], body.status, body.amount, body['initial-amount']];
    };
    expect(await told(accepted)).toEqual(['preauth', 'approved', '100.00', '100.00']);
    expect(await told(capture)).toEqual(['capture', 'approved', '25.00', '100.00']);
    expect(await told(cancel)).toEqual(['reversal', 'approved', '5.00', '100.00']);
  });
});
