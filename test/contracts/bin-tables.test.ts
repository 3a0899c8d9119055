// What imports rely on from the store of issuers' tables, held on both databases: nothing is used before all is there.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BinRow } from '../../src/domain/card/bin-table.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { BinBook } from '../../src/processing/cards/bin-book.ts';
import { type BinTableStore, binTableStore } from '../../src/storage/cards/bin-tables.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { storedCard } from './stored-card.ts';

const rows = (bank: string, count = 3): BinRow[] =>
  Array.from({ length: count }, (_, index) => ({ bin: String(41_111_111 + index), bank, country: 'USA' }));

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the store of issuers' tables, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let store: BinTableStore;
    let book: BinBook;
    const card = { ...storedCard(1), issuerDigits: '41111111' };
    const bank = async () => {
      await book.refresh();
      return book.issuerOf(card)?.bank;
    };

    beforeAll(async () => {
      opened = await kind.openMigrated();
      store = binTableStore(opened.database);
      const shipped = [{ bin: '411111', bank: 'Shipped', country: undefined }];
      book = new BinBook({ store, clock: systemClock, shipped });
    });
    afterAll(() => opened?.drop());

    it('a table is used when all of it is there, and the one before until then', async () => {
      expect(await bank()).toBe('Shipped');
      const first = await store.begin();
      expect(await store.add(first, rows('First'))).toBe(true);
      expect(await bank()).toBe('Shipped');
      expect(await store.use(first)).toBe(true);
      expect(await bank()).toBe('First');
      expect(await store.add(first, rows('More'))).toBe(false);
      const second = await store.begin();
      await store.add(second, rows('Second').slice(1));
      await store.add(second, rows('Second').slice(0, 1));
      expect(await bank()).toBe('First');
      expect(await store.count(second)).toBe(3);
      await store.use(second);
      expect(await bank()).toBe('Second');
    });

    it('rows of tables that nobody reads any more are removed a few at a time, and no others', async () => {
      const [old, used] = [await store.begin(), await store.begin()];
      await store.add(used, rows('Used'));
      await store.use(used);
      while ((await store.removeOld(10)) > 0);
      const next = await store.begin();
      await store.add(next, rows('Next'));
      expect(await store.removeOld(10)).toBe(0);
      await store.use(next);
      expect([await store.removeOld(2), await store.removeOld(2), await store.removeOld(2)]).toEqual([2, 1, 0]);
      const given = await Promise.all([old, used, next].map((table) => store.count(table)));
      expect(given).toEqual([0, 0, 3]);
    });

    it('a node removes the rows of the table that it followed another from', async () => {
      const [before, stop] = [await store.begin(), new AbortController()];
      await store.add(before, rows('Before'));
      await store.use(before);
      const after = await store.begin();
      await store.add(after, rows('After'));
      await store.use(after);
      const clock = { ...systemClock, sleep: () => systemClock.sleep(1) };
      const followed = new BinBook({ store, clock, shipped: [] }).follow(stop.signal, () => {});
      await expect.poll(() => store.count(before)).toBe(0);
      stop.abort();
      await followed;
      expect(await store.count(after)).toBe(3);
    });

    it('an import gives up one that began before it', async () => {
      const early = await store.begin();
      await store.add(early, rows('Early'));
      const late = await store.begin();
      expect(await store.add(early, rows('Early'))).toBe(false);
      expect(await store.use(early)).toBe(false);
      await store.add(late, rows('Late'));
      expect(await store.use(late)).toBe(true);
      expect(await bank()).toBe('Late');
    });

    it('many rows are read in pages', async () => {
      const table = await store.begin();
      for (let part = 0; part < 25; part++) {
        const some = Array.from({ length: 1_000 }, (_, index) => ({
          bin: String(50_000_000 + part * 1_000 + index),
          bank: `Bank ${part}`,
          country: undefined,
        }));
        await store.add(table, some);
      }
      await store.use(table);
      await book.refresh();
      expect(book.issuerOf({ ...card, issuerDigits: '50024999' })?.bank).toBe('Bank 24');
      expect(book.issuerOf({ ...card, issuerDigits: '50000000' })?.bank).toBe('Bank 0');
    });
  });
}
