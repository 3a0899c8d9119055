// Months that leave the database for files, on both databases: nothing is lost wherever it is interrupted, what is in
// the files is what was in the database, and verification finds whatever is wrong with either, and nothing else.

import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VerifiedPart } from '../../src/administration/books/verify.ts';
import { verifyPart, verifyStoredPart } from '../../src/administration/books/verify.ts';
import { verifyWhole } from '../../src/administration/books/whole-verification.ts';
import type { VerbParts } from '../../src/administration/parts.ts';
import { holdArchives } from '../../src/cli/archives/archive-sources.ts';
import { ArchivedEvents } from '../../src/cli/archives/archived-events.ts';
import { type Making, makeArchives } from '../../src/cli/archives/make-archives.ts';
import { goneOrders, replayed } from '../../src/cli/archives/replays.ts';
import { serialNumbersSince } from '../../src/domain/ids/serial-times.ts';
import { Secret } from '../../src/domain/secret.ts';
import { beginOfMonth } from '../../src/domain/time/calendar-months.ts';
import { auditStore } from '../../src/storage/audit.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import { inspectArchive, readArchive, writeArchive } from '../../src/storage/history/archive-file.ts';
import { archiveStore } from '../../src/storage/history/archives.ts';
import { historyTables } from '../../src/storage/history/history-tables.ts';
import { makeMonths } from '../../src/storage/history/make-months.ts';
import { listPartitions, type Partition } from '../../src/storage/history/partitions.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { timelineStore } from '../../src/storage/orders/timelines.ts';
import { verificationStore } from '../../src/storage/orders/verification.ts';
import { waitingDeedStore } from '../../src/storage/people/waiting-deeds.ts';
import { durably, exportDatabase } from '../../src/storage/transfer/export.ts';
import { kindsOfThisFile } from '../harness.ts';
import { APPROVED, calledOrder, changed } from './called-orders.ts';
import type { OpenedDatabase } from './databases.ts';

const MAY = Date.UTC(2026, 4, 31, 23, 59, 59, 999);
const JUNE = beginOfMonth('2026-06');
const DAY = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 10, 19);
const OLD_TABLES = historyTables.map((table) => `${table}_2026_05`);

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`archives, on ${kind.name}`, () => {
    /** An embedded database has one session: nobody else can be in it meanwhile. */
    const onServer = (title: string, test: () => Promise<void>, limitMs?: number) => {
      if (kind.kind === 'postgres') it(title, test, limitMs);
    };
    let opened: OpenedDatabase;
    let database: Database;
    let folder: string;
    /** Made in May and approved in June, made and approved in May, and made in June. */
    let orderIds: number[];

    beforeAll(async () => {
      opened = await kind.openMigrated({ atCoordinator: true });
      database = opened.database;
      await database.script('update id_counter set next_id = 6000000');
    });
    afterAll(() => opened?.drop());

    const ask = async (text: string) => database.query({ name: `test ${randomUUID()}`, text });

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tender-archives-'));
      await database.script(`truncate orders, transactions, order_events, ledger_entries, accounts, cards, callbacks,
        callback_attempts, journal, archives, terminal_days`);
      const store = orderStore(database);
      orderIds = [];
      for (const [made, ended] of [
        [MAY, JUNE],
        [MAY - 60_000, MAY],
        [JUNE + 2 * DAY, JUNE + 2 * DAY + 1],
      ] as const) {
        const record = calledOrder({}, made);
        orderIds.push(record.order.orderId);
        await store.commit({ starts: [record], changes: [] });
        await store.commit({ starts: [], changes: [changed(record.order, APPROVED, ended)] });
        await database.script(`
          insert into journal (serial_number, at, merchant_id, order_id, http_status, request, reply, milliseconds)
          values ('${serialNumbersSince(made).slice(0, 24)}${String(record.order.orderId).padStart(12, '0')}', to_timestamp(${made / 1000}), 1, ${record.order.orderId},
            200, '{"card":"411111…1111"}', '{}', 1);
          insert into callback_attempts (merchant_id, order_id, seq, target, at, milliseconds, answer)
          values (1, ${record.order.orderId}, 1, 'server', to_timestamp(${ended / 1000}), 5, 'thanks')`);
      }
      await makeMonths(database, { months: ['2026-05', '2026-06'] });
      return () => rm(folder, { recursive: true });
    });

    const make = (changes: Partial<Making> = {}) =>
      makeArchives({
        ...{ database, running: undefined, until: JUNE, tables: historyTables, folder, recipient: undefined },
        ...{ now: () => NOW, onMonth: () => {} },
        ...changes,
      });

    const parts = () =>
      ({
        archives: archiveStore(database),
        audit: auditStore(database),
        clock: { now: () => NOW },
        leaseMs: 45_000,
        records: { look: async () => ({ count: 0, tampered: [] }) },
        verification: verificationStore(database),
      }) as unknown as VerbParts;
    const part = async (
      from: string | undefined,
      verb: Pick<typeof verifyPart, 'answer' | 'run'>,
    ): Promise<VerifiedPart> => verb.answer.write(await verb.run({ from, auditHead: undefined }, parts()));
    const watch = { show: () => {} };

    async function verify() {
      const { violations, unreplayed } = await verifyWhole((from) => part(from, verifyPart), watch);
      return { found: violations.map(({ place, cause }) => `${place}: ${cause}`), unreplayed };
    }

    async function verifyWith(opener = {}) {
      const listed = (await archiveStore(database).list()).map((one) => ({
        ...one,
        ...{ until: new Date(one.until).toISOString(), archivedAt: new Date(one.archivedAt).toISOString() },
      }));
      const held = await holdArchives(folder, listed, opener);
      const events = new ArchivedEvents(held.events);
      const verified = await verifyWhole(
        async (from) => replayed(await part(from, verifyStoredPart), events, held),
        watch,
      );
      const { violations, unreplayed } = verified;
      const gone = await goneOrders(events, verified);
      await events.close();
      return {
        found: [...held.findings, ...gone, ...violations].map(({ place, cause }) => `${place}: ${cause}`),
        unreplayed,
      };
    }

    const present = async (table: string): Promise<Partition> => {
      const all = await database.transaction(listPartitions);
      const found = all.find((one) => one.table === table && one.month === '2026-05');
      if (!found) throw new Error('there is no such month');
      return found;
    };

    const rowsOf = async () =>
      Object.fromEntries(
        await Promise.all(
          historyTables.map(async (table) => [table, (await ask(`select 1 from ${table}`)).length] as const),
        ),
      );

    const read = async (file: string) => {
      const rows = [];
      for await (const row of readArchive({ path: join(folder, file) })) rows.push(row);
      return rows;
    };

    it('hold what the database held, and leave it with the rest', async () => {
      const before = await ask(`select order_id::text, version::text, at::text, event::text from order_events_2026_05
        order by merchant_id, order_id, version`);
      const made = await make();
      expect(made.map(({ table, month, rows }) => [table, month, rows]).toSorted()).toEqual([
        ['callback_attempts', '2026-05', 1],
        ['journal', '2026-05', 2],
        ['order_events', '2026-05', 3],
      ]);
      expect(await rowsOf()).toEqual({ journal: 1, order_events: 3, callback_attempts: 2 });
      const rows = await read('tender-order_events-2026-05.gz');
      expect(rows.map(({ order_id, version, event }) => [order_id, version, event])).toEqual(
        before.map(({ order_id, version, event }) => [order_id, version, event]),
      );
      const listed = await archiveStore(database).list();
      expect(listed.map(({ table, rows, file }) => [table, rows, file])).toEqual(
        made.map(({ table, rows, file }) => [table, rows, file]).toSorted(),
      );
      const [entry] = await auditStore(database).list({ before: undefined, limit: 1 });
      expect(entry).toMatchObject({ action: 'dropArchivedMonth', subject: 'month order_events 2026-05' });
      expect(await make()).toEqual([]);
    });

    it('leave nothing for verification to find, which says what it could not play again', async () => {
      expect((await verify()).found).toEqual([]);
      await make();
      expect(await verify()).toEqual({
        found: [],
        unreplayed: { orders: 2, files: ['tender-order_events-2026-05.gz'] },
      });
      expect(await verifyWith()).toEqual({ found: [], unreplayed: { orders: 0, files: [] } });
    });

    it('hide no real difference: of money, of the stage an order is in, of an event that nobody archived', async () => {
      await make();
      const [early, , late] = orderIds;
      await database.script(`update transactions set stage = 'declined' where order_id = ${early}`);
      expect((await verify()).found).toContainEqual(expect.stringMatching(`order ${early}: transaction 1: stage is`));
      await database.script(`update transactions set stage = 'approved' where order_id = ${early};
        delete from order_events where order_id = ${late} and version = 1`);
      expect((await verify()).found).toEqual([`order ${late}: is at version 2 and has the events 2`]);
    });

    it('excuse no change that nobody wrote down: behind what is left, among it, or long after the last file', async () => {
      await make();
      const [early, may] = orderIds;
      await database.script(`update orders set version = 3 where order_id = ${early}`);
      expect((await verify()).found).toEqual([`order ${early}: is at version 3 and has the events 2`]);
      await database.script(`update orders set version = 4 where order_id = ${early};
        insert into order_events (merchant_id, order_id, version, at, event)
        values (1, ${early}, 4, '2026-06-15', '{}')`);
      expect((await verify()).found).toEqual([`order ${early}: is at version 4 and has the events 2, 4`]);
      await database.script(`delete from order_events where order_id = ${early} and version = 4;
        update orders set version = 2 where order_id = ${early};
        update orders set version = 3, changed_at = '2026-06-15' where order_id = ${may}`);
      expect((await verify()).found).toEqual([`order ${may}: is at version 3 and has the events (none)`]);
    });

    it('are believed only where the audit chain tells of them', async () => {
      await make();
      const place = 'archive order_events 2026-05';
      const untold = `${place}: has no entry in the audit chain that tells of it`;
      for (const change of [`rows = rows + 1`, `file = 'other.gz'`, `sha256 = '${'0'.repeat(64)}'`]) {
        await database.script(`update archives set ${change} where table_name = 'order_events'`);
        expect((await verify()).found).toEqual([untold]);
      }
      await database.script(`delete from archives where table_name = 'order_events'`);
      await make({ until: beginOfMonth('2026-07'), tables: ['order_events'] });
      await database.script(`update archives set ended_at = '2036-01-01' where table_name = 'order_events'`);
      expect((await verify()).found).toContain(
        'archive order_events 2026-06: says that it ends at 2036-01-01T00:00:00.000Z',
      );
      await database.script(`update archives set month = '2035-12' where table_name = 'order_events'`);
      expect((await verify()).found).toContain('archive order_events 2035-12: is of a month that is not over');
    });

    it('are needed to find an entry that no change books, and then do', async () => {
      await make();
      const [, may] = orderIds;
      await database.script(`update ledger_entries set amount = amount * 2 where order_id = ${may};
        update accounts a set balance = (select sum(amount) from ledger_entries e
          where e.merchant_id = a.merchant_id and e.account = a.account and e.currency = a.currency and e.shard = 0)
          where shard = 0`);
      expect((await verify()).found).toEqual([]);
      const { found } = await verifyWith();
      expect(found.join()).toMatch(`order ${may}: ledger entry 1.1 is`);
    });

    it('tell of orders that are gone', async () => {
      await make();
      const [first, second, last] = orderIds;
      for (const table of [
        'orders',
        'transactions',
        'ledger_entries',
        'cards',
        'callbacks',
        'callback_attempts',
        'journal',
      ]) {
        const card = table === 'cards' ? 'card_id' : 'order_id';
        await database.script(`delete from ${table} where ${card} in (${first}, ${second})`);
      }
      const { found } = await verifyWith();
      // The last change of the first is in the database.
      expect(found).toContain(`order ${first}: is not there, but has rows in order_events`);
      expect(found).toContain(`order ${second}: is not there, but has changes in the archives`);
      expect(found.join()).not.toContain(`order ${last}`);
    });

    it('that are spoiled, cut off, exchanged or gone are found, and their orders are not called wrong', async () => {
      await make();
      const path = join(folder, 'tender-order_events-2026-05.gz');
      const bytes = await readFile(path);
      const place = 'archive order_events 2026-05: tender-order_events-2026-05.gz';
      const spoiled = Buffer.from(bytes);
      spoiled[bytes.length >> 1] = (spoiled[bytes.length >> 1] ?? 0) ^ 4;
      for (const [file, cause] of [
        [spoiled, /is damaged|is cut off/],
        [bytes.subarray(0, bytes.length - 30), /is cut off/],
        [await readFile(join(folder, 'tender-journal-2026-05.gz')), /is not the file that was written then/],
        [Buffer.from('nothing'), /is not an/],
      ] as const) {
        await writeFile(path, file);
        const { found, unreplayed } = await verifyWith();
        expect(found).toEqual([expect.stringMatching(cause)]);
        expect(found[0]).toContain(place);
        expect(unreplayed.orders).toBe(2);
      }
      await rm(path);
      expect((await verifyWith()).found).toEqual([`${place} is not there`]);
      await writeFile(path, bytes);
      expect((await verifyWith()).found).toEqual([]);
    });

    it('are encrypted where somebody says so, and opened again', async () => {
      const passphrase = new Secret('a passphrase of a test');
      const passphraseFile = join(folder, 'passphrase');
      await writeFile(passphraseFile, `${passphrase.reveal()}\n`);
      await make({ recipient: { passphrase } });
      expect((await verifyWith({ passphraseFile })).found).toEqual([]);
      expect((await verifyWith()).found).toHaveLength(3);
      const file = await readFile(join(folder, 'tender-order_events-2026-05.sealed'));
      expect(file.toString('latin1')).not.toContain('order-started');
    });

    it('go on with what was interrupted, wherever that was', async () => {
      // While the file was written.
      await writeFile(join(folder, 'tender-journal-2026-05.gz.unfinished'), 'half of it');
      // Behind the file, before the month was dropped.
      const refused = { drop: new Error('killed') };
      const dying = { ask: () => Promise.reject(refused.drop) } as unknown as NonNullable<Making['running']>;
      await expect(make({ running: dying })).rejects.toThrow('killed');
      expect(await rowsOf()).toEqual({ journal: 3, order_events: 6, callback_attempts: 3 });
      expect(await archiveStore(database).list()).toEqual([]);
      const made = await make();
      expect(made.filter(({ isFoundWhole }) => isFoundWhole)).toHaveLength(1);
      expect(await rowsOf()).toEqual({ journal: 1, order_events: 3, callback_attempts: 2 });
      // Somebody else may be writing it.
      expect((await readdir(folder)).filter((name) => name.endsWith('.unfinished'))).toEqual([
        'tender-journal-2026-05.gz.unfinished',
      ]);
      expect((await verifyWith()).found).toEqual([]);
    });

    it('are not cut off by another command that writes the same month and fails', async () => {
      const partition = await present('order_events');
      const path = join(folder, 'tender-order_events-2026-05.gz');
      let wrote = () => {};
      const isWriting = new Promise<void>((resolve) => {
        wrote = resolve;
      });
      let finish = () => {};
      const isFinished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let other: Promise<unknown> | undefined;
      const failing = () =>
        durably(path, async (unfinished) => {
          await writeFile(unfinished, 'half of it');
          wrote();
          await isFinished;
          throw new Error('no space');
        });
      await writeArchive({
        ...{ database, partition, month: '2026-05', path, now: NOW },
        // While the first one is read back the other begins.
        open: async function* (bytes) {
          other ??= failing().catch((error: Error) => error.message);
          await isWriting;
          yield* bytes;
        },
      });
      finish();
      expect(await other).toBe('no space');
      expect((await inspectArchive({ path })).header.rows).toBe(3);
    });

    it('are never put in the place of a file that came meanwhile', async () => {
      const partition = await present('order_events');
      const path = join(folder, 'tender-order_events-2026-05.gz');
      const seal = async function* (plain: AsyncIterable<Buffer>) {
        await writeFile(path, 'mine');
        yield* plain;
      };
      await expect(writeArchive({ database, partition, month: '2026-05', path, now: NOW, seal })).rejects.toThrow(
        'exists already',
      );
      expect(await readFile(path, 'utf8')).toBe('mine');
    });

    it('are not made of a file that is another, and nothing is dropped then', async () => {
      await make({ tables: ['callback_attempts'] });
      await rename(join(folder, 'tender-callback_attempts-2026-05.gz'), join(folder, 'tender-order_events-2026-05.gz'));
      await expect(make({ tables: ['order_events'] })).rejects.toThrow('is not this month');
      expect(await rowsOf()).toMatchObject({ order_events: 6 });
    });

    /** Changes the lines of a file, and its own SHA-256 with them. */
    async function forge(file: string, change: (lines: string[]) => string[]) {
      const path = join(folder, file);
      const lines = gunzipSync(await readFile(path))
        .toString()
        .trimEnd()
        .split('\n');
      const { rows } = JSON.parse(lines.pop() ?? '');
      const all = change(lines).map((line) => `${line}\n`);
      for (const line of all.slice(1)) {
        if (!line.startsWith('[')) rows[JSON.parse(line).table] = 0;
      }
      let table = '';
      for (const line of all.slice(1)) {
        if (line.startsWith('[')) rows[table] += 1;
        else table = JSON.parse(line).table;
      }
      const sha256 = createHash('sha256').update(all.join('')).digest('hex');
      await writeFile(path, gzipSync(`${all.join('')}${JSON.stringify({ rows, sha256 })}\n`));
    }

    it('are not made of a file whose rows are others, whatever it says of itself', async () => {
      const dying = { ask: () => Promise.reject(new Error('killed')) } as unknown as NonNullable<Making['running']>;
      await expect(make({ running: dying, tables: ['order_events'] })).rejects.toThrow('killed');
      await forge('tender-order_events-2026-05.gz', (lines) => lines.map((line) => line.replace('1042', '9042')));
      await expect(make({ tables: ['order_events'] })).rejects.toThrow('is not this month');
      expect(await rowsOf()).toMatchObject({ order_events: 6 });
    });

    it('are damaged where a row is none, or a second table follows', async () => {
      await make({ tables: ['order_events'] });
      const file = 'tender-order_events-2026-05.gz';
      const whole = await readFile(join(folder, file));
      for (const more of [
        ['[oops'],
        ['["1"]'],
        ['{"table":"journal","columns":["at"]}', '["x"]'],
        ['{"table":"order_events","columns":["at"]}', '["x"]'],
      ]) {
        await writeFile(join(folder, file), whole);
        await forge(file, (lines) => [...lines, ...more]);
        await expect(read(file)).rejects.toThrow('is damaged');
      }
    });

    it('are dropped neither before they are over, nor for a file that is none, nor without rows', async () => {
      await makeMonths(database, { months: ['2026-04', '2026-10', '2026-11', '2027-01'] });
      const [sha256, table] = ['a'.repeat(64), 'journal'] as const;
      const drop = (month: string, changes: object = {}, now = NOW) => {
        const file = `tender-${table}-${month}.gz`;
        return archiveStore(database).drop({ table, month, rows: 0, digest: '0', sha256, file, ...changes }, now);
      };
      await expect(drop('2026-11')).rejects.toThrow('is not over');
      await expect(drop('2027-01')).rejects.toThrow('is not over');
      await expect(drop('2026-10', {}, Date.UTC(2026, 10, 2))).rejects.toThrow('is not over');
      await expect(drop('2026-04', { file: '../../../../etc/passwd' })).rejects.toThrow('is called');
      await expect(drop('2026-04', { sha256: 'x' })).rejects.toThrow('64');
      await expect(drop('2026-04')).rejects.toThrow('needs no file');
      expect(await make({ until: beginOfMonth('2026-05'), tables: [table] })).toEqual([]);
      expect(await archiveStore(database).list()).toEqual([]);
      await database.script(
        ['2026_04', '2026_10', '2026_11', '2027_01']
          .flatMap((month) => historyTables.map((one) => `drop table if exists ${one}_${month}`))
          .join(';'),
      );
    });

    it('of changes leave the oldest first', async () => {
      const running = {
        ask: async (_: string, filed: { month: string }) =>
          filed.month === '2026-06' ? archiveStore(database).drop(filed as never, NOW) : undefined,
      } as unknown as NonNullable<Making['running']>;
      const until = beginOfMonth('2026-07');
      await expect(make({ running, until, tables: ['order_events'] })).rejects.toThrow(
        '2026-05 of order_events is older and still here',
      );
      expect(await rowsOf()).toMatchObject({ order_events: 6 });
    });

    it('take a file more for rows of a month that come when it has gone', async () => {
      await make();
      await database.script(`insert into callback_attempts (merchant_id, order_id, seq, target, at, milliseconds, answer)
        values (1, ${orderIds[0]}, 2, 'server', '2026-05-20', 5, 'late')`);
      const made = await make();
      expect(made.map(({ table, month, rows, file }) => [table, month, rows, file])).toEqual([
        ['callback_attempts', '2026-05-2', 1, 'tender-callback_attempts-2026-05-2.gz'],
      ]);
      expect((await verifyWith()).found).toEqual([]);
    });

    it('are looked for in the folder alone, and one that cannot be read is a finding', async () => {
      await make({ tables: ['order_events'] });
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      for (const [file, cause] of [
        ['../x', 'is not the name of a file'],
        ['..', 'is not a file'],
        ['pipe', 'is not a file'],
      ]) {
        await database.script(`update archives set file = '${file}'`);
        expect((await verifyWith()).found).toContain(`archive order_events 2026-05: ${file} ${cause}`);
      }
    });

    it('stay in the database when a row changed since the file was written', async () => {
      const late = {
        ask: async (_: string, filed: unknown) => {
          await database.script(`insert into order_events (merchant_id, order_id, version, at, event)
            values (1, 1, 9, '2026-05-15', '{}')`);
          return archiveStore(database).drop(filed as never, NOW);
        },
      } as unknown as NonNullable<Making['running']>;
      await expect(make({ running: late, tables: ['order_events'] })).rejects.toThrow('changed since');
      expect(await rowsOf()).toMatchObject({ order_events: 7 });
      expect(await archiveStore(database).list()).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
      expect(await make({ tables: ['order_events'] })).toMatchObject([{ rows: 4, isFoundWhole: false }]);
    });

    it('are named in the story of an order that they may hold more of', async () => {
      await make();
      const [early = 0, , june = 0] = orderIds;
      const filed = async (orderId: number) =>
        (await timelineStore(database).read({ merchantId: 1, orderId }, 100)).filed.map(({ file }) => file);
      expect(await filed(early)).toEqual(historyTables.map((table) => `tender-${table}-2026-05.gz`).toSorted());
      expect(await filed(june)).toEqual([]);
    });

    it('take no count from the rule of two: what people began alone still counts', async () => {
      const [early = 0, may = 0] = orderIds;
      const begun = (order: number, by: object) => `insert into order_events (merchant_id, order_id, version, at, event)
        values (1, ${order}, 9, '2026-05-31', '${JSON.stringify({ type: 'transaction-begun', transaction: { seq: 1 }, by })}')`;
      await database.script(`${begun(early, { asked: 'ann' })}; ${begun(may, { asked: 'ann', approved: 'bob' })}`);
      const deeds = waitingDeedStore(database, {} as never);
      const alone = () => Promise.all([early, may].map((orderId) => deeds.begunAlone({ merchantId: 1, orderId })));
      expect(await alone()).toEqual([[1], []]);
      await make({ tables: ['order_events'] });
      expect(await alone()).toEqual([[1], []]);
    });

    onServer('wait for an export, and payments do not', async () => {
      let archiving: Promise<unknown> | undefined;
      const path = join(folder, 'export.gz');
      const other = await openDatabase(opened.place);
      const exported = await exportDatabase({
        ...{ database: other, path, now: NOW },
        seal: async function* (plain) {
          for await (const bytes of plain) {
            // Before the rows of the three tables were read.
            archiving ??= make({ tables: ['order_events'] }).catch((error: Error) => error.message);
            expect(await archiving).toContain('somebody uses the table just now');
            yield bytes;
          }
        },
        onProgress: () => {},
      }).finally(() => other.close());
      expect(exported.rows).toMatchObject({ order_events: 6, archives: 0 });
      expect(await make({ tables: ['order_events'] })).toHaveLength(1);
    });

    onServer('wait for the audit chain before payments wait for them', async () => {
      await database.transaction(async (session) => {
        await session.script('select * from audit_head for update');
        const making = make({ tables: ['order_events'] }).catch((error: Error) => error.message);
        await new Promise((resolve) => setTimeout(resolve, 500));
        const locks = await ask(`select mode from pg_locks
          where relation = 'order_events'::regclass and mode = 'AccessExclusiveLock'`);
        expect(locks).toEqual([]);
        expect(await making).toContain('run it again');
      });
      expect(await rowsOf()).toMatchObject({ order_events: 6 });
    });

    it('that were made while verification went on are no violations', async () => {
      const held = await holdArchives(folder, [], {});
      await make();
      const events = new ArchivedEvents(held.events);
      const { violations, unreplayed } = await verifyWhole(
        async (from) => replayed(await part(from, verifyStoredPart), events, held),
        watch,
      );
      await events.close();
      expect(violations).toEqual([]);
      expect(unreplayed).toEqual({ orders: 2, files: ['tender-order_events-2026-05.gz'] });
    });

    it('for the owner of a public key are written again when they were interrupted', async () => {
      const { publicKey } = generateKeyPairSync('x25519');
      const recipient = { publicKey } as unknown as NonNullable<Making['recipient']>;
      const dying = { ask: () => Promise.reject(new Error('killed')) } as unknown as NonNullable<Making['running']>;
      await expect(make({ running: dying, recipient, tables: ['journal'] })).rejects.toThrow('killed');
      await expect(make({ recipient, tables: ['journal'] })).rejects.toThrow('only the owner of the private key');
      await rm(join(folder, 'tender-journal-2026-05.sealed'));
      expect(await make({ recipient, tables: ['journal'] })).toHaveLength(1);
    });

    it('leave the months that follow', async () => {
      await make();
      const names = await ask(`select relname::text as name from pg_class where relispartition and relkind = 'r'`);
      expect(names.map(({ name }) => name)).not.toEqual(expect.arrayContaining(OLD_TABLES));
      expect(names.map(({ name }) => name)).toContain('order_events_2026_06');
    });
  });
}
