// Giving money back: whole or in parts, up to what was taken and never beyond, however many ask at once.

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Client,
  describeGateway,
  type Fields,
  newOrderId,
  type Reply,
  type ReplyBody,
  until,
} from '../harness.ts';

const refused = ({ status, body }: Reply) => ({ status, code: body['error-code'] });
const usd = (amount: string): Fields => ({ amount, currency: 'USD' });
/** The same bytes again are the same return (D-76), so a further one has a comment of its own. */
const another = (fields: Fields): Fields => ({ comment: `return ${randomUUID()}`, ...fields });
const COUNT = 20;
const times = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: COUNT }, (_, index) => make(index)));

describeGateway('a return', { holdMs: 1_000 }, (gateway) => {
  const { demo } = gateway;
  /** What the bank did on its own account, which no order of ours knows. */
  const ofTheBank: string[] = [];
  const giveBack = (order: ReplyBody, fields: Fields = {}) => demo.followUp('return', order, another(fields));
  const givenBack = (order: ReplyBody, fields: Fields = {}) =>
    demo.followUpUntilFinal('return', order, another(fields));
  const paid = (amount = '100.00') => demo.saleUntilFinal({ amount });

  const refunds = async (order: ReplyBody) =>
    (await gateway.bookedFor(order['paynet-order-id']))
      .filter(({ kind, outcome }) => kind === 'refund' && outcome === 'approved')
      .map(({ amount }) => Number(amount.minor));

  const ended = (order: ReplyBody) =>
    until('nothing of the order is open', async () => {
      const [row] = await gateway.query(
        `select count(*)::int as open from transactions where order_id = ${order['paynet-order-id']} and seq > 1
         and due_at is not null`,
      );
      return row?.open === 0;
    });

  afterAll(async () => {
    await gateway.untilAllFinal();
    const found = await gateway.discrepancies();
    expect(found.filter((one) => !ofTheBank.some((reference) => one.includes(`the bank has ${reference},`)))).toEqual(
      [],
    );
  });

  it('without an amount gives a whole sale back', async () => {
    const before = await gateway.balance();
    const order = await paid();
    expect(await gateway.balance()).toBe(before + 10_000n);
    expect(await givenBack(order)).toMatchObject({
      status: 'approved',
      'transaction-type': 'reversal',
      'order-stage': 'reversal_approved',
      amount: '100.00',
      'initial-amount': '100.00',
    });
    expect(await refunds(order)).toEqual([10_000]);
    expect(await gateway.balance()).toBe(before);
    expect(refused(await giveBack(order))).toEqual({ status: 400, code: '43' });
  });

  it('is repeated in parts up to the amount, and beyond it refused', async () => {
    const order = await paid();
    await givenBack(order, usd('30.00'));
    await givenBack(order, usd('30.00'));
    const beyond = await giveBack(order, usd('40.01'));
    expect(refused(beyond)).toEqual({ status: 400, code: '43' });
    expect(beyond.body).toMatchObject({ errors: [{ field: 'amount' }] });
    expect(beyond.body['error-message']).toContain('40.00 USD');
    expect(await givenBack(order)).toMatchObject({ status: 'approved', amount: '40.00' });
    expect(refused(await giveBack(order, usd('0.01')))).toEqual({ status: 400, code: '43' });
    expect(await refunds(order)).toEqual([3_000, 3_000, 4_000]);
  });

  it('of more than the whole is refused at once', async () => {
    const order = await paid();
    expect(refused(await giveBack(order, usd('100.01')))).toEqual({ status: 400, code: '43' });
    expect(refused(await giveBack(order, { amount: '10.00', currency: 'EUR' }))).toEqual({ status: 400, code: '11' });
    expect(await refunds(order)).toEqual([]);
  });

  it('of captures reaches as far as was captured, not as far as was held', async () => {
    const order = await demo.preauthUntilFinal();
    await demo.followUpUntilFinal('capture', order, usd('20.00'));
    await demo.followUpUntilFinal('capture', order, usd('30.00'));
    expect(refused(await giveBack(order, usd('50.01')))).toEqual({ status: 400, code: '43' });
    expect(await givenBack(order, usd('45.00'))).toMatchObject({ 'transaction-type': 'reversal', status: 'approved' });
    expect(await givenBack(order)).toMatchObject({ 'transaction-type': 'reversal', amount: '5.00' });
    expect(await demo.followUpUntilFinal('capture', order)).toMatchObject({ status: 'approved', amount: '50.00' });
  });

  describe('of a partly captured preauth', () => {
    const partlyCaptured = async (amount = '40.00') => {
      const order = await demo.preauthUntilFinal();
      await demo.followUpUntilFinal('capture', order, usd(amount));
      return order;
    };
    const booked = async (order: ReplyBody) =>
      (await gateway.bookedFor(order['paynet-order-id']))
        .filter(({ kind, outcome }) => kind !== 'preauth' && outcome === 'approved')
        .map(({ kind, amount }) => [kind, Number(amount.minor)]);

    it('gives back what is left of the hold, and what was captured stays mine', async () => {
      const before = await gateway.balance();
      const order = await partlyCaptured();
      expect(await givenBack(order, usd('60.00'))).toMatchObject({
        'transaction-type': 'cancel',
        status: 'approved',
        amount: '60.00',
        'initial-amount': '100.00',
      });
      expect(await booked(order)).toEqual([
        ['capture', 4_000],
        ['cancel', 6_000],
      ]);
      expect(await gateway.balance()).toBe(before + 4_000n);
      expect(refused(await demo.followUp('capture', order, usd('0.01')))).toEqual({ status: 400, code: '42' });
      expect(refused(await giveBack(order, usd('60.00')))).toEqual({ status: 400, code: '43' });
      expect(await givenBack(order)).toMatchObject({ 'transaction-type': 'reversal', amount: '40.00' });
      expect(await gateway.balance()).toBe(before);
    });

    it('of an amount that may mean either does what return_type says', async () => {
      const order = await partlyCaptured('50.00');
      expect(await givenBack(order, { ...usd('20.00'), return_type: 'cancel' })).toMatchObject({
        'transaction-type': 'cancel',
      });
      expect(await givenBack(order, { ...usd('20.00'), return_type: 'reversal' })).toMatchObject({
        'transaction-type': 'reversal',
      });
      expect(await givenBack(order, { return_type: 'cancel' })).toMatchObject({
        'transaction-type': 'cancel',
        amount: '30.00',
      });
      expect(refused(await giveBack(order, { return_type: 'refund' }))).toEqual({ status: 400, code: '2' });
      const none = await giveBack(order, { return_type: 'cancel' });
      expect(refused(none)).toEqual({ status: 400, code: '42' });
    });

    it('tells of the hold when it is refused', async () => {
      const order = await partlyCaptured('70.00');
      const { body } = await giveBack(order, usd('70.01'));
      expect(body['error-message']).toContain('30.00 USD more is held, and return_type=cancel gives it back');
    });

    it('and captures at the same time never take more together than was held', async () => {
      const order = await demo.preauthUntilFinal();
      await demo.followUpUntilFinal('capture', order, usd('10.00'));
      await times((index) =>
        index % 2 === 0
          ? demo.followUp('capture', order, { ...usd('20.00'), comment: String(index) })
          : giveBack(order, { ...usd('20.00'), return_type: 'cancel', comment: String(index) }),
      );
      await ended(order);
      const moved = (await booked(order)).map(([, minor]) => Number(minor));
      expect(moved.reduce((sum, minor) => sum + minor, 0)).toBe(9_000);
    });
  });

  it('is written in minor or major units, and answered in those of the order', async () => {
    const order = await demo.saleUntilFinal({ amount: '10000' });
    expect(await givenBack(order, usd('10.50'))).toMatchObject({ amount: '1050' });
    expect(await givenBack(order, usd('1050'))).toMatchObject({ amount: '1050' });
    const signs = { amount: '1000' };
    expect(await demo.followUpUntilFinal('return', order, usd('10'), { signs })).toMatchObject({ amount: '1000' });
    expect(await refunds(order)).toEqual([1_050, 1_050, 1_000]);
  });

  it("without an amount may be signed over the order's own amount and currency", async () => {
    const order = await paid();
    await givenBack(order, usd('1.00'));
    const signs = { amount: '10000', currency: 'USD' };
    expect(await demo.followUpUntilFinal('return', order, {}, { signs })).toMatchObject({ amount: '99.00' });
  });

  it('the bank is in doubt about counts as given until the bank has made up its mind', async () => {
    const order = await paid();
    const accepted = await giveBack(order, usd('92.17'));
    const status = async () => (await demo.status({ client_orderid: order['merchant-order-id'] })).body;
    await until('the return is unknown', async () => (await status()).status === 'unknown');
    expect(await status()).toMatchObject({ 'order-stage': 'reversal_unknown', amount: '92.17' });
    expect(refused(await giveBack(order, usd('7.84')))).toEqual({ status: 400, code: '43' });
    expect(refused(await demo.followUp('void', order))).toEqual({ status: 400, code: '40' });
    gateway.clock.advance(6_000);
    const bySerial = accepted.body['serial-number'];
    expect(await demo.untilFinal(order['merchant-order-id'], { bySerial })).toMatchObject({ status: 'approved' });
    expect(await givenBack(order)).toMatchObject({ amount: '7.83' });
    expect(await refunds(order)).toEqual([9_217, 783]);
  });

  it('the bank declines moves nothing, and can be asked for again', async () => {
    const order = await paid();
    const original = await gateway.bankReference(order['paynet-order-id']);
    const reference = `counter-${randomUUID()}`;
    ofTheBank.push(reference);
    const atTheCounter = { kind: 'refund', reference, original, amount: { minor: 6_000n, currency: 'USD' } } as const;
    expect(await gateway.bank.instruct(atTheCounter)).toMatchObject({ word: 'approved' });
    const before = await gateway.balance();
    const declined = await givenBack(order, usd('50.00'));
    expect(declined).toMatchObject({ status: 'declined', 'order-stage': 'reversal_declined', 'error-code': '110' });
    expect(declined).not.toHaveProperty('approval-code');
    expect(await gateway.balance()).toBe(before);
    expect(await givenBack(order, usd('40.00'))).toMatchObject({ status: 'approved' });
    expect(await gateway.balance()).toBe(before - 4_000n);
  });

  it('works after clearing as before', async () => {
    const order = await paid();
    await gateway.bank.clear();
    expect(await givenBack(order, usd('60.00'))).toMatchObject({ status: 'approved' });
    expect(await givenBack(order)).toMatchObject({ status: 'approved', amount: '40.00' });
  });

  it('of an order that was not paid is refused', async () => {
    const declined = await demo.saleUntilFinal({ cvv2: '116' });
    const { body: unfinished } = await demo.sale({ cvv2: '217' });
    const { body: notYetHeld } = await demo.preauth({ cvv2: '217' });
    const notHeld = await demo.preauthUntilFinal({ cvv2: '116' });
    for (const order of [declined, unfinished, notYetHeld, notHeld]) {
      expect(refused(await giveBack(order))).toEqual({ status: 400, code: '40' });
    }
    gateway.clock.advance(6_000);
    await demo.untilFinal(unfinished['merchant-order-id']);
    expect(await givenBack(unfinished)).toMatchObject({ status: 'approved' });
  });

  it("of another merchant's order is answered exactly as of one that does not exist", async () => {
    const order = await paid();
    const { client: rival, id } = await gateway.newMerchant();
    const nobodys = { ...order, 'paynet-order-id': String(Number(order['paynet-order-id']) + 1) };
    for (const fields of [{}, usd('10.00')]) {
      const foreign = await rival.followUp('return', order, fields, { endpoint: id });
      const missing = await rival.followUp('return', nobodys, fields, { endpoint: id });
      expect(refused(foreign)).toEqual({ status: 400, code: '30' });
      expect(foreign.text.replace(foreign.body['serial-number'], '')).toBe(
        missing.text.replace(missing.body['serial-number'], ''),
      );
    }
    expect(refused(await giveBack({ ...order, 'merchant-order-id': newOrderId() }))).toEqual({
      status: 400,
      code: '30',
    });
    expect(await refunds(order)).toEqual([]);
  });

  it('with an Idempotency-Key is made once, one after the other and all at once', async () => {
    for (const fields of [{}, usd('60.00'), usd('10.00')]) {
      const [order, key] = [await paid(), randomUUID()];
      const send = () => demo.followUp('return', order, fields, { headers: { 'idempotency-key': key } });
      const replies = [...(await times(send)), await send()];
      await ended(order);
      replies.push(await send());
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(replies[0]?.status).toBe(200);
      expect(await refunds(order)).toHaveLength(1);
    }
  });

  describe('that comes at the same moment as many others', () => {
    async function tenOfTwenty(order: ReplyBody, clients: readonly Client[]): Promise<void> {
      const replies = await times((index) =>
        (clients[index % clients.length] as Client).followUp('return', order, another(usd('10.00'))),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
      for (const reply of replies)
        if (reply.status !== 200) expect(refused(reply)).toEqual({ status: 400, code: '43' });
      await ended(order);
      expect(await refunds(order)).toEqual(Array(10).fill(1_000));
    }

    it('is one of exactly ten of 10.00 that fit into 100.00, of a sale and of captures', async () => {
      await tenOfTwenty(await paid(), [demo]);
      const order = await demo.preauthUntilFinal({ amount: '150.00' });
      await demo.followUpUntilFinal('capture', order, usd('40.00'));
      await demo.followUpUntilFinal('capture', order, usd('60.00'));
      await tenOfTwenty(order, [demo]);
    });

    it('shares the money with voids: it goes back once', async () => {
      const before = await gateway.balance();
      const order = await paid();
      const replies = await times((index) => (index % 2 === 0 ? demo.followUp('void', order) : giveBack(order)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      await ended(order);
      expect(await gateway.balance()).toBe(before);
    });

    // Two gateways need a server; the embedded database has one process.
    if (gateway.kind === 'postgres') {
      it('keeps to the amount across two gateways at once, on a database they share', async () => {
        const elsewhere = await gateway.second();
        for (let round = 0; round < 3; round++) await tenOfTwenty(await paid(), [demo, elsewhere]);
      });
    }
  });
});
