// A bank that loses requests, loses answers, answers late or is not there: every order still ends, the bank has booked
// it at most once, and both sides agree on how it ended.

import { afterEach, expect, it } from 'vitest';
import type { Faults } from '../../src/acquirers/index.ts';
import { describeGateway, newOrderId, until } from '../harness.ts';

const SEND_TIMEOUT_MS = 500;
const LEASE_MS = 1_500;
const SHORT = { acquirerTimeoutMs: SEND_TIMEOUT_MS, leaseMs: LEASE_MS, holdMs: 200 };

describeGateway('a sale at a bank that misbehaves', SHORT, (gateway) => {
  const { demo } = gateway;
  const misbehave = (faults: Partial<Faults>) => gateway.bank.faults.set(faults);

  afterEach(async () => {
    misbehave({});
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  /** A sale that is `unknown` before its end. */
  async function saleInDoubt(cvv2 = '123') {
    const clientOrderId = newOrderId();
    const { body } = await demo.sale({ client_orderid: clientOrderId, cvv2 });
    const isInDoubt = async () => (await demo.status({ client_orderid: clientOrderId })).body.status === 'unknown';
    await until('the outcome is unknown', isInDoubt);
    return { clientOrderId, orderId: body['paynet-order-id'] as string };
  }

  it('whose answer is lost is approved by asking, and was sent once', async () => {
    misbehave({ messages: ['instruct'], loseAnswerRate: 1 });
    const status = await demo.saleUntilFinal();
    expect(status).toMatchObject({ status: 'approved' });
    expect(await gateway.bookedFor(status['paynet-order-id'])).toHaveLength(1);
    expect(await sendsOf(status['paynet-order-id'])).toBe(1);
  });

  it('whose answer is lost is declined by asking, when the bank declined it', async () => {
    misbehave({ messages: ['instruct'], loseAnswerRate: 1 });
    expect(await demo.saleUntilFinal({ cvv2: '116' })).toMatchObject({ status: 'declined', 'error-code': '116' });
  });

  it('whose answer comes late is approved by asking', async () => {
    misbehave({ messages: ['instruct'], answerDelayMs: SEND_TIMEOUT_MS * 2 });
    const status = await demo.saleUntilFinal();
    expect(status).toMatchObject({ status: 'approved' });
    expect(await sendsOf(status['paynet-order-id'])).toBe(1);
  });

  it('whose request is lost is sent again once the bank says it never saw it', async () => {
    misbehave({ messages: ['instruct'], loseRequestRate: 1 });
    const clientOrderId = newOrderId();
    const { body } = await demo.sale({ client_orderid: clientOrderId });
    await until('it was sent twice', async () => (await sendsOf(body['paynet-order-id'])) >= 1);
    misbehave({});
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
    expect(await gateway.bookedFor(body['paynet-order-id'])).toHaveLength(1);
  });

  it('that the bank refuses to connect for is approved when it is back', async () => {
    misbehave({ refuseRate: 1 });
    const { clientOrderId, orderId } = await saleInDoubt();
    expect(await gateway.bookedFor(orderId)).toEqual([]);
    misbehave({});
    await gateway.untilAllFinal();
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'approved' });
  });

  it('whose request arrives long after it was given up is booked once all the same', async () => {
    misbehave({ messages: ['instruct'], requestDelayMs: { from: SEND_TIMEOUT_MS, to: SEND_TIMEOUT_MS * 3 } });
    const orders = await Promise.all(Array.from({ length: 8 }, () => demo.sale()));
    await gateway.untilAllFinal();
    for (const { body } of orders) {
      expect((await gateway.bookedFor(body['paynet-order-id'])).length).toBeLessThanOrEqual(1);
    }
  });

  it('that the bank never takes is given up in the end, and can no longer be charged', async () => {
    misbehave({ messages: ['instruct'], loseRequestRate: 1 });
    const clientOrderId = newOrderId();
    const { body } = await demo.sale({ client_orderid: clientOrderId });
    await gateway.untilAllFinal();
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'error', 'error-code': '504' });
    expect(await gateway.bookedFor(body['paynet-order-id'])).toEqual([]);
  });

  it('that the bank booked but cannot be asked about is taken back', async () => {
    misbehave({ messages: ['instruct', 'inquire'], loseAnswerRate: 1 });
    const { clientOrderId, orderId } = await saleInDoubt();
    misbehave({ messages: ['inquire'], refuseRate: 1 });
    await gateway.untilAllFinal();
    expect(await demo.untilFinal(clientOrderId)).toMatchObject({ status: 'error', 'error-code': '504' });
    expect(await gateway.bookedFor(orderId)).toMatchObject([{ outcome: 'reversed' }]);
    const [balance] = await gateway.query(`select count(*) from ledger_entries where order_id = ${orderId}`);
    expect(balance).toEqual({ count: '0' });
  });

  it('that cannot even be taken back waits for a person, still unknown', async () => {
    misbehave({ refuseRate: 1 });
    const { clientOrderId, orderId } = await saleInDoubt();
    await gateway.untilAllFinal();
    const { body } = await demo.status({ client_orderid: clientOrderId });
    expect(body.status).toBe('unknown');
    expect(await gateway.query(`select stage from transactions where order_id = ${orderId}`)).toEqual([
      { stage: 'stuck' },
    ]);
    // What an operator would settle; the comparison of the books has to be clean for the others.
    await gateway.query(`update transactions set stage = 'error' where order_id = ${orderId}`);
  });

  it.each([1])('among many others, with every fault at once, ends in agreement (seed %i)', async (seed) => {
    misbehave({
      seed,
      refuseRate: 0.12,
      loseRequestRate: 0.12,
      loseAnswerRate: 0.15,
      requestDelayMs: { from: 0, to: SEND_TIMEOUT_MS / 2 },
      answerDelayMs: { from: 0, to: SEND_TIMEOUT_MS / 2 },
    });
    const codes = ['123', '116', '217', '123', '111', '209'];
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) => demo.sale({ cvv2: codes[index % codes.length] })),
    );
    for (const { status } of replies) expect(status).toBe(200);
    await gateway.untilAllFinal();
  });

  async function sendsOf(orderId: string): Promise<number> {
    const [row] = await gateway.query(`select sends from transactions where order_id = ${orderId}`);
    return Number(row?.sends);
  }
});
