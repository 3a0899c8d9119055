// What only grows lies in a partition for each month, on both databases: made ahead, filled again out of the rest, made
// out of the tables of before, and dropped as a whole when it is old.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { serialNumbersSince } from '../../src/domain/ids/serial-times.ts';
import { beginOfMonth, calendarMonthOf, monthsLater } from '../../src/domain/time/calendar-months.ts';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { roleStatements } from '../../src/storage/connection/roles.ts';
import type { Database } from '../../src/storage/database.ts';
import { historyStore } from '../../src/storage/history/history-store.ts';
import { historyTables, partingOf } from '../../src/storage/history/history-tables.ts';
import {
  type MadeMonths,
  MONTHS_AHEAD,
  makeMonths,
  makeMonthWithin,
  presentMonths,
} from '../../src/storage/history/make-months.ts';
import { listPartitions } from '../../src/storage/history/partitions.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { exportDatabase } from '../../src/storage/transfer/export.ts';
import { importDatabase, inspectExport } from '../../src/storage/transfer/import.ts';
import { kindsOfThisFile } from '../harness.ts';
import { calledOrder } from './called-orders.ts';
import type { OpenedDatabase } from './databases.ts';

const NOW = Date.UTC(2026, 10, 19, 12);
const DECEMBER = beginOfMonth('2026-12');

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`months of what only grows, on ${kind.name}`, () => {
    /** An embedded database has one session: nobody else can be in it meanwhile. */
    const onServer = (title: string, test: () => Promise<void>, limitMs?: number) => {
      if (kind.kind === 'postgres') it(title, test, limitMs);
    };
    const opened: OpenedDatabase[] = [];

    afterEach(async () => {
      for (const one of opened.splice(0)) await one.drop();
    });

    async function open(options: { upTo?: number; folder?: boolean } = {}): Promise<Database> {
      const one = await kind.open({ folder: options.folder ?? false, atCoordinator: true });
      opened.push(one);
      await migrate(one.database, undefined, options.upTo === undefined ? {} : { upTo: options.upTo });
      return one.database;
    }

    const ask = async (database: Database, text: string) => database.query({ name: `test ${randomUUID()}`, text });

    /** Rows of each table at this moment; every order has its own number. */
    let orders = 0;
    async function write(database: Database, at: number): Promise<void> {
      orders += 1;
      const time = `'${new Date(at).toISOString()}'`;
      await database.script(`
        insert into journal (serial_number, at, http_status, request, reply, milliseconds)
        values ('${serialNumbersSince(at).slice(0, 24)}${String(orders).padStart(12, '0')}', ${time}, 200, '{}', '{}', 1);
        insert into order_events (merchant_id, order_id, version, at, event) values (1, ${orders}, 1, ${time}, '{}');
        insert into callback_attempts (merchant_id, order_id, seq, target, at, milliseconds)
        values (1, ${orders}, 1, 'server', ${time}, 5)`);
    }

    /** In which partition how many rows lie, of all three tables alike. */
    async function lying(database: Database): Promise<Record<string, number>> {
      const all: Record<string, number>[] = [];
      for (const table of historyTables) {
        // A part of a partition has its number behind the name, on a cluster.
        const rows = await ask(
          database,
          `select regexp_replace(tableoid::regclass::text, '_\\d{6,}$', '') as name, count(*)::int as count
            from ${table} group by 1 order by 1`,
        );
        all.push(
          Object.fromEntries(rows.map(({ name, count }) => [(name as string).replace(`${table}_`, ''), Number(count)])),
        );
      }
      expect(all[1]).toEqual(all[0]);
      expect(all[2]).toEqual(all[0]);
      return all[0] ?? {};
    }

    const ahead = (database: Database, now = NOW, count = MONTHS_AHEAD.running) =>
      makeMonths(database, { months: presentMonths(now, count) });

    const months = async (database: Database) => [
      ...new Set((await database.transaction(listPartitions)).map(({ month }) => month)),
    ];

    it('are made ahead, and not a second time', async () => {
      const database = await open();
      const { made, ...rest } = await ahead(database);
      expect(made).toHaveLength(3 * 4);
      expect(rest).toEqual({ waiting: [], forbidden: undefined, restRows: 0 });
      expect(await months(database)).toEqual(['2026-11', '2026-12', '2027-01', '2027-02']);
      expect((await ahead(database)).made).toEqual([]);
    });

    it('have the rows of their first and their last millisecond', async () => {
      const database = await open();
      await ahead(database);
      for (const at of [DECEMBER - 1, DECEMBER, beginOfMonth('2027-01') - 1]) await write(database, at);
      expect(await lying(database)).toEqual({ '2026_11': 1, '2026_12': 2 });
    });

    it('take what lay in the rest for want of them, when the clock went on by a year', async () => {
      const database = await open();
      await ahead(database);
      const later = NOW + 365 * 24 * 60 * 60_000;
      for (const at of [NOW, later, later + 1]) await write(database, at);
      expect(await lying(database)).toEqual({ '2026_11': 1, rest: 2 });
      await ahead(database, later);
      expect(await lying(database)).toEqual({ '2026_11': 1, '2027_11': 2 });
    });

    it('are made of months long over whose rows lie in the rest, as of a made-up past', async () => {
      const database = await open();
      for (const at of [NOW, NOW - 90 * 24 * 60 * 60_000, NOW - 180 * 24 * 60 * 60_000]) await write(database, at);
      expect(await lying(database)).toEqual({ rest: 3 });
      await ahead(database);
      expect(await lying(database)).toEqual({ '2026_05': 1, '2026_08': 1, '2026_11': 1 });
    });

    it('are made by one of two nodes that come at once, and by the other what is left', async () => {
      const database = await open();
      await write(database, NOW);
      const [one, other] = await Promise.all([ahead(database), ahead(database)]);
      const later = await ahead(database);
      expect([...one.made, ...other.made, ...later.made].toSorted()).toHaveLength(12);
      expect(await lying(database)).toEqual({ '2026_11': 1 });
    });

    it('have the keys, indexes and checks of the whole', async () => {
      const database = await open();
      await ahead(database);
      for (const table of historyTables) {
        const count = async (name: string) =>
          (
            await ask(
              database,
              `select (select count(*)::int from pg_index where indrelid = '${name}'::regclass) as indexes,
                (select count(*)::int from pg_constraint where conrelid = '${name}'::regclass and contype in ('c', 'p')) as checks`,
            )
          )[0];
        expect(await count(`${table}_2026_12`)).toEqual(await count(table));
      }
      await expect(
        database.script(`insert into order_events (merchant_id, order_id, version, at, event, shard)
          values (${3 * 2 ** 32 + 1}, 1, 1, '2026-12-05', '{}', 0)`),
      ).rejects.toThrow('order_events_shard');
    });

    it.skipIf(kind.noOlder !== undefined)('begin behind the rows of before, which stay where they are', async () => {
      const database = await open({ upTo: 40 });
      const present = Date.now();
      for (const at of [beginOfMonth('2025-01'), present]) await write(database, at);
      const places = await ask(database, `select pg_relation_filenode('order_events') as node`);
      await migrate(database);
      expect(await lying(database)).toEqual({ before: 2 });
      expect(await ask(database, `select pg_relation_filenode('order_events_before') as node`)).toEqual(places);
      const first = (await database.transaction(listPartitions))[0];
      const next = new Date(present);
      const begin = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1);
      expect(first).toMatchObject({ month: `before-${new Date(begin).toISOString().slice(0, 7)}`, until: begin });
      await ahead(database, present);
      await write(database, begin - 1);
      await write(database, begin);
      expect(await lying(database)).toEqual({
        before: 3,
        [new Date(begin).toISOString().slice(0, 7).replace('-', '_')]: 1,
      });
    });

    it.skipIf(kind.noOlder !== undefined)(
      'begin behind rows of before that are a little later than the day of the upgrade',
      async () => {
        const database = await open({ upTo: 40 });
        const next = monthsLater(calendarMonthOf(Date.now()), 1);
        await write(database, beginOfMonth(next));
        await migrate(database);
        expect(await lying(database)).toEqual({ before: 1 });
        expect(await months(database)).toEqual([`before-${monthsLater(next, 1)}`]);
      },
    );

    it.skipIf(kind.noOlder !== undefined)(
      'begin in the next month even where a row of before is years ahead, which gets its own',
      async () => {
        const database = await open({ upTo: 40 });
        const present = Date.now();
        const next = monthsLater(calendarMonthOf(present), 1);
        const after = monthsLater(next, 1);
        for (const at of [present, Date.UTC(2061, 4, 31, 23, 59)]) await write(database, at);
        await migrate(database);
        expect(await lying(database)).toEqual({ before: 1, rest: 1 });
        expect((await ahead(database, beginOfMonth(next), 1)).waiting).toEqual([]);
        expect(await lying(database)).toEqual({ before: 1, '2061_05': 1 });
        expect(await months(database)).toContain(after);
      },
    );

    it('are left out for what lies behind the last of them, which stays in the rest, also in an import', async () => {
      const database = await open();
      const last = Date.UTC(9999, 11, 5);
      for (const at of [NOW, last]) await write(database, at);
      expect(await ahead(database)).toMatchObject({ waiting: [], forbidden: undefined });
      expect(await lying(database)).toEqual({ '2026_11': 1, rest: 1 });
      const folder = await mkdtemp(join(tmpdir(), 'tender-months-'));
      const path = join(folder, 'export.gz');
      await exportDatabase({ database, path, now: NOW });
      const one = await kind.open({ bare: true });
      opened.push(one);
      await importDatabase({ database: one.database, path, file: await inspectExport({ path }) });
      expect(await lying(one.database)).toEqual({ '2026_11': 1, rest: 1 });
      await rm(folder, { recursive: true });
    });

    it('of many rows in the rest are made only by whoever has patience', async () => {
      const database = await open();
      await database.script(`insert into order_events (merchant_id, order_id, version, at, event)
        select 1, i, 1, '2026-11-05', '{}' from generate_series(1, 20001) i`);
      expect(await ahead(database)).toMatchObject({ waiting: ['order_events_2026_11'], restRows: 20_001 });
      const { made } = await makeMonths(database, { months: [], isPatient: true });
      expect(made).toEqual(['order_events_2026_11']);
    });

    onServer(
      'let payments through again and again beside somebody who reads long',
      async () => {
        const database = await open();
        const other = await openDatabase(opened[0]!.place);
        const paying = await openDatabase(opened[0]!.place);
        try {
          let rounds = 0;
          let readerIsGone = () => {};
          const reading = new Promise<void>((resolve) => (readerIsGone = resolve));
          let making: Promise<MadeMonths> | undefined;
          await other.transaction(async (session) => {
            await session.script('lock table order_events_rest in access share mode');
            // In a pause no lock is held, and none is asked for.
            await new Promise<void>((paused) => {
              const sleep = () => {
                rounds += 1;
                paused();
                return reading;
              };
              const clock: Clock = { now: () => NOW, sleep };
              making = makeMonths(database, { months: ['2026-11', '2026-12'], isPatient: true, clock });
            });
            await write(paying, NOW);
          });
          readerIsGone();
          expect((await making)?.made).toHaveLength(6);
          expect(rounds).toBe(1);
          expect(await lying(database)).toEqual({ '2026_11': 1 });
        } finally {
          await paying.close();
          await other.close();
        }
      },
      30_000,
    );

    it('leave no table of before in a new database', async () => {
      expect(await months(await open())).toEqual([]);
    });

    onServer(
      'wait for nobody: what is in use is made later',
      async () => {
        const database = await open();
        const other = await openDatabase(opened[0]!.place);
        try {
          await other.transaction(async (session) => {
            await session.script('lock table journal_rest in access share mode');
            const { made, waiting } = await ahead(database);
            expect(waiting.filter((name) => name.startsWith('journal'))).toHaveLength(4);
            expect(made).toHaveLength(8);
          });
          expect((await ahead(database)).made).toHaveLength(4);
        } finally {
          await other.close();
        }
      },
      30_000,
    );

    onServer('are made beside payments, none of which fails or is written twice', async () => {
      const database = await open();
      const paying = await openDatabase(opened[0]!.place);
      try {
        const month = new Date().toISOString().slice(0, 7);
        const now = Date.now();
        const record = calledOrder({}, now);
        const writes = {
          order_events: () => orderStore(paying).commit({ starts: [record], changes: [] }),
          journal: () =>
            paying.script(`insert into journal (serial_number, at, http_status, request, reply, milliseconds)
              values ('${serialNumbersSince(now)}', now(), 200, '{}', '{}', 1)`),
          callback_attempts: () =>
            paying.transaction((session) =>
              session.script(`insert into callback_attempts (merchant_id, order_id, seq, target, at, milliseconds)
                values (1, 1, 1, 'server', now(), 5)`),
            ),
        };
        for (const table of historyTables) {
          // The month comes while the payment waits for the rest, where it was to lie.
          const written = await database.transaction(async (session) => {
            await makeMonthWithin(session, table, month);
            const writing = writes[table]();
            const waits = `select 1 from pg_locks where relation = '${table}_rest'::regclass and not granted`;
            while ((await ask(paying, waits)).length === 0);
            return { writing };
          });
          await written.writing;
        }
        expect(await lying(database)).toEqual({ [month.replace('-', '_')]: 1 });
      } finally {
        await paying.close();
      }
    });

    it('that are forgotten are dropped as a whole, changes of orders never', async () => {
      const database = await open();
      const old = NOW - 120 * 24 * 60 * 60_000;
      for (const at of [old, NOW]) await write(database, at);
      await ahead(database);
      const { dropRequests, dropAttempts } = historyStore(database);
      expect(await dropRequests(beginOfMonth('2026-08') - 1)).toEqual([]);
      expect(await dropRequests(beginOfMonth('2026-08'))).toEqual(['journal_2026_07']);
      expect(await dropAttempts(NOW)).toEqual(['callback_attempts_2026_07']);
      expect(await ask(database, 'select 1 from journal')).toHaveLength(1);
      expect(await ask(database, 'select 1 from order_events')).toHaveLength(2);
    });

    it('of an import are made before its rows', async () => {
      const database = await open();
      await ahead(database);
      for (const at of [beginOfMonth('2019-03'), NOW, DECEMBER]) await write(database, at);
      const folder = await mkdtemp(join(tmpdir(), 'tender-months-'));
      const path = join(folder, 'export.gz');
      await exportDatabase({ database, path, now: NOW });
      const one = await kind.open({ bare: true });
      opened.push(one);
      await importDatabase({ database: one.database, path, file: await inspectExport({ path }) });
      expect(await lying(one.database)).toEqual({ '2019_03': 1, '2026_11': 1, '2026_12': 1 });
      await rm(folder, { recursive: true });
    });

    onServer('are not made by a role that may not, whose rows go to the rest', async () => {
      const database = await open();
      await ahead(database);
      const role = `tender_months_${randomUUID().slice(0, 8)}`;
      const url = new URL(opened[0]!.place.url as string);
      const admin = url.username;
      for (const text of await roleStatements(database, { run: role, migrate: admin })) await database.script(text);
      url.username = role;
      const running = await openDatabase({ url: url.href });
      try {
        const later = beginOfMonth('2030-01');
        await write(running, later);
        const { made, forbidden, restRows } = await ahead(running, later);
        // One of each table, though the first was refused already.
        expect([made, restRows]).toEqual([[], 3]);
        expect(forbidden).toMatch(/must be owner|permission denied/);
        expect(await historyStore(running).dropRequests(later)).toEqual([]);
        for (const table of ['order_events', 'order_events_rest', 'order_events_2026_11']) {
          await expect(running.script(`delete from ${table}`)).rejects.toMatchObject({ sqlState: '42501' });
        }
        // Nor of a month that is made once the roles are there.
        await ahead(database, later);
        expect(await lying(database)).toEqual({ '2030_01': 1 });
        await expect(running.script('delete from order_events_2030_01')).rejects.toMatchObject({ sqlState: '42501' });
        await write(running, later);
        // It may export, and payments go on meanwhile.
        const folder = await mkdtemp(join(tmpdir(), 'tender-months-'));
        const seal = async function* (plain: AsyncIterable<Buffer>) {
          await write(running, later);
          yield* plain;
        };
        const { rows } = await exportDatabase({ database: running, path: join(folder, 'export'), now: NOW, seal });
        await rm(folder, { recursive: true });
        expect(rows).toMatchObject({ order_events: 2 });
      } finally {
        await running.close();
        await database.script(`drop owned by ${role}; drop role ${role}`);
      }
    });

    it('are found by their bounds, in whatever zone the session is', async () => {
      const database = await open();
      await database.script(`set time zone 'Pacific/Auckland'`);
      await ahead(database);
      expect(await ask(database, 'show time zone')).toMatchObject([{ TimeZone: 'Pacific/Auckland' }]);
      expect(await months(database)).toEqual(['2026-11', '2026-12', '2027-01', '2027-02']);
      expect(await ahead(database)).toMatchObject({ made: [], waiting: [] });
      for (const table of historyTables) {
        expect(partingOf[table].momentOf(partingOf[table].boundAt(DECEMBER))).toBe(DECEMBER);
      }
    });
  });
}
