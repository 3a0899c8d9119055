// `tender archive` and `tender verify --archives` as operators have them, beside a gateway that works: months leave the
// database for encrypted files, are read again, and lose nothing when the command is killed wherever it is.

import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serialNumbersSince } from '../../src/domain/ids/serial-times.ts';
import { calendarMonthOf, monthsLater } from '../../src/domain/time/calendar-months.ts';
import { newPlace, type Place } from '../crash/place.ts';
import { Client, DEMO, kindsOfThisFile } from '../harness.ts';
import { Belongings, expectLine, type RunningProcess, startProcess, TenderProcess, tender } from './tender-process.ts';

const NOW = Date.now();
/** Over for long enough, and not so old that its requests are forgotten. */
const MONTH = monthsLater(calendarMonthOf(NOW), -2);
const BEFORE = monthsLater(MONTH, 1);
/** Further requests, so that writing and dropping them takes long enough to be killed meanwhile. */
const REQUESTS = 3_000;
/** What a command that was killed a moment ago may have left to the server, which ends it by itself. */
const AGAIN = /run it again|there is no month/;

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`archives beside a gateway, on ${kind.name}`, () => {
    const own = new Belongings();
    let place: Place;
    let folder: string;
    let gateway: RunningProcess;
    let orderId: string;
    let before: Record<string, number>;
    const passphrase = () => ['--passphrase-file', join(place.folder, 'words')];
    const fileOf = (table: string) => join(folder, `tender-${table}-${MONTH}.sealed`);
    const making = () => ['archive', 'make', '--before', BEFORE, '--to', folder, ...passphrase(), ...place.args];

    const countAll = (looked: Place) =>
      looked.looking(async (query) => {
        const counts: Record<string, number> = {};
        for (const table of ['journal', 'order_events', 'callback_attempts']) {
          const [row] = await query(`select count(*)::int as n from ${table}`);
          counts[table] = Number(row?.n);
        }
        return counts;
      });

    beforeAll(async () => {
      place = await newPlace(own, kind, { atCoordinator: true });
      folder = join(place.folder, 'archives');
      await writeFile(join(place.folder, 'words'), 'correct horse battery staple\n');
      await writeFile(join(place.folder, 'wrong'), 'correct horse battery stable\n');
      const first = own.keep(await startProcess(place.args));
      const client = new Client(() => first.baseUrl, DEMO);
      orderId = String((await client.saleUntilFinal())['paynet-order-id']);
      client.close();
      await first.process.stop();
      const then = Date.parse(`${MONTH}-15T12:00:00Z`);
      const head = serialNumbersSince(then).slice(0, 13);
      await place.looking(async (query) => {
        await query(`update order_events set at = to_timestamp(${then / 1000}) where shard = 0`);
        await query(
          `update orders set created_at = to_timestamp(${then / 1000}), changed_at = to_timestamp(${then / 1000})`,
        );
        await query(`update transactions set created_at = to_timestamp(${then / 1000})`);
        await query(`delete from journal where shard = 0`);
        await query(`insert into journal (serial_number, at, merchant_id, order_id, http_status, request, reply, milliseconds)
          values ('${head}-7000-8000-000000000000', to_timestamp(${then / 1000}), 1, ${orderId}, 200, '{}', '{}', 1)`);
        await query(`insert into journal (serial_number, at, merchant_id, http_status, request, reply, milliseconds)
          select ('${head}-7000-9000-' || lpad(n::text, 12, '0'))::uuid, to_timestamp(${then / 1000}), 1, 200,
            '{}', '{}', 1 from generate_series(1, ${REQUESTS}) n`);
        await query(`insert into callback_attempts (merchant_id, order_id, seq, target, at, milliseconds, answer)
          values (1, ${orderId}, 1, 'server', to_timestamp(${then / 1000}), 5, 'thanks')`);
      });
      before = await countAll(place);
      gateway = own.keep(await startProcess(place.args));
    });
    afterAll(() => own.drop());

    const verify = async (...args: string[]) => {
      const { code, stdout, stderr } = await tender(['verify', '--json', ...args, ...place.args]);
      expect(stderr).toBe('');
      return {
        code,
        ...(JSON.parse(stdout) as { violations: { place: string; cause: string }[]; unreplayed: object }),
      };
    };
    const verifyFiles = () => verify('--archives', folder, ...passphrase());

    it('are refused in one line where something given is wrong, and nothing is written then', async () => {
      const to = ['--to', folder, ...place.args];
      const wrong: [readonly string[], RegExp][] = [
        [['make', '--before', '2026-13', ...to], /2026-13 is no month/],
        [['make', '--before', monthsLater(calendarMonthOf(NOW), 1), ...to], /is not over/],
        [['make', '--before', BEFORE, '--mode', 'production', ...to], /an archive of production is encrypted/],
        [['make', '--before', BEFORE, '--unencrypted', ...passphrase(), ...to], /--unencrypted contradicts/],
        [['make', '--before', BEFORE, '--table', 'orders', ...to], /orders/],
        [['make', ...to], /--before/],
        [['make', '--before', BEFORE, '--passphrase-file', join(folder, 'none'), ...to], /none/],
        [['show', join(place.folder, 'words')], /words is not an archive/],
        [['show', join(place.folder, 'nothing.gz')], /nothing\.gz/],
      ];
      for (const [args, said] of wrong) {
        const { code, stdout, stderr } = await tender(['archive', ...args]);
        expect({ code, stdout }, args.join(' ')).toEqual({ code: expect.not.stringMatching('0'), stdout: '' });
        expect(code).not.toBe(0);
        expectLine(stderr, said);
      }
      expect(await readdir(folder).catch(() => [])).toEqual([]);
      expect((await tender(['archive', 'list', ...place.args])).stdout.trim()).toBe('Nothing was archived.');
    });

    it('lose nothing and have nothing twice when the command is killed at any moment', async () => {
      const names = async () => await readdir(folder).catch(() => []);
      // As soon as it writes the file of a table, and as soon as that has its name.
      const moments = Object.keys(before).flatMap((table) => [
        (name: string) => name.startsWith(`tender-${table}-`),
        (name: string) => name === basename(fileOf(table)),
      ]);
      for (const isThere of moments) {
        const command = new TenderProcess(making());
        command.says('');
        while (!(await names()).some(isThere) && command.isRunning) await pause(1);
        await command.stop('SIGKILL');
        expect((await names()).some(isThere), command.stderr).toBe(true);
        // A month that left is in a whole file, and one that did not is still here.
        expect((await verifyFiles()).violations).toEqual([]);
      }
      let ended = await tender(making());
      for (let times = 0; times < 20 && AGAIN.test(ended.stderr); times++) {
        await pause(100);
        ended = await tender(making());
      }
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const files = Object.keys(before).map((table) => `tender-${table}-${MONTH}.sealed`);
      const whole = (await names()).filter((name) => !name.endsWith('.unfinished'));
      expect(whole.toSorted()).toEqual(files.toSorted());
      expect((await readdir(place.folder)).filter((name) => name.startsWith('export-'))).toEqual([]);
      expect((await tender([...making(), '--json'])).stdout.trim()).toBe('[]');
    });

    it('are listed with what they hold, which is all that the database had', async () => {
      const { stdout } = await tender(['archive', 'list', '--json', ...place.args]);
      const listed = JSON.parse(stdout) as { table: string; month: string; rows: number; file: string }[];
      expect(Object.fromEntries(listed.map(({ table, rows }) => [table, rows]))).toEqual(before);
      for (const { table, month, rows, file } of listed) {
        expect(month).toBe(MONTH);
        const shown = await tender(['archive', 'show', join(folder, file), '--json', ...passphrase()]);
        const lines = shown.stdout.trimEnd().split('\n');
        expect([table, lines.length, new Set(lines).size]).toEqual([table, rows, rows]);
      }
      expect((await tender(['archive', 'list', ...place.args])).stdout).toContain(`tender-journal-${MONTH}.sealed`);
    });

    it('show what became of one order, to whoever opens them', async () => {
      const show = (...args: string[]) => tender(['archive', 'show', fileOf('order_events'), ...args]);
      const { stdout } = await show('--order', orderId, '--json', ...passphrase());
      const rows = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, string>);
      expect(rows.map(({ order_id }) => order_id)).toEqual(rows.map(() => orderId));
      expect(rows.map(({ version }) => Number(version))).toEqual(rows.map((_, index) => index + 1));
      const text = (await show('--order', orderId, ...passphrase())).stdout;
      expect(text).toContain(`merchant 1, order ${orderId}`);
      expect((await show('--order', '999999999', ...passphrase())).stdout.trim()).toBe('Nothing in the archive fits.');
      expectLine((await show()).stderr, /is encrypted: name --passphrase-file or --private-key$/);
      const wrong = join(place.folder, 'wrong');
      expectLine((await show('--passphrase-file', wrong)).stderr, /does not open with this passphrase/);
    });

    it('let verification play the order again, which says without them what it could not', async () => {
      expect(await verifyFiles()).toMatchObject({ code: 0, violations: [] });
      const { code, unreplayed } = await verify();
      expect({ code, unreplayed }).toEqual({
        code: 0,
        unreplayed: { orders: 1, files: [`tender-order_events-${MONTH}.sealed`] },
      });
      const elsewhere = await verify('--archives', join(folder, 'elsewhere'), ...passphrase());
      expect(elsewhere.code).toBe(1);
      expect(elsewhere.violations.map(({ cause }) => cause)).toEqual([
        expect.stringContaining('is not there'),
        expect.stringContaining('is not there'),
        expect.stringContaining('is not there'),
      ]);
    });

    it('leave nothing of their months in the database, and nothing in the log of the gateway', async () => {
      const { code, stderr } = await gateway.process.stop();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(await countAll(place)).toEqual({ journal: 0, order_events: 0, callback_attempts: 0 });
    });
  });
}
