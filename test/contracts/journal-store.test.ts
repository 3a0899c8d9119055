// What the journal relies on from its store, held on both databases: every line once, however often it is written.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serialNumbersSince } from '../../src/domain/ids/serial-times.ts';
import { newSerialNumber } from '../../src/processing/node/serial-numbers.ts';
import type { Database } from '../../src/storage/database.ts';
import { type JournalLine, type JournalStore, journalStore } from '../../src/storage/requests/journal.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const line = (changes: Partial<JournalLine> = {}): JournalLine => ({
  serialNumber: randomUUID(),
  at: Date.UTC(2026, 5, 1),
  operation: 'SALE',
  pathId: '101',
  merchantId: 1,
  orderId: 7,
  httpStatus: 200,
  errorCode: undefined,
  request: '{"amount":"10.42"}',
  reply: '{"type":"async-response"}',
  milliseconds: 1.5,
  ...changes,
});

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the journal store on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let store: JournalStore;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      store = journalStore(database);
    });

    afterAll(() => opened?.drop());

    beforeEach(() => database.script('truncate journal'));

    const written = async () => {
      const text = 'select serial_number, request from journal order by serial_number';
      const rows = await database.query({ name: 'test-journal', text });
      return rows.map((row) => [row.serial_number, row.request]);
    };
    const serialsOf = (lines: readonly JournalLine[]) => lines.map(({ serialNumber }) => serialNumber).sort();

    it('keeps lines of all kinds', async () => {
      const refused = line({ operation: undefined, pathId: undefined, merchantId: undefined, orderId: undefined });
      const lines = [line(), refused, line({ httpStatus: 400, errorCode: 3 })];
      await store.write(lines);
      expect((await written()).map(([serial]) => serial)).toEqual(serialsOf(lines));
    });

    it('keeps a line once when it is written again, and those that come with it', async () => {
      const lines = [line(), line()];
      await store.write(lines);
      const again = [...lines.map((one) => ({ ...one, request: '{}' })), line()];
      await store.write(again);
      expect((await written()).map(([serial]) => serial)).toEqual(serialsOf(again));
      const first = (await written()).filter(([serial]) => lines.some((one) => one.serialNumber === serial));
      expect(first.map(([, request]) => request)).toEqual([{ amount: '10.42' }, { amount: '10.42' }]);
    });

    it('forgets the oldest first, no more than it is told to, and nothing from that moment on', async () => {
      const [now, day] = [Date.UTC(2026, 5, 1), 24 * 60 * 60 * 1000];
      const ofDay = (back: number) => line({ serialNumber: newSerialNumber(now - back * day) });
      const [newest, old, older, oldest] = [0, 1, 2, 3].map(ofDay) as [
        JournalLine,
        JournalLine,
        JournalLine,
        JournalLine,
      ];
      await store.write([newest, oldest, old, older]);
      const left = async () => (await written()).map(([serial]) => serial);
      expect(await store.forget(serialNumbersSince(now), 2)).toBe(2);
      expect(await left()).toEqual(serialsOf([old, newest]));
      expect(await store.forget(serialNumbersSince(now), 2)).toBe(1);
      expect(await store.forget(serialNumbersSince(now), 2)).toBe(0);
      expect(await left()).toEqual(serialsOf([newest]));
    });

    it('says when a line cannot be kept', async () => {
      await expect(store.write([line({ request: 'no JSON' })])).rejects.toMatchObject({ sqlState: '22P02' });
    });
  });
}
