// What the gateway relies on from the notices of banks, held on both databases: each is new once, to one node.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BankNoticeStore, bankNoticeStore } from '../../src/storage/bank-notices.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const NOW = Date.UTC(2027, 0, 1);

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`notices of banks, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let store: BankNoticeStore;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      store = bankNoticeStore(opened.database);
    });
    afterAll(() => opened?.drop());
    beforeEach(() => opened.database.script('delete from bank_notices'));

    const notice = (noticeId: string, { terminal = 'bank', receivedAt = NOW } = {}) => ({
      ...{ terminal, noticeId, receivedAt },
    });

    it('are new once, at each terminal', async () => {
      expect(await store.take(notice('a'))).toBe(true);
      expect(await store.take(notice('a', { receivedAt: NOW + 1 }))).toBe(false);
      expect(await store.take(notice('A'))).toBe(true);
      expect(await store.take(notice('a', { terminal: 'another' }))).toBe(true);
    });

    it('that come at the same moment are new to one only', async () => {
      const taken = await Promise.all(Array.from({ length: 20 }, () => store.take(notice('a'))));
      expect(taken.filter((isNew) => isNew)).toHaveLength(1);
    });

    it('are forgotten oldest first, no more than asked for', async () => {
      for (let age = 0; age < 5; age++) await store.take(notice(`${age}`, { receivedAt: NOW - age }));
      expect(await store.forget(NOW, 3)).toBe(3);
      expect(await store.take(notice('4'))).toBe(true);
      expect(await store.take(notice('1'))).toBe(false);
      expect(await store.forget(NOW, 3)).toBe(1);
      expect(await store.take(notice('0'))).toBe(false);
    });
  });
}
