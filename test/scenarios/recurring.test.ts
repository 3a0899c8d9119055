// Recurring payments over HTTP, with a clock that can be put forward: made, charged by the merchant, and charged by
// their schedule, each occurrence once whatever happens to the nodes.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { VerbParts } from '../../src/administration/parts.ts';
import {
  listRecurring,
  pauseRecurring,
  resumeRecurring,
  stopRecurring,
} from '../../src/administration/recurring/recurring.ts';
import { InvalidInput } from '../../src/administration/verb/invalid-input.ts';
import { recurringStore } from '../../src/storage/recurring.ts';
import { shared } from '../contracts/databases.ts';
import { CARD, DEMO_MERCHANT_ID, describeGateway, newOrderId, pause, TestGateway, until } from '../harness.ts';
import {
  chargeRecurring,
  chargesOf,
  createRecurring,
  letPass,
  rebillUntilFinal,
  recurringPayment,
  scheduledId,
  settled,
} from './stored-cards.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MASTERCARD = '5555555555554444';

const dayText = (moment: number) => new Date(moment).toISOString().slice(0, 10).replaceAll('-', '');
const today = (gateway: TestGateway) => dayText(gateway.clock.now());

describeGateway('recurring payments', {}, (gateway) => {
  const administration = () => {
    const { clock, database, store } = gateway;
    const parts: Partial<VerbParts> = {
      clock,
      configuration: store.configuration,
      recurring: recurringStore(database),
    };
    return parts as VerbParts;
  };
  const keyOf = (id: string) => ({ merchantId: DEMO_MERCHANT_ID, recurringPaymentId: Number(id) });
  const pausePayment = (id: string) => pauseRecurring.run(keyOf(id), administration());
  const resumePayment = (id: string) => resumeRecurring.run(keyOf(id), administration());
  const stopPayment = (id: string) => stopRecurring.run(keyOf(id), administration());
  const stateOf = async (id: string) => {
    const payment = await administration().recurring.find(keyOf(id));
    if (!payment) throw new Error('it is gone');
    return payment;
  };

  describe('made by the merchant', () => {
    it('shares its order ids with orders: whoever comes second is refused', async () => {
      const used = { status: 400, body: { 'error-code': '31', errors: [{ field: 'client_orderid' }] } };
      const sold = { client_orderid: newOrderId() };
      expect((await gateway.demo.sale(sold)).status).toBe(200);
      expect(await createRecurring(gateway.demo, { ...sold, amount: '10.00' })).toMatchObject(used);
      const made = { client_orderid: newOrderId(), amount: '10.00' };
      expect((await createRecurring(gateway.demo, made)).status).toBe(200);
      expect(await gateway.demo.sale({ client_orderid: made.client_orderid })).toMatchObject(used);
      expect((await createRecurring(gateway.demo, made)).status).toBe(200);
      expect((await gateway.demo.sale({ client_orderid: newOrderId() })).status).toBe(200);
    });

    it('and asked for at the same moment as a sale with its order id, one of them is taken', async () => {
      for (let round = 0; round < 10; round++) {
        const client_orderid = newOrderId();
        const replies = await Promise.all([
          createRecurring(gateway.demo, { client_orderid, amount: '10.00' }),
          gateway.demo.sale({ client_orderid }),
        ]);
        expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
      }
    });

    it('has no order id of the form that its own charges have', async () => {
      const reply = await createRecurring(gateway.demo, { client_orderid: 'rp-123456789012-3', amount: '10.00' });
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ field: 'client_orderid' }] } });
    });

    it('answers an id that is the same for the same request, and refuses another under the same order id', async () => {
      const fields = { client_orderid: newOrderId(), amount: '10.00' };
      const first = await createRecurring(gateway.demo, { ...fields, cvv2: '123' });
      expect(first).toMatchObject({
        status: 200,
        body: {
          type: 'create-recurring-payment-response',
          status: 'approved',
          'merchant-order-id': fields.client_orderid,
        },
      });
      const again = await createRecurring(gateway.demo, { ...fields, cvv2: '321' });
      expect(again.body['recurring-payment-id']).toBe(first.body['recurring-payment-id']);
      const other = await createRecurring(gateway.demo, { ...fields, amount: '11.00' });
      expect(other).toMatchObject({ status: 400, body: { 'error-code': '31' } });
    });

    it('made ten times at once is one', async () => {
      const fields = { client_orderid: newOrderId(), amount: '10.00' };
      const replies = await Promise.all(Array.from({ length: 10 }, () => createRecurring(gateway.demo, fields)));
      expect(new Set(replies.map(({ body }) => body['recurring-payment-id'])).size).toBe(1);
    });

    it.each([
      ['an amount in another currency', { amount: '10.00', currency: 'EUR' }, '11'],
      ['a start in the past', { amount: '10.00', interval_unit: 'day', interval: '1', start_date: '20200101' }, '5'],
      ['a start without an interval', { amount: '10.00', start_date: '20290101' }, '5'],
      [
        'an end before the first charge',
        { amount: '10.00', interval_unit: 'month', interval: '1', finish_date: 'today' },
        '5',
      ],
      ['an end in the past', { amount: '10.00', finish_date: '20200101' }, '5'],
    ])('%s is refused', async (_, fields, code) => {
      const finish = 'finish_date' in fields && fields.finish_date === 'today' ? { finish_date: today(gateway) } : {};
      const reply = await createRecurring(gateway.demo, { ...fields, ...finish });
      expect(reply).toMatchObject({ status: 400, body: { 'error-code': code } });
    });

    it('keeps the card number in the vault only', async () => {
      const id = await recurringPayment(gateway.demo, { order_desc: `for card ${CARD}`, amount: '1.00' });
      const [row] = await gateway.query(`select p::text as profile, c::text as card
        from recurring_payments p join cards c on c.shard = p.shard and c.card_id = p.recurring_payment_id
         where recurring_payment_id = ${id}`);
      expect(`${row?.profile} ${row?.card}`).not.toContain(CARD);
      expect(row?.profile).toContain('411111******1111');
    });

    it('is a stored card for rebills too', async () => {
      const id = await recurringPayment(gateway.demo);
      expect(await rebillUntilFinal(gateway.demo, id)).toMatchObject({
        status: 'approved',
        'last-four-digits': '1111',
      });
    });
  });

  describe('charged by the merchant', () => {
    it('is an order like any other', async () => {
      const id = await recurringPayment(gateway.demo, { amount: '12.34', email: 'ann@example.com' });
      const reply = await chargeRecurring(gateway.demo, id, { order_desc: 'The March issue' });
      expect(reply).toMatchObject({
        status: 200,
        body: { type: 'process-recurring-payment-response', status: 'processing' },
      });
      const order = await gateway.demo.untilFinal(reply.body['merchant-order-id']);
      expect(order).toMatchObject({
        status: 'approved',
        'transaction-type': 'sale',
        amount: '12.34',
        email: 'ann@example.com',
        'paynet-order-id': reply.body['paynet-order-id'],
      });
      expect(await gateway.bookedFor(reply.body['paynet-order-id'])).toMatchObject([
        { kind: 'sale', outcome: 'approved', amount: { minor: 1234n } },
      ]);
    });

    it('twice with the same request is one order, also when the recurring payment has been stopped since', async () => {
      const id = await recurringPayment(gateway.demo, { amount: '12.34' });
      const fields = { client_orderid: newOrderId() };
      const first = await chargeRecurring(gateway.demo, id, fields);
      await stopPayment(id);
      const again = await chargeRecurring(gateway.demo, id, fields);
      expect(again.body['paynet-order-id']).toBe(first.body['paynet-order-id']);
      expect(await chargeRecurring(gateway.demo, id)).toMatchObject({ status: 400, body: { 'error-code': '54' } });
      expect(await chargesOf(gateway, id)).toHaveLength(1);
    });

    it.each([
      ['an open amount that is not given', {}, {}, '1'],
      ['below the range', { amount_from: '5.00', amount_to: '9.00' }, { amount: '4.99' }, '54'],
      ['above the range', { amount_from: '5.00', amount_to: '9.00' }, { amount: '9.01' }, '54'],
      ['a range without an amount', { amount_from: '5.00', amount_to: '9.00' }, {}, '1'],
      ['another amount than the fixed one', { amount: '5.00' }, { amount: '5.01' }, '54'],
      ['fractions the currency does not have', {}, { amount: '5.001' }, '2'],
    ])('%s is refused', async (_, profile, charge, code) => {
      const id = await recurringPayment(gateway.demo, profile);
      expect(await chargeRecurring(gateway.demo, id, charge)).toMatchObject({
        status: 400,
        body: { 'error-code': code },
      });
      expect(await chargesOf(gateway, id)).toEqual([]);
    });

    it('takes the amounts of a sequence in turn, an amount again that was declined, and then no more', async () => {
      const id = await recurringPayment(gateway.demo, {
        amount_sequence: '10.00,21.16,5.00',
        credit_card_number: MASTERCARD,
      });
      const ends: string[] = [];
      for (let charge = 0; charge < 3; charge++) {
        const reply = await chargeRecurring(gateway.demo, id);
        expect(reply.status).toBe(200);
        const { status, amount } = await gateway.demo.untilFinal(reply.body['merchant-order-id']);
        ends.push(`${amount} ${status}`);
      }
      expect(ends).toEqual(['10.00 approved', '21.16 declined', '21.16 declined']);
    });

    it('a sequence that is used up is over', async () => {
      const id = await recurringPayment(gateway.demo, { amount_sequence: '10.00' });
      const { body } = await chargeRecurring(gateway.demo, id);
      await gateway.demo.untilFinal(body['merchant-order-id']);
      expect(await chargeRecurring(gateway.demo, id)).toMatchObject({ status: 400, body: { 'error-code': '54' } });
    });

    it('the next amount of a sequence waits until the one before has ended', async () => {
      const id = await recurringPayment(gateway.demo, { amount_sequence: '12.17,20.00' });
      const { body } = await chargeRecurring(gateway.demo, id);
      const refused = await chargeRecurring(gateway.demo, id);
      expect(refused).toMatchObject({ status: 400, body: { 'error-code': '54' } });
      expect(refused.body['error-message']).toContain('its previous payment is not final yet');
      await gateway.untilAllFinal();
      expect(await chargesOf(gateway, id)).toMatchObject([{ amount: '1217', stage: 'approved' }]);
      expect(await gateway.bookedFor(body['paynet-order-id'])).toHaveLength(1);
    });

    it('parallel requests never take one amount of a sequence twice', async () => {
      const id = await recurringPayment(gateway.demo, { amount_sequence: '10.00,20.00,30.00' });
      const replies = await Promise.all(Array.from({ length: 8 }, () => chargeRecurring(gateway.demo, id)));
      await settled(gateway);
      const amounts = (await chargesOf(gateway, id)).map(({ amount }) => amount);
      expect(amounts.length).toBe(replies.filter(({ status }) => status === 200).length);
      expect(amounts).toEqual(['1000', '2000', '3000'].slice(0, amounts.length));
    });

    it('sends money to a receiving card from the balance', async () => {
      await gateway.demo.saleUntilFinal({ amount: '500000' });
      const expiry = { expire_month: undefined, expire_year: undefined, card_printed_name: undefined };
      const id = await recurringPayment(gateway.demo, { rp_card_type: 'DST', ...expiry });
      const { merchant: before = 0 } = await gateway.balances();
      const reply = await chargeRecurring(gateway.demo, id, { amount: '7.00' });
      const order = await gateway.demo.untilFinal(reply.body['merchant-order-id']);
      expect(order).toMatchObject({ status: 'approved', 'transaction-type': 'payout' });
      expect((await gateway.balances()).merchant).toBe(before - 700);
      expect(await gateway.bookedFor(reply.body['paynet-order-id'])).toMatchObject([
        { kind: 'push', outcome: 'approved' },
      ]);
    });

    it("another merchant's or an invented one does not exist", async () => {
      const id = await recurringPayment(gateway.demo, { amount: '1.00' });
      const other = await gateway.newMerchant();
      const charge = { client_orderid: newOrderId(), 'recurring-payment-id': id };
      const foreign = await other.client.oauth('/api/v4/process-recurring-payment', charge, { endpoint: other.id });
      const invented = await chargeRecurring(gateway.demo, '123456789');
      for (const reply of [foreign, invented])
        expect(reply).toMatchObject({ status: 400, body: { 'error-code': '53' } });
    });
  });

  describe('charged by its schedule', () => {
    it('a year of months that began on 31 January is twelve charges on the right days', async () => {
      gateway.clock.advance(Date.parse('2028-01-31T10:00:00Z') - gateway.clock.now());
      const id = await recurringPayment(gateway.demo, {
        amount: '10.00',
        interval_unit: 'month',
        interval: '1',
        start_date: '20280131',
      });
      await letPass(gateway, Date.parse('2029-01-30T12:00:00Z'));
      const charges = await chargesOf(gateway, id);
      const days = '01-31 02-29 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'.split(' ');
      expect(charges.map(({ day }) => day)).toEqual(days.map((one) => `2028-${one}`));
      expect(charges.map((one) => one.id)).toEqual(days.map((_, index) => String(index)));
      const orders = new Set(charges.map(({ orderId }) => orderId));
      const booked = (await gateway.books()).filter(({ reference }) => orders.has(reference.split('-')[0] as string));
      expect(booked.map(({ arrivedAt }) => new Date(arrivedAt).toISOString().slice(0, 10))).toEqual(
        charges.map(({ day }) => day),
      );
      expect(booked.every(({ outcome, kind }) => outcome === 'approved' && kind === 'sale')).toBe(true);
      const status = await gateway.demo.status({ client_orderid: scheduledId(id, 3) });
      expect(status.body).toMatchObject({ status: 'approved', amount: '10.00', 'transaction-type': 'sale' });
      await stopPayment(id);
    });

    it('without a start the first charge is one interval away, and the finish date is the last', async () => {
      const from = gateway.clock.now();
      const id = await recurringPayment(gateway.demo, {
        amount: '10.00',
        interval_unit: 'week',
        interval: '1',
        finish_date: dayText(from + 21 * DAY),
      });
      await letPass(gateway, from + 60 * DAY);
      const days = [7, 14, 21].map((after) => new Date(from + after * DAY).toISOString().slice(0, 10));
      expect((await chargesOf(gateway, id)).map(({ day }) => day)).toEqual(days);
      expect(await stateOf(id)).toMatchObject({ state: 'finished', nextRunAt: undefined });
    });

    it('a charge whose bookkeeping was lost with its node is not made again', async () => {
      const id = await recurringPayment(gateway.demo, {
        amount: '10.00',
        interval_unit: 'day',
        interval: '1',
        start_date: today(gateway),
      });
      await until('it is charged', async () => (await chargesOf(gateway, id))[0]?.stage === 'approved');
      await settled(gateway);
      await gateway.query(
        `update recurring_payments set occurrence = 0, failures = 0, next_run_at = created_at, busy_until = null
         where recurring_payment_id = ${id}`,
      );
      await gateway.restart();
      await settled(gateway);
      const charges = await chargesOf(gateway, id);
      expect(charges.map((one) => one.id)).toEqual(['0']);
      expect(await gateway.bookedFor(charges[0]?.orderId as string)).toHaveLength(1);
      await stopPayment(id);
    });

    it('after a month of silence only the latest day is charged, once', async () => {
      const id = await recurringPayment(gateway.demo, {
        amount: '10.00',
        interval_unit: 'day',
        interval: '1',
        start_date: today(gateway),
      });
      await letPass(gateway, gateway.clock.now() + 2 * MINUTE);
      gateway.clock.advance(31 * DAY);
      await settled(gateway);
      await letPass(gateway, gateway.clock.now() + 2 * MINUTE);
      expect((await chargesOf(gateway, id)).map((one) => one.id)).toEqual(['0', '31']);
      await stopPayment(id);
    });

    it('declined, it is tried again after 1, 3 and 5 days, and then suspended', async () => {
      const from = gateway.clock.now();
      const id = await recurringPayment(gateway.demo, {
        amount: '11.16',
        interval_unit: 'month',
        interval: '1',
        start_date: today(gateway),
      });
      await letPass(gateway, from + 40 * DAY);
      const charges = await chargesOf(gateway, id);
      expect(charges.map((one) => `${one.id} ${one.stage}`)).toEqual([
        '0 declined',
        '0-1 declined',
        '0-2 declined',
        '0-3 declined',
      ]);
      const days = [0, 1, 4, 9].map((after) => new Date(from + after * DAY).toISOString().slice(0, 10));
      expect(charges.map(({ day }) => day)).toEqual(days);
      expect(await stateOf(id)).toMatchObject({ state: 'suspended', note: '4 tries in a row failed' });
      expect(await chargeRecurring(gateway.demo, id)).toMatchObject({ status: 400, body: { 'error-code': '54' } });
      expect(await resumePayment(id)).toMatchObject({ state: 'active' });
      expect(await stateOf(id)).toMatchObject({ state: 'active', progress: { failures: 0 } });
      await stopPayment(id);
    });

    it('declined for good, it is suspended at once', async () => {
      const id = await recurringPayment(gateway.demo, {
        credit_card_number: '4000056655665556',
        amount: '12.09',
        interval_unit: 'month',
        interval: '1',
        start_date: today(gateway),
      });
      await letPass(gateway, gateway.clock.now() + 10 * DAY);
      expect(await chargesOf(gateway, id)).toMatchObject([{ stage: 'declined' }]);
      expect(await stateOf(id)).toMatchObject({ state: 'suspended', note: 'declined for good with code 209' });
    });

    it('the next day is not charged while the one before is open', async () => {
      const from = gateway.clock.now();
      gateway.bank.faults.set({ messages: ['inquire', 'reverse'], refuseRate: 1 });
      const id = await recurringPayment(gateway.demo, {
        amount: '12.17',
        interval_unit: 'day',
        interval: '1',
        start_date: today(gateway),
      });
      await until('it is charged', async () => (await chargesOf(gateway, id))[0]?.stage === 'asking');
      const isDue = async () => {
        const now = new Date(gateway.clock.now()).toISOString();
        return (await gateway.query(`select 1 from transactions where due_at <= '${now}'`)).length > 0;
      };
      while (gateway.clock.now() < from + 26 * HOUR) {
        gateway.clock.advance(HOUR / 2);
        await until('what is due was tried', async () => !(await isDue()));
        await pause(20);
      }
      expect(await chargesOf(gateway, id)).toMatchObject([{ id: '0', stage: 'undoing' }]);
      gateway.bank.faults.set({});
      await gateway.untilAllFinal();
      gateway.clock.advance(2 * MINUTE);
      await until('the next day is charged', async () => (await chargesOf(gateway, id)).length === 2);
      await gateway.untilAllFinal();
      const charges = await chargesOf(gateway, id);
      expect(charges.map((one) => `${one.id} ${one.stage}`)).toEqual(['0 error', '1-1 approved']);
      await stopPayment(id);
    });

    it('a sequence ends its schedule', async () => {
      const id = await recurringPayment(gateway.demo, {
        amount_sequence: '10.00,20.00',
        interval_unit: 'day',
        interval: '2',
        start_date: today(gateway),
      });
      await letPass(gateway, gateway.clock.now() + 10 * DAY);
      expect((await chargesOf(gateway, id)).map(({ amount }) => amount)).toEqual(['1000', '2000']);
      expect(await stateOf(id)).toMatchObject({ state: 'finished' });
    });

    it('paused nothing happens, resumed it goes on with the first day to come, stopped it is over', async () => {
      const schedule = { amount: '10.00', interval_unit: 'day', interval: '1', start_date: today(gateway) };
      const id = await recurringPayment(gateway.demo, schedule);
      await letPass(gateway, gateway.clock.now() + 2 * MINUTE);
      expect(await pausePayment(id)).toMatchObject({ state: 'paused' });
      await letPass(gateway, gateway.clock.now() + 5 * DAY);
      expect(await chargesOf(gateway, id)).toHaveLength(1);
      expect(await resumePayment(id)).toMatchObject({ state: 'active' });
      await settled(gateway);
      expect(await chargesOf(gateway, id)).toHaveLength(1);
      await letPass(gateway, gateway.clock.now() + DAY);
      expect((await chargesOf(gateway, id)).map((one) => one.id)).toEqual(['0', '6']);
      expect(await stopPayment(id)).toMatchObject({ state: 'stopped' });
      await letPass(gateway, gateway.clock.now() + 5 * DAY);
      expect(await chargesOf(gateway, id)).toHaveLength(2);
      await expect(resumePayment(id)).rejects.toBeInstanceOf(InvalidInput);
      expect(
        (await listRecurring.run({ state: 'stopped', login: undefined, before: undefined }, administration())).map(
          (one) => one.recurringPaymentId,
        ),
      ).toContain(Number(id));
    });

    it('paused while somebody is about to charge it, it is not charged', async () => {
      const id = await recurringPayment(gateway.demo, { amount: '10.00', interval_unit: 'day', interval: '1' });
      const { database } = gateway;
      const query = database.query.bind(database);
      let looks = 0;
      let pausedAt: number | undefined;
      const spy = vi.spyOn(database, 'query').mockImplementation(async (statement, values) => {
        if (statement.name === 'recurring-claim-due') looks += 1;
        if (statement.name === 'recurring-charges' && String(values?.[1]) === id) {
          await pausePayment(id);
          pausedAt = looks;
        }
        return query(statement, values);
      });
      gateway.clock.advance(DAY);
      // Whoever looks again is done with what was due before.
      await until('it was looked at', () => pausedAt !== undefined && looks > pausedAt);
      spy.mockRestore();
      expect(await chargesOf(gateway, id)).toEqual([]);
      expect(await stateOf(id)).toMatchObject({ state: 'paused', nextRunAt: undefined });
    });

    it('a disabled endpoint delays it', async () => {
      await gateway.addEndpoint({ endpointId: 178 });
      const schedule = { amount: '10.00', interval_unit: 'day', interval: '1' };
      const reply = await createRecurring(gateway.demo, schedule, 178);
      const id = reply.body['recurring-payment-id'];
      await gateway.changeEndpoint(178, { enabled: false });
      gateway.clock.advance(DAY + MINUTE);
      await settled(gateway);
      expect(await chargesOf(gateway, id)).toEqual([]);
      await gateway.changeEndpoint(178, { enabled: true });
      gateway.clock.advance(61 * MINUTE);
      await until('it is charged', async () => (await chargesOf(gateway, id)).length === 1);
      await stopPayment(id);
    });

    it('no merchant can take the name of one of its orders', async () => {
      const reply = await gateway.demo.sale({ client_orderid: 'rp-123456789012345-1' });
      expect(reply).toMatchObject({ status: 400, body: { 'error-code': '2' } });
    });
  });

  it("the bank's books agree with ours", async () => {
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });
});

describe.skipIf(!shared.available)('recurring payments on two nodes', () => {
  const gateway = new TestGateway(shared, {});
  beforeAll(() => gateway.open());
  afterAll(() => gateway.close());

  it('charge each day of each of them once', async () => {
    await gateway.second(gateway.demo);
    const schedule = { amount: '10.00', interval_unit: 'day', interval: '1', start_date: today(gateway) };
    const ids = await Promise.all(Array.from({ length: 15 }, () => recurringPayment(gateway.demo, schedule)));
    await letPass(gateway, gateway.clock.now() + 4 * DAY + 5 * MINUTE);
    for (const id of ids) {
      expect((await chargesOf(gateway, id)).map((one) => `${one.id} ${one.stage}`)).toEqual(
        ['0', '1', '2', '3', '4'].map((occurrence) => `${occurrence} approved`),
      );
    }
    const sales = (await gateway.books()).filter(({ kind }) => kind === 'sale');
    expect(sales).toHaveLength(15 * 5);
    expect(await gateway.discrepancies()).toEqual([]);
  });
});
