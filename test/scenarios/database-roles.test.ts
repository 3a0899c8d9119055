// Two roles on a real server: the one for migrations makes the schema, and the other runs a whole gateway that can
// neither change the schema nor rewrite what happened.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, startGateway } from '../../src/compose/index.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { auditStore } from '../../src/storage/audit.ts';
import type { Database } from '../../src/storage/database.ts';
import { journalStore } from '../../src/storage/requests/journal.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { type OpenedDatabase, shared } from '../contracts/databases.ts';
import { Client, DEMO, newOrderId, until } from '../harness.ts';
import { TestShop } from '../test-shop.ts';
import { Belongings, tender } from './tender-process.ts';

const PASSWORD = 'of-a-test';
const NOT_PERMITTED = '42501';
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

it('has no roles for an embedded database', async () => {
  const { code, stderr } = await tender(['database', 'roles']);
  expect(code).toBe(1);
  expect(stderr).toContain('an embedded database has one user');
});

describe.skipIf(!shared.available)('roles of a server', () => {
  const suffix = randomUUID().slice(0, 8);
  const [run, migrate] = [`tender_run_${suffix}`, `tender_migrate_${suffix}`];
  const own = new Belongings();
  let opened: OpenedDatabase;
  let gateway: RunningGateway | undefined;
  let dataFolder: string;

  const urlAs = (role: string) => {
    const url = new URL(opened.place.url as string);
    [url.username, url.password] = [role, PASSWORD];
    return url.href;
  };
  const adminUrl = () => opened.place.url as string;
  const makeRoles = () =>
    tender(['database', 'roles', '--database-url', adminUrl(), '--run', run, '--migrate', migrate]);
  const asAdministrator = async (sql: string) => {
    const client = new pg.Client({ connectionString: adminUrl() });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    opened = await shared.open({ bare: true });
    dataFolder = await own.folder();
    expect((await makeRoles()).stderr).toBe('');
    for (const role of [run, migrate]) await asAdministrator(`alter role ${role} password '${PASSWORD}'`);
    const url = ['--database-url', urlAs(migrate), '--data', dataFolder];
    const elsewhere = ['--database-url', urlAs(migrate), '--data', await own.folder()];
    for (const place of [elsewhere, elsewhere, url]) {
      expect(await tender(['database', 'migrate', ...place])).toMatchObject({ code: 0, stderr: '' });
    }
    await opened.spread?.();
    // Made after the roles, the tables are narrowed by running it again.
    expect((await makeRoles()).code).toBe(0);
    const log = createLog(() => {});
    // Only the gateway's own key file opens this database, wherever the schema was made from.
    const settings = { mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder, databaseUrl: urlAs(run) } as const;
    gateway = await startGateway(settings, { log });
  });

  afterAll(async () => {
    await gateway?.close();
    for (const role of [run, migrate]) await asAdministrator(`drop owned by ${role} cascade`).catch(() => {});
    for (const role of [run, migrate]) await asAdministrator(`drop role ${role}`).catch(() => {});
    await opened?.drop();
    await own.drop();
  });

  const running = () => gateway as RunningGateway;
  const database = (): Database => running().store.database;

  it('run a sale, its return and callbacks, tell the audit chain and forget old requests', async () => {
    const client = new Client(
      () => running().baseUrl,
      DEMO,
      () => systemClock.now(),
    );
    const shop = await TestShop.open({ key: DEMO.key, now: () => systemClock.now() });
    try {
      const server_callback_url = shop.url('/callback');
      const sale = await client.saleUntilFinal({ client_orderid: newOrderId(), server_callback_url });
      expect(sale.status).toBe('approved');
      await until('the merchant is told', () => shop.told.length > 0);
      const returned = await client.followUpUntilFinal('return', sale, {
        amount: '1.00',
        currency: 'USD',
        comment: 'back',
      });
      expect(returned.status).toBe('approved');
    } finally {
      await shop.close();
      client.close();
    }
    const set = ['merchant', 'set', 'demo', '--name', 'Renamed', '--data', dataFolder];
    expect((await tender([...set, '--database-url', urlAs(run)])).code).toBe(0);
    expect((await auditStore(database()).head()).seq).toBeGreaterThan(0);
    await until('requests are in the journal', async () => (await journalStore(database()).forget(AFTER_ALL, 1)) === 1);
    const verified = await tender(['verify', '--data', dataFolder, '--database-url', urlAs(run)]);
    expect(verified.stdout).toContain('Everything is as it must be.');
  });

  it.each([
    `update audit_log set who = 'nobody'`,
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_head',
    'update order_events set version = 9',
    'delete from order_events',
    'delete from order_events_rest',
    'drop table journal_rest',
    'update ledger_entries set amount = 1',
    'delete from ledger_entries',
    'delete from accounts',
    'delete from schema_migration',
    'insert into archives select * from archives',
    'update archives set ended_at = now()',
    'create table theirs (one integer)',
    'alter table merchants add column theirs integer',
    'drop table blocks',
    'create trigger theirs before insert on merchants for each row execute function suppress_redundant_updates_trigger()',
  ])('do not let the running role %s', async (sql) => {
    await expect(database().script(sql)).rejects.toMatchObject({ sqlState: NOT_PERMITTED });
  });

  it('print the SQL instead, for whoever runs it elsewhere', async () => {
    const print = ['database', 'roles', '--database-url', adminUrl(), '--run', run, '--migrate', migrate, '--print'];
    const { stdout } = await tender(print);
    expect(stdout).toContain(`grant select, insert on "public"."audit_log" to "${run}";`);
  });

  it('are told what to do when the schema is not up to date', async () => {
    const other = await shared.open({ bare: true });
    try {
      const url = new URL(other.place.url as string);
      [url.username, url.password] = [run, PASSWORD];
      const start = startGateway(
        { mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder: await own.folder(), databaseUrl: url.href },
        { log: createLog(() => {}) },
      );
      await expect(start).rejects.toThrow('tender database migrate');
    } finally {
      await other.drop();
    }
  });
});
