// A statement's balances belong together, whatever is booked while it is read. Held on both databases.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showStatement } from '../../src/administration/money/statements.ts';
import type { VerbParts } from '../../src/administration/parts.ts';
import type { Database } from '../../src/storage/database.ts';
import { balanceStore } from '../../src/storage/orders/balances.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { APPROVED, calledOrder, changed } from './called-orders.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const NOW = Date.UTC(2027, 2, 1, 12);
const DAY = 24 * 60 * 60_000;

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`statements, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      await sell(NOW - 3 * DAY);
    });
    afterAll(() => opened?.drop());

    const sell = async (at: number) => {
      const record = calledOrder({}, at);
      await orderStore(database).commit({ starts: [record], changes: [] });
      await orderStore(database).commit({ starts: [], changes: [changed(record.order, APPROVED, at)] });
    };
    const shown = (given: { from: string; to?: string }, by: Database = database) =>
      showStatement.run({ login: 'shop', currency: undefined, to: undefined, ...given }, {
        accounts: balanceStore(by),
        clock: { now: () => NOW },
        configuration: { read: async () => ({ merchants: [{ merchantId: 1, login: 'shop' }] }) },
      } as unknown as VerbParts);
    const usd = (minor: bigint) => ({ minor, currency: 'USD' });

    it('show what is held where nothing was booked since, and what came when', async () => {
      const { currencies } = await shown({ from: '2027-03-01' });
      expect(currencies).toMatchObject([{ currency: 'USD', opening: usd(1042n), closing: usd(1042n), days: [] }]);
      const early = await shown({ from: '2027-02-01', to: '2027-02-27' });
      expect(early.currencies).toMatchObject([
        { opening: usd(0n), closing: usd(1042n), days: [{ day: '2027-02-26', bookings: 1, balance: usd(1042n) }] },
      ]);
      const earlier = await shown({ from: '2027-02-01', to: '2027-02-20' });
      expect(earlier.currencies).toMatchObject([{ opening: usd(0n), closing: usd(0n), days: [] }]);
    });

    it('begin with what was there, also when something is sold between two of their queries', async () => {
      const busy: Database = {
        ...database,
        query: async (...what: Parameters<Database['query']>) => {
          const rows = await database.query(...what);
          await sell(NOW);
          return rows;
        },
      } as Database;
      const { currencies } = await shown({ from: '2027-02-01' }, busy);
      expect(currencies).toMatchObject([{ opening: usd(0n), closing: usd(1042n) }]);
    });

    it('begin at most 800 days ago', async () => {
      await expect(shown({ from: '2024-12-20', to: '2024-12-31' })).rejects.toThrow(/at most 800 days ago/);
      await expect(shown({ from: '2024-12-22', to: '2024-12-31' })).resolves.toMatchObject({ login: 'shop' });
    });
  });
}
