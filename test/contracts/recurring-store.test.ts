// What schedules rely on from the store of recurring payments, held on both databases: one starts a charge at a time,
// and whoever read an older version changes nothing.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecurringStore, recurringStore } from '../../src/storage/recurring.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { newRecurringPayment } from './new-recurring-payment.ts';

const NOW = Date.UTC(2026, 5, 1);
const LEASE_MS = 60_000;

let lastId = 1_000;
const payment = () => newRecurringPayment(++lastId, NOW);

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the store of recurring payments, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let store: RecurringStore;
    const claimDue = async (now: number) => {
      const due = await store.claimDue({ now, leaseUntil: now + LEASE_MS, limit: 100 });
      return due.map(({ recurringPaymentId }) => recurringPaymentId);
    };

    beforeAll(async () => {
      opened = await kind.openMigrated();
      store = recurringStore(opened.database);
    });
    afterAll(() => opened?.drop());

    it('one that a merchant is charging is not charged by its schedule before that is over', async () => {
      const one = payment();
      await store.create(one);
      const leaseUntil = NOW + LEASE_MS;
      expect(await store.claim(one, { now: NOW, leaseUntil })).toBe(true);
      expect(await claimDue(NOW)).toEqual([]);
      await store.release(one, leaseUntil);
      expect(await claimDue(NOW)).toEqual([one.recurringPaymentId]);
      expect(await store.claim(one, { now: NOW, leaseUntil })).toBe(false);
    });

    it('one whose claim ran out is charged by its schedule all the same', async () => {
      const one = payment();
      await store.create(one);
      await store.claim(one, { now: NOW, leaseUntil: NOW + 1 });
      expect(await claimDue(NOW)).not.toContain(one.recurringPaymentId);
      expect(await claimDue(NOW + 1)).toContain(one.recurringPaymentId);
    });
  });
}
