// Ids as shops store them: small, dense, and the same to every operation on either side of 2^31 and beside those of 15
// digits that were made from the clock before.

import { describe, expect, it } from 'vitest';
import { referenceAt } from '../../src/domain/order/order.ts';
import { timelineStore } from '../../src/storage/orders/timelines.ts';
import { EVERY_ORDER } from '../contracts/sought-orders.ts';
import {
  DEMO_MERCHANT_ID,
  describeGateway,
  type Fields,
  newOrderId,
  type ReplyBody,
  type TestGateway,
  until,
} from '../harness.ts';
import type { TestShop } from '../test-shop.ts';
import { chargeRecurring, createCardReference, rebillUntilFinal, recurringPayment } from './stored-cards.ts';

const LIMIT = 2 ** 31;
const FROM_THE_CLOCK = 225_233_353_367_552;

type Kept = { readonly sale: ReplyBody; readonly reference: string; readonly payment: string };

const idOf = (order: ReplyBody) => Number(order['paynet-order-id']);

describeGateway('ids', {}, (gateway) => {
  const { demo } = gateway;

  /** A sale, the reference of its card, and a recurring payment. */
  async function made(links: Fields = {}): Promise<Kept> {
    const sale = await demo.saleUntilFinal({ amount: '10.00', ...links });
    expect(sale).toMatchObject({ status: 'approved' });
    const { body } = await createCardReference(demo, sale);
    return { sale, reference: body['card-ref-id'], payment: await recurringPayment(demo) };
  }

  /** Everything that names them later; answers the ids of the orders that came of it. */
  async function used({ sale, reference, payment }: Kept): Promise<number[]> {
    const { body } = await demo.status({ client_orderid: sale['merchant-order-id'], orderid: sale['paynet-order-id'] });
    expect(body).toMatchObject({ status: 'approved', 'paynet-order-id': sale['paynet-order-id'] });
    expect((await createCardReference(demo, sale)).body['card-ref-id']).toBe(reference);
    const rebilled = await rebillUntilFinal(demo, reference);
    const charged = await chargeRecurring(demo, payment, { client_orderid: newOrderId(), amount: '3.00' });
    expect(charged).toMatchObject({ status: 200 });
    const charge = await demo.untilFinal(charged.body['merchant-order-id']);
    const returned = await demo.followUpUntilFinal('return', sale, { amount: '4.00', currency: 'USD' });
    for (const order of [rebilled, charge, returned]) expect(order).toMatchObject({ status: 'approved' });
    expect(await gateway.bookedFor(sale['paynet-order-id'])).toMatchObject([
      { reference: await gateway.bankReference(sale['paynet-order-id'], 1), outcome: 'approved' },
      { reference: await gateway.bankReference(sale['paynet-order-id'], 2), outcome: 'approved' },
    ]);
    return [rebilled, charge].map(idOf);
  }

  async function expectTold(shop: TestShop, sale: ReplyBody): Promise<void> {
    await until('the shop is told', () => shop.told.length > 0);
    expect(shop.told.map(({ fields }) => [fields.orderid, fields.type])).toEqual([[sale['paynet-order-id'], 'sale']]);
    expect(shop.complaints).toEqual([]);
  }

  it('begin at 1, and leave no gap when the gateway starts again', async () => {
    expect(idOf((await demo.sale()).body)).toBe(1);
    expect(idOf((await demo.sale()).body)).toBe(2);
    await gateway.untilAllFinal();
    await gateway.restart();
    expect(idOf((await demo.sale()).body)).toBe(3);
    await gateway.untilAllFinal();
  });

  it('are not used up by a card reference that is asked for again', async () => {
    const { sale, reference, payment } = await made();
    for (let times = 0; times < 5; times++) await createCardReference(demo, sale);
    expect([idOf(sale), Number(reference), Number(payment)]).toEqual([4, 5, 6]);
    expect(idOf((await demo.sale()).body)).toBe(7);
    await gateway.untilAllFinal();
  });

  it('of 15 digits stay valid beside small ones, and lists begin with the newest of both', async () => {
    await gateway.restart({ firstId: FROM_THE_CLOCK });
    const shop = await gateway.shop();
    const old = await made({ server_callback_url: shop.url('/old') });
    expect(idOf(old.sale)).toBe(FROM_THE_CLOCK);
    // As an older version named it.
    const { reference } = (await gateway.bookedFor(old.sale['paynet-order-id']))[0] ?? {};
    expect(reference).toBe(`${FROM_THE_CLOCK}-1`);
    await gateway.restart();
    await gateway.query('update id_counter set next_id = 1000, first_id = null');
    await gateway.restart();
    gateway.clock.advance(60_000);
    const young = await made();
    expect(idOf(young.sale)).toBe(1000);
    for (const id of [...(await used(old)), ...(await used(young))]) expect(id).toBeLessThan(1100);
    await expectTold(shop, old.sale);
    const { search } = timelineStore(gateway.database);
    const sought = { merchantIds: [DEMO_MERCHANT_ID], search: EVERY_ORDER, after: undefined, limit: 100 };
    const listed = (await search(sought)).found.map(({ orderId }) => orderId);
    expect(listed.indexOf(FROM_THE_CLOCK)).toBeGreaterThan(listed.indexOf(1000));
    expect(listed.indexOf(7)).toBeGreaterThan(listed.indexOf(FROM_THE_CLOCK));
  });

  const warnings = () => gateway.log.filter((line) => line.includes('32-bit integer')).map((line) => JSON.parse(line));

  it('that are four fifths used are warned of in the log and in the metrics', async () => {
    expect(await figure(gateway)).toBeLessThan(0.001);
    await gateway.restart({ firstId: 1_800_000_000 });
    expect(warnings().at(-1)).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/^83 % of the ids that fit/),
    });
    expect(await figure(gateway)).toBeCloseTo(0.838, 3);
  });

  it('work on both sides of 2^31: sales, their status, callbacks and returns, stored cards and recurring payments', async () => {
    await gateway.restart({ firstId: LIMIT - 8 });
    const kept: { all: Kept; shop: TestShop }[] = [];
    for (let round = 0; round < 5; round++) {
      const shop = await gateway.shop();
      kept.push({ all: await made({ server_callback_url: shop.url(`/cb-${round}`) }), shop });
    }
    const ids = kept.flatMap(({ all }) => [idOf(all.sale), Number(all.reference), Number(all.payment)]);
    expect(ids).toEqual(Array.from({ length: 15 }, (_, index) => LIMIT - 8 + index));
    for (const { all, shop } of kept) {
      const later = await used(all);
      for (const id of later) expect(id).toBeGreaterThan(LIMIT);
      await expectTold(shop, all.sale);
    }
    await gateway.untilAllFinal();
    expect(await gateway.discrepancies()).toEqual([]);
  });

  it('that no longer fit are warned of at every start, and once a day', async () => {
    const before = warnings().length;
    await gateway.restart();
    for (let times = 0; times < 40; times++) await demo.sale();
    expect(warnings().slice(before)).toMatchObject([
      { level: 'warn', message: expect.stringMatching(/^new ids no longer fit a signed 32-bit integer/) },
    ]);
    expect(await figure(gateway)).toBeGreaterThan(1);
    await gateway.untilAllFinal();
  });

  it('with a stride grow by steps up to it', async () => {
    await gateway.restart({ idStride: 100 });
    const steps: number[] = [];
    let last: number | undefined;
    for (let times = 0; times < 60; times++) {
      const id = idOf((await demo.sale()).body);
      if (last !== undefined) steps.push(id - last);
      last = id;
    }
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...steps)).toBeLessThanOrEqual(100);
    expect(new Set(steps).size).toBeGreaterThan(10);
    await gateway.untilAllFinal();
  });
});

/** A figure that takes too long to read is left out, which happens on a busy machine. */
async function figure(gateway: TestGateway): Promise<number> {
  let told: string | undefined;
  await until('the figure is told', async () => {
    const text = await (await fetch(`${gateway.origin}/metrics`)).text();
    told = /^tender_small_ids_used_ratio (\S+)$/m.exec(text)?.[1];
    return told !== undefined;
  });
  return Number(told);
}

describe('the name of an instruction at the bank', () => {
  const at = (orderedAt: number, orderId = 1042) => referenceAt({ orderId, orderedAt, seq: 1, leg: 1 });

  it('is another one when a restored counter gives an id again', () => {
    expect(at(1_800_000_000_000)).not.toBe(at(1_800_000_000_001));
  });

  it('is what it was for orders from before the counter', () => {
    expect(at(1_800_000_000_000, FROM_THE_CLOCK)).toBe(`${FROM_THE_CLOCK}-1`);
  });
});
