// The months of what only grows, on several servers: rows that lay in them before they were distributed are nowhere
// twice, a server that is not the coordinator makes none and refuses nothing, and nobody is waited for longer than
// said.

import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { serialNumbersSince } from '../../src/domain/ids/serial-times.ts';
import { merchantIdIn } from '../../src/domain/merchant/shard.ts';
import { beginOfMonth } from '../../src/domain/time/calendar-months.ts';
import { HistoryMonths } from '../../src/processing/node/history-months.ts';
import { readCluster } from '../../src/storage/cluster/cluster.ts';
import { distributionFaults } from '../../src/storage/cluster/distribution.ts';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import { historyStore } from '../../src/storage/history/history-store.ts';
import { historyTables } from '../../src/storage/history/history-tables.ts';
import { makeMonths } from '../../src/storage/history/make-months.ts';
import { listPartitions } from '../../src/storage/history/partitions.ts';
import { newClusterDatabase, rowsAt } from './citus.ts';
import { newMigratedCluster, newUpgradedCluster, spreadTables } from './migrated.ts';

const MAY = Date.UTC(2026, 4, 17);
const JUNE = beginOfMonth('2026-06');
const SHARDS = [0, 1, 2, 3];

describe('months on several servers', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function opened(url: string | undefined): Promise<Database> {
    const database = await openDatabase({ url, poolSize: 2 });
    closing.push(() => database.close());
    return database;
  }

  /** A row of each table in each shard. */
  async function write(database: Database, at: number): Promise<void> {
    const time = `'${new Date(at).toISOString()}'`;
    for (const shard of SHARDS) {
      const merchantId = merchantIdIn(shard, 1);
      const serial = `${serialNumbersSince(at).slice(0, 24)}${randomUUID().slice(24)}`;
      const key = `(merchant_id, order_id, at, shard`;
      const values = `(${merchantId}, 1, ${time}, ${shard}`;
      await database.script(`insert into journal ${key}, serial_number, http_status, request, reply, milliseconds)
        values ${values}, '${serial}', 200, '{}', '{}', 1)`);
      await database.script(`insert into order_events ${key}, version, event) values ${values}, 1, '{}')`);
      await database.script(`insert into callback_attempts ${key}, seq, target, milliseconds)
        values ${values}, 1, 'server', 5)`);
    }
  }

  /** How many rows each server shows, and how many bytes of them lie outside of the parts of the cluster. */
  async function rowsOfEach(urls: readonly string[], table: string) {
    const counts = await Promise.all(urls.map((url) => rowsAt(url, `select count(*)::int as n from ${table}`)));
    const left = await rowsAt(
      urls[0]!,
      `select relid::regclass::text as name from pg_partition_tree('${table}') where pg_relation_size(relid) > 0`,
    );
    return { counts: counts.map(([row]) => row?.n), left };
  }

  const faultsOf = async (database: Database) => distributionFaults((await database.transaction(readCluster))!);

  it('have their rows once when they are distributed, and when one is made out of the rest', async () => {
    const { urls, drop } = await newClusterDatabase();
    closing.push(drop);
    const database = await opened(urls[0]);
    await migrate(database);
    await makeMonths(database, { months: ['2026-05'] });
    for (const at of [MAY, JUNE]) await write(database, at);
    await spreadTables(database);
    expect(await faultsOf(database)).toEqual([]);
    for (const table of historyTables) {
      expect(await rowsOfEach(urls, table)).toEqual({ counts: urls.map(() => 8), left: [] });
    }
    const { made } = await makeMonths(database, { months: [] });
    expect(made).toEqual(historyTables.map((table) => `${table}_2026_06`));
    for (const table of historyTables) {
      expect(await rowsOfEach(urls, table)).toEqual({ counts: urls.map(() => 8), left: [] });
      expect((await rowsOfEach(urls, `${table}_2026_06`)).counts).toEqual(urls.map(() => 4));
    }
    expect(await faultsOf(database)).toEqual([]);
  });

  it('begin behind the rows of a database that was distributed before there were any', async () => {
    const present = Date.now();
    const { urls, drop } = await newUpgradedCluster((database) => write(database, present));
    closing.push(drop);
    const database = await opened(urls[0]);
    expect(await faultsOf(database)).toEqual([]);
    for (const table of historyTables) {
      expect(await rowsOfEach(urls, table)).toEqual({ counts: urls.map(() => 4), left: [] });
      expect((await rowsOfEach(urls, `${table}_before`)).counts).toEqual(urls.map(() => 4));
    }
    const first = (await database.transaction(listPartitions))[0];
    await makeMonths(database, { months: [new Date(first!.until).toISOString().slice(0, 7)] });
    await write(database, first!.until);
    for (const table of historyTables) {
      expect(await rowsOfEach(urls, table)).toEqual({ counts: urls.map(() => 8), left: [] });
      expect((await rowsOfEach(urls, `${table}_rest`)).counts).toEqual(urls.map(() => 0));
    }
  });

  it('are made by way of the coordinator alone: elsewhere nothing is refused, and it is said once', async () => {
    const { url, coordinatorUrl, drop } = await newMigratedCluster();
    closing.push(drop);
    const [elsewhere, coordinator] = [await opened(url), await opened(coordinatorUrl)];
    const said: string[] = [];
    const log = { warn: (text: string) => said.push(text), info: (text: string) => said.push(text) };
    const clock = { now: () => JUNE, sleep: async () => {} } as never;
    const kept = { requestsKeptMs: undefined, attemptsKeptMs: 1 };
    const node = new HistoryMonths({ clock, log, store: historyStore(elsewhere), ...kept });
    await write(elsewhere, JUNE);
    for (let round = 0; round < 3; round++) expect(await node.look()).toBe(true);
    expect(said).toEqual([expect.stringContaining('"tender database migrate"')]);
    expect(node.restRows).toBeGreaterThan(0);
    await historyStore(coordinator).makeAhead(JUNE);
    await node.look();
    expect(said).toHaveLength(2);
    expect(node.restRows).toBe(0);
    await write(elsewhere, beginOfMonth('2026-07'));
    expect((await rowsAt(url, 'select count(*)::int as n from journal_2026_07'))[0]).toEqual({ n: 4 });
  });

  it('wait for no server longer than a moment, and payments no longer for them', async () => {
    const { url, coordinatorUrl, drop } = await newMigratedCluster();
    closing.push(drop);
    const [elsewhere, coordinator] = [await opened(url), await opened(coordinatorUrl)];
    await elsewhere.transaction(async (session) => {
      await session.script(`insert into order_events (merchant_id, order_id, version, at, event)
        values (1, 1, 1, '2026-06-05', '{}')`);
      const { made, waiting } = await makeMonths(coordinator, { months: ['2026-06'] });
      expect(waiting).toEqual(['order_events_2026_06']);
      expect(made).toEqual(['journal_2026_06', 'callback_attempts_2026_06']);
    });
    expect((await makeMonths(coordinator, { months: [] })).made).toEqual(['order_events_2026_06']);
  });
});
