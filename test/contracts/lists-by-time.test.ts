// Lists begin with the newest, whatever the ids: nodes use their blocks of ids at their own pace, and ids of 15 digits
// are from before there was a counter. Held on both databases.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardReferenceStore } from '../../src/storage/cards/card-references.ts';
import type { Database } from '../../src/storage/database.ts';
import { type CallbackPlace, callbackStore } from '../../src/storage/orders/callbacks.ts';
import type { OrderPlace } from '../../src/storage/orders/order-search.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { timelineStore } from '../../src/storage/orders/timelines.ts';
import { recurringStore } from '../../src/storage/recurring.ts';
import { APPROVED, calledOrder, changed } from './called-orders.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { newRecurringPayment } from './new-recurring-payment.ts';
import { EVERY_ORDER } from './sought-orders.ts';
import { storedCard } from './stored-card.ts';

const NOW = Date.UTC(2027, 0, 1);

/** In the order of time. */
const IDS = [225_233_353_367_552, 225_233_353_367_900, 9, 10, 2, 2 ** 31, 3, 300];
const NEWEST_FIRST = IDS.toReversed();

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`lists, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      const orders = orderStore(database, () => {});
      for (const [index, orderId] of IDS.entries()) {
        const at = NOW + index * 1000;
        const record = calledOrder({ serverCallbackUrl: 'https://shop.test/cb' }, at);
        const order = { ...record.order, merchantId: (index % 2) + 1, orderId };
        const cards = [storedCard(orderId)];
        await orders.commit({ starts: [{ ...record, order, cards, cardId: orderId }], changes: [] });
        await orders.commit({ starts: [], changes: [changed(order, APPROVED, at)] });
      }
    });
    afterAll(() => opened?.drop());

    /** All of them, three at a time. */
    async function paged(list: (before: number | undefined) => Promise<readonly number[]>): Promise<number[]> {
      const all: number[] = [];
      for (;;) {
        const page = await list(all.at(-1));
        all.push(...page);
        if (page.length === 0) return all;
      }
    }

    const merchantIds = [1, 2];
    const limit = 3;

    it('of orders', async () => {
      const { search } = timelineStore(database);
      const listed: number[] = [];
      for (let after: OrderPlace | undefined; ; ) {
        const page = await search({ merchantIds, search: EVERY_ORDER, after, limit });
        listed.push(...page.found.map(({ orderId }) => orderId));
        after = page.next;
        if (after === undefined) break;
      }
      expect(listed).toEqual(NEWEST_FIRST);
    });

    it.each(['waiting', undefined] as const)('of callbacks (%s)', async (state) => {
      const { search } = callbackStore(database);
      const any = { state, orderId: undefined, from: undefined, to: undefined };
      const listed: number[] = [];
      for (let after: CallbackPlace | undefined; ; ) {
        const page = await search({ merchantIds, search: any, after, limit });
        listed.push(...page.found.map(({ orderId }) => orderId));
        after = page.next;
        if (after === undefined) break;
      }
      expect(listed).toEqual(NEWEST_FIRST);
      expect(await search({ merchantIds, search: { ...any, state: 'failed' }, limit })).toMatchObject({ found: [] });
      const ofOrder = await search({ merchantIds, search: { ...any, orderId: 9 }, limit });
      expect(ofOrder).toMatchObject({ found: [{ orderId: 9 }], next: undefined });
    });

    it('of card references, one that was made anew as a new one', async () => {
      const store = cardReferenceStore(database);
      const own = IDS.filter((_, index) => index % 2 === 0);
      for (const [index, cardId] of own.entries()) {
        await store.ensure({ merchantId: 1, referenceId: cardId + 1, cardId, at: NOW + index * 1000 });
      }
      const [first = 0] = own;
      expect(await store.ofCard(1, first)).toBe(first + 1);
      await store.remove(1, first + 1, NOW);
      expect(await store.ofCard(1, first)).toBeUndefined();
      await store.ensure({ merchantId: 1, referenceId: 77, cardId: first, at: NOW + 60_000 });
      const listed = await paged(async (before) =>
        (await store.list({ merchantId: 1, before, limit })).map(({ referenceId }) => referenceId),
      );
      expect(listed).toEqual([
        77,
        ...own
          .slice(1)
          .toReversed()
          .map((id) => id + 1),
      ]);
    });

    it('of recurring payments', async () => {
      const store = recurringStore(database);
      for (const [index, id] of IDS.entries()) {
        const made = newRecurringPayment(id + 1_000, NOW + index * 1000);
        await store.create({ ...made, merchantId: (index % 2) + 1 });
      }
      const listed = await paged(async (before) =>
        (await store.list({ before, limit })).map(({ recurringPaymentId }) => recurringPaymentId),
      );
      expect(listed).toEqual(NEWEST_FIRST.map((id) => id + 1_000));
      expect(await store.keyOf(1_010)).toEqual({ merchantId: 2, recurringPaymentId: 1_010 });
      expect(await store.keyOf(5)).toBeUndefined();
    });
  });
}
