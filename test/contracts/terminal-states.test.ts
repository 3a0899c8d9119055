// What nodes rely on when they tell each other about terminals, held on both databases: of two that write over the same
// version one does, and one node at a time tries a line.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import { type TerminalDayStore, terminalDayStore } from '../../src/storage/orders/terminal-days.ts';
import { type TerminalState, type TerminalStateStore, terminalStateStore } from '../../src/storage/terminal-states.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const NOW = Date.UTC(2027, 0, 1, 12);
const SECOND = 1_000;
const OPEN: TerminalState = {
  terminal: 'bank-a',
  version: 1,
  isOpen: true,
  opens: 1,
  at: NOW + 5 * SECOND,
  reason: 'no connection',
};

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the states of terminals, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let store: TerminalStateStore;
    let days: TerminalDayStore;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      store = terminalStateStore(database);
      days = terminalDayStore(database);
    });
    afterAll(() => opened?.drop());
    beforeEach(() => database.script('delete from terminal_states; delete from terminal_days'));

    it('are read as they were written', async () => {
      expect(await store.read()).toEqual([]);
      expect(await store.write(OPEN)).toBe(true);
      expect(await store.read()).toEqual([OPEN]);
    });

    it('are written over the version below only', async () => {
      expect(await store.write({ ...OPEN, version: 2 })).toBe(false);
      expect(await store.write(OPEN)).toBe(true);
      expect(await store.write(OPEN)).toBe(false);
      expect(await store.write({ ...OPEN, version: 3 })).toBe(false);
      const closed = { ...OPEN, version: 2, isOpen: false, at: NOW, reason: '' };
      expect(await store.write(closed)).toBe(true);
      expect(await store.read()).toEqual([closed]);
    });

    it('are written once by nodes that notice at the same time', async () => {
      const written = await Promise.all(Array.from({ length: 8 }, (_, opens) => store.write({ ...OPEN, opens })));
      expect(written.filter(Boolean)).toHaveLength(1);
    });

    it('let one node try a line, and another when that one died', async () => {
      await store.write(OPEN);
      const claims = Array.from({ length: 8 }, () => store.claim(OPEN, NOW, NOW + 45 * SECOND));
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
      expect(await store.claim(OPEN, NOW + 44 * SECOND, NOW + 90 * SECOND)).toBe(false);
      expect(await store.claim(OPEN, NOW + 45 * SECOND, NOW + 90 * SECOND)).toBe(true);
    });

    it('let nobody try a line that is closed, or that somebody else changed', async () => {
      await store.write(OPEN);
      await store.write({ ...OPEN, version: 2, isOpen: false });
      expect(await store.claim({ ...OPEN, version: 2 }, NOW, NOW + SECOND)).toBe(false);
      await store.write({ ...OPEN, version: 3 });
      expect(await store.claim({ ...OPEN, version: 1 }, NOW, NOW + SECOND)).toBe(false);
      expect(await store.claim({ ...OPEN, version: 3 }, NOW, NOW + SECOND)).toBe(true);
    });

    it('have a sum for each currency of a day, in UTC', async () => {
      await database.script(`insert into terminal_days values
        ('bank-a', '2027-01-01', 'USD', 2, 2500), ('bank-a', '2027-01-01', 'EUR', 1, 900),
        ('bank-a', '2026-12-31', 'USD', 7, 7000), ('bank-b', '2027-01-01', 'USD', 1, 100)`);
      const uses = await days.read(Date.UTC(2027, 0, 1, 23, 59, 59));
      expect(uses.get('bank-a')).toEqual({
        count: 3,
        amounts: new Map([
          ['USD', 2500n],
          ['EUR', 900n],
        ]),
      });
      expect(uses.get('bank-b')?.count).toBe(1);
      expect((await days.read(Date.UTC(2027, 0, 2))).size).toBe(0);
      await days.forget(Date.UTC(2027, 0, 1));
      expect((await days.read(Date.UTC(2026, 11, 31))).size).toBe(0);
      expect((await days.read(NOW)).size).toBe(2);
    });
  });
}
