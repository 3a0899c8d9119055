// Taking held money: whole, in parts, never more than is held, however many requests come at once and wherever they
// arrive.

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
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describeGateway('a capture', { holdMs: 1_000 }, (gateway) => {
  const { demo } = gateway;
  /** What the bank did on its own account, which no order of ours knows. */
  const ofTheBank: string[] = [];
  const capture = (order: ReplyBody, fields: Fields = {}) => demo.followUp('capture', order, fields);
  const captured = (order: ReplyBody, fields: Fields = {}) => demo.followUpUntilFinal('capture', order, fields);

  /** What the bank captured of an order, in minor units. */
  const booked = async (order: ReplyBody) =>
    (await gateway.bookedFor(order['paynet-order-id']))
      .filter(({ kind, outcome }) => kind === 'capture' && outcome === 'approved')
      .map(({ amount }) => Number(amount.minor));

  /** Every transaction of the order that the gateway sent out has ended. */
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
    const isOfTheBank = (one: string) => ofTheBank.some((reference) => one.startsWith(`the bank has ${reference},`));
    expect(found.filter((one) => !isOfTheBank(one))).toEqual([]);
  });

  it('without an amount takes all that is held', async () => {
    const before = await gateway.balance();
    const order = await demo.preauthUntilFinal();
    const accepted = await capture(order);
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        type: 'async-response',
        status: 'processing',
        'merchant-order-id': order['merchant-order-id'],
        'paynet-order-id': order['paynet-order-id'],
        'end-point-id': '101',
      },
    });
    expect(await demo.untilFinal(order['merchant-order-id'])).toMatchObject({
      status: 'approved',
      'transaction-type': 'capture',
      'order-stage': 'capture_approved',
      amount: '100.00',
    });
    expect(await booked(order)).toEqual([10_000]);
    expect(await gateway.balance()).toBe(before + 10_000n);
  });

  it('takes a part, then another, then without an amount the rest, and then nothing', async () => {
    const order = await demo.preauthUntilFinal();
    expect(await captured(order, usd('10.00'))).toMatchObject({ status: 'approved', amount: '10.00' });
    expect(await captured(order, usd('25.50'))).toMatchObject({ status: 'approved', amount: '25.50' });
    expect(await captured(order)).toMatchObject({ status: 'approved', amount: '64.50' });
    expect(await booked(order)).toEqual([1_000, 2_550, 6_450]);
    expect(refused(await capture(order))).toEqual({ status: 400, code: '42' });
    expect(refused(await capture(order, usd('0.01')))).toEqual({ status: 400, code: '42' });
  });

  it('beyond what is held is refused, and I am told how much is left', async () => {
    const order = await demo.preauthUntilFinal();
    const beyond = await capture(order, usd('100.01'));
    expect(refused(beyond)).toEqual({ status: 400, code: '42' });
    expect(beyond.body).toMatchObject({ type: 'validation-error', errors: [{ field: 'amount', code: '42' }] });
    await captured(order, usd('60.00'));
    const second = await capture(order, usd('40.01'));
    expect(refused(second)).toEqual({ status: 400, code: '42' });
    expect(second.body['error-message']).toContain('40.00 USD');
    expect(await booked(order)).toEqual([6_000]);
  });

  describe('reads its amount by the signature and answers in the notation of the order', () => {
    it.each([
      ['100.00', '40.00', '4000', '40.00'],
      ['100.00', '4000', '4000', '40.00'],
      ['100.00', '40', '4000', '40.00'],
      ['10000', '40.00', '4000', '4000'],
      ['10000', '4000', '4000', '4000'],
      ['10000', '40', '40', '40'],
    ])('of %s held, %s signed as %s is %s', async (held, amount, signed, shown) => {
      const order = await demo.preauthUntilFinal({ amount: held });
      const status = await demo.followUpUntilFinal('capture', order, usd(amount), { signs: { amount: signed } });
      expect(status).toMatchObject({ status: 'approved', amount: shown });
      expect(await booked(order)).toEqual([Number(signed)]);
    });
  });

  describe('without an amount', () => {
    it("may be signed over the order's own amount and currency", async () => {
      const order = await demo.preauthUntilFinal();
      await captured(order, usd('30.00'));
      const signs = { amount: '10000', currency: 'USD' };
      const rest = await demo.followUpUntilFinal('capture', order, {}, { signs });
      expect(rest).toMatchObject({ status: 'approved', amount: '70.00' });
    });

    it.each([
      ['another amount', { amount: '9999', currency: 'USD' }],
      ['another currency', { amount: '10000', currency: 'EUR' }],
      ['the amount alone', { amount: '10000', currency: '' }],
      ['the amount in major units', { amount: '100.00', currency: 'USD' }],
      ['a hundred times the amount', { amount: '1000000', currency: 'USD' }],
    ])('is not taken when signed over %s', async (_, signs) => {
      const order = await demo.preauthUntilFinal();
      expect(refused(await demo.followUp('capture', order, {}, { signs }))).toEqual({ status: 400, code: '20' });
      expect(await booked(order)).toEqual([]);
    });

    it('works after a status by order id, whose control is the same, and so do return and void', async () => {
      const order = await demo.preauthUntilFinal();
      const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = order;
      const status = () => demo.status({ client_orderid, orderid });
      expect((await status()).status).toBe(200);
      expect(await captured(order)).toMatchObject({ status: 'approved', amount: '100.00' });
      expect(refused(await demo.followUp('void', order, usd('1.00')))).toEqual({ status: 400, code: '44' });
      expect(await demo.followUpUntilFinal('return', order)).toMatchObject({ status: 'approved', amount: '100.00' });
      expect((await status()).body).toMatchObject({ 'transaction-type': 'reversal' });
    });

    it('is not taken with a currency alone', async () => {
      const order = await demo.preauthUntilFinal();
      const reply = await capture(order, { currency: 'USD' });
      expect(refused(reply)).toEqual({ status: 400, code: '5' });
    });
  });

  it('is refused when the control covers no amount and the body has one', async () => {
    const order = await demo.preauthUntilFinal();
    const signs = { amount: '', currency: '' };
    expect(refused(await demo.followUp('capture', order, usd('10.00'), { signs }))).toMatchObject({ code: '20' });
  });

  it('in another currency than the order is refused', async () => {
    const order = await demo.preauthUntilFinal();
    const reply = await capture(order, { amount: '10.00', currency: 'EUR' });
    expect(refused(reply)).toEqual({ status: 400, code: '11' });
    expect(reply.body.errors).toMatchObject([{ field: 'currency' }]);
  });

  it('the bank is in doubt about counts as taken until the bank has made up its mind', async () => {
    const order = await demo.preauthUntilFinal();
    const accepted = await capture(order, usd('92.17'));
    const serial = accepted.body['serial-number'];
    const status = async () => (await demo.status({ client_orderid: order['merchant-order-id'] })).body;
    await until('the capture is unknown', async () => (await status()).status === 'unknown');
    expect(await status()).toMatchObject({ 'order-stage': 'capture_unknown', 'transaction-type': 'capture' });
    expect(refused(await capture(order, usd('7.84')))).toEqual({ status: 400, code: '42' });
    expect(await captured(order, usd('7.83'))).toMatchObject({ status: 'approved' });
    gateway.clock.advance(6_000);
    const final = await demo.untilFinal(order['merchant-order-id'], { bySerial: serial });
    expect(final).toMatchObject({ status: 'approved', amount: '92.17', 'by-request-sn': serial });
    expect(await booked(order)).toEqual([9_217, 783]);
  });

  it('the bank declines takes nothing, and less can be asked for', async () => {
    const order = await demo.preauthUntilFinal();
    const original = await gateway.bankReference(order['paynet-order-id']);
    const reference = `counter-${randomUUID()}`;
    ofTheBank.push(reference);
    const atTheCounter = { kind: 'cancel', reference, original, amount: { minor: 6_000n, currency: 'USD' } } as const;
    expect(await gateway.bank.instruct(atTheCounter)).toMatchObject({ word: 'approved' });
    const before = await gateway.balance();
    const declined = await captured(order, usd('50.00'));
    expect(declined).toMatchObject({ status: 'declined', 'order-stage': 'capture_declined', 'error-code': '110' });
    expect(await gateway.balance()).toBe(before);
    expect(await captured(order, usd('40.00'))).toMatchObject({ status: 'approved' });
    expect(await booked(order)).toEqual([4_000]);
  });

  it('the bank could not be reached for is made when it is back, once', async () => {
    const order = await demo.preauthUntilFinal();
    gateway.bank.faults.set({ messages: ['instruct'], refuseRate: 1 });
    await capture(order, usd('20.00'));
    await until('the capture is unknown', async () => {
      const { body } = await demo.status({ client_orderid: order['merchant-order-id'] });
      return body.status === 'unknown';
    });
    gateway.bank.faults.set({});
    gateway.clock.advance(6_000);
    expect(await demo.untilFinal(order['merchant-order-id'])).toMatchObject({ status: 'approved', amount: '20.00' });
    expect(await booked(order)).toEqual([2_000]);
  });

  it('of anything but an approved preauthorization is refused', async () => {
    const sale = await demo.saleUntilFinal();
    const declined = await demo.preauthUntilFinal({ cvv2: '116' });
    const { body: unfinished } = await demo.preauth({ cvv2: '217' });
    for (const order of [sale, declined, unfinished]) {
      const reply = await capture(order);
      expect(refused(reply)).toEqual({ status: 400, code: '40' });
      expect(reply.body['error-message']).toContain('only an approved preauthorization can be captured');
    }
    gateway.clock.advance(6_000);
    const approved = await demo.untilFinal(unfinished['merchant-order-id']);
    expect(await captured(approved)).toMatchObject({ status: 'approved' });
  });

  it('keeps its comment out of the status and takes 50 characters of it', async () => {
    const order = await demo.preauthUntilFinal();
    expect(await captured(order, { ...usd('1.00'), comment: 'c'.repeat(50) })).toMatchObject({ status: 'approved' });
    expect(refused(await capture(order, { ...usd('1.00'), comment: 'c'.repeat(51) }))).toMatchObject({ code: '3' });
  });

  describe("of another merchant's order", () => {
    it('is answered exactly as for one that does not exist', async () => {
      const order = await demo.preauthUntilFinal();
      const { client: rival, id } = await gateway.newMerchant();
      const nobodys = { ...order, 'paynet-order-id': String(Number(order['paynet-order-id']) + 1) };
      for (const fields of [{}, usd('10.00')]) {
        for (const signs of [{}, { amount: '10000', currency: 'USD' }]) {
          const options = { endpoint: id, signs };
          const foreign = await rival.followUp('capture', order, fields, options);
          const missing = await rival.followUp('capture', nobodys, fields, options);
          expect(foreign.status).toBe(400);
          expect(anonymous(foreign, order)).toBe(anonymous(missing, nobodys));
        }
      }
      expect(refused(await rival.followUp('capture', order, {}, { endpoint: id }))).toMatchObject({ code: '30' });
      expect(refused(await demo.followUp('capture', order, {}, { endpoint: id }))).toMatchObject({ code: '10' });
      expect(await booked(order)).toEqual([]);
    });

    it('is not found by an order id and a client_orderid of different orders either', async () => {
      const [one, other] = [await demo.preauthUntilFinal(), await demo.preauthUntilFinal()];
      const mixed = { ...one, 'paynet-order-id': other['paynet-order-id'] };
      expect(refused(await capture(mixed))).toEqual({ status: 400, code: '30' });
      expect(refused(await capture({ ...one, 'merchant-order-id': newOrderId() }))).toMatchObject({ code: '30' });
    });
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (order: ReplyBody, key: string, fields: Fields = {}) =>
      demo.followUp('capture', order, fields, { headers: { 'idempotency-key': key } });

    it('sent again gets the stored reply and takes nothing more', async () => {
      const [order, key] = [await demo.preauthUntilFinal(), randomUUID()];
      const first = await keyed(order, key, usd('10.00'));
      expect((await keyed(order, key, usd('10.00'))).text).toBe(first.text);
      await demo.untilFinal(order['merchant-order-id']);
      expect((await keyed(order, key, usd('10.00'))).text).toBe(first.text);
      expect(await booked(order)).toEqual([1_000]);
      expect(refused(await keyed(order, key, usd('11.00')))).toEqual({ status: 400, code: '32' });
      const other = await demo.preauthUntilFinal();
      expect(refused(await keyed(other, key, usd('10.00')))).toEqual({ status: 400, code: '32' });
    });

    it.each([
      ['a part', usd('10.00'), 1_000],
      ['the whole', {}, 10_000],
      ['more than half', usd('60.00'), 6_000],
    ])('sent many times at once takes %s once, and every request gets the same reply', async (_, fields, minor) => {
      const [order, key] = [await demo.preauthUntilFinal(), randomUUID()];
      const replies = await times(12, () => keyed(order, key, fields));
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(replies[0]?.status).toBe(200);
      await ended(order);
      expect(await booked(order)).toEqual([minor]);
    });

    it('is kept apart by what it asks for: one key is good for one request of mine', async () => {
      const key = randomUUID();
      const sale = await demo.sale({ amount: '10.00' }, { headers: { 'idempotency-key': key } });
      expect(sale.status).toBe(200);
      expect(refused(await keyed(await demo.preauthUntilFinal(), key))).toEqual({ status: 400, code: '32' });
    });

    it('and one without: the same request twice takes twice', async () => {
      const order = await demo.preauthUntilFinal();
      await captured(order, usd('10.00'));
      await captured(order, usd('10.00'));
      expect(await booked(order)).toEqual([1_000, 1_000]);
    });
  });

  describe('that comes at the same moment as many others', () => {
    const COUNT = 20;

    async function tenOfTwenty(order: ReplyBody, clients: readonly Client[]): Promise<void> {
      const replies = await times(COUNT, (index) =>
        (clients[index % clients.length] as Client).followUp('capture', order, usd('10.00')),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
      for (const reply of replies)
        if (reply.status !== 200) expect(refused(reply)).toEqual({ status: 400, code: '42' });
      await ended(order);
      expect(await booked(order)).toEqual(Array(10).fill(1_000));
      const serials = replies.filter(({ status }) => status === 200).map(({ body }) => body['serial-number']);
      for (const bySerial of serials) {
        expect(await demo.untilFinal(order['merchant-order-id'], { bySerial })).toMatchObject({ status: 'approved' });
      }
    }

    it('is one of exactly ten of 10.00 that fit into 100.00', async () => {
      await tenOfTwenty(await demo.preauthUntilFinal(), [demo]);
    });

    it('is the only one when each takes the whole', async () => {
      const order = await demo.preauthUntilFinal();
      const replies = await times(COUNT, () => capture(order));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      await ended(order);
      expect(await booked(order)).toEqual([10_000]);
    });

    it('shares the hold with releases: together never more than is held', async () => {
      const order = await demo.preauthUntilFinal();
      await times(COUNT, (index) =>
        // The same bytes would be the same return.
        demo.followUp(index % 2 === 0 ? 'return' : 'capture', order, { ...usd('15.00'), comment: String(index) }),
      );
      await ended(order);
      const entries = await gateway.bookedFor(order['paynet-order-id']);
      const sum = (...kinds: string[]) =>
        entries
          .filter(({ kind, outcome }) => kinds.includes(kind) && outcome === 'approved')
          .reduce((total, { amount }) => total + Number(amount.minor), 0);
      expect(sum('capture', 'cancel')).toBeLessThanOrEqual(10_000);
      expect(sum('refund', 'void')).toBeLessThanOrEqual(sum('capture'));
      expect(entries.filter(({ outcome }) => outcome === 'declined')).toEqual([]);
    });

    // Two gateways need a server; the embedded database has one process.
    if (gateway.kind === 'postgres') {
      it('keeps to the hold across two gateways at once, on a database they share', async () => {
        const elsewhere = await gateway.second();
        for (let round = 0; round < 3; round++) await tenOfTwenty(await demo.preauthUntilFinal(), [demo, elsewhere]);
        const [order, key] = [await demo.preauthUntilFinal(), randomUUID()];
        const replies = await times(COUNT, (index) =>
          (index % 2 === 0 ? demo : elsewhere).followUp('capture', order, {}, { headers: { 'idempotency-key': key } }),
        );
        expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(replies[0]?.status).toBe(200);
        await ended(order);
        expect(await booked(order)).toEqual([10_000]);
      });
    }
  });
});

/** The reply's very bytes, apart from the serial number and the order id that was asked about. */
function anonymous({ text, body }: Reply, order: ReplyBody): string {
  // The digits of an order id, a small number, may stand in other values too: only the explained signature has it.
  const { 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId } = order;
  return text.replace(body['serial-number'], '').replaceAll(clientOrderId + orderId, clientOrderId);
}
