// An export of a database that is spread over servers holds the rows of all of them: whole on a single one again, and
// whole after that one's export was imported and spread anew.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { merchantIdIn } from '../../src/domain/merchant/shard.ts';
import { readCluster } from '../../src/storage/cluster/cluster.ts';
import { distributionFaults } from '../../src/storage/cluster/distribution.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import { exportDatabase } from '../../src/storage/transfer/export.ts';
import { importDatabase, inspectExport } from '../../src/storage/transfer/import.ts';
import { newBareCluster, newMigratedCluster, spreadTables } from './migrated.ts';

const SHARDS = [0, 1, 2, 3];
const EACH = 25;

let folder: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tender-cluster-export-'));
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

async function opened({ url, drop }: { url?: string; drop?: () => Promise<unknown> }): Promise<Database> {
  if (drop) closing.push(drop);
  const database = await openDatabase({ url, poolSize: 2 });
  closing.push(() => database.close());
  return database;
}

async function fill(database: Database): Promise<void> {
  for (const shard of SHARDS) {
    const id = merchantIdIn(shard, 1);
    await database.script(`
      insert into merchants (merchant_id, login, name, enabled, created_at)
        values (${id}, 'shop${shard}', 'Shop', true, now());
      insert into accounts (merchant_id, account, currency, balance, shard)
        select ${id}, 'account ' || n, 'USD', n, ${shard} from generate_series(1, ${EACH}) n`);
  }
}

const accountsOf = async (database: Database) =>
  database.query({
    name: 'test-accounts',
    text: 'select merchant_id, account, balance, shard from accounts order by 1, 2',
  });

async function moved(from: Database, to: Database, name: string): Promise<void> {
  const path = join(folder, name);
  await exportDatabase({ database: from, path, now: Date.now() });
  await importDatabase({ database: to, path, file: await inspectExport({ path }) });
}

it('goes from a cluster to one server and back to a cluster, with every row', async () => {
  const cluster = await opened(await newMigratedCluster());
  await fill(cluster);
  const before = await accountsOf(cluster);
  expect(before).toHaveLength(SHARDS.length * EACH);
  const single = await opened({});
  await moved(cluster, single, 'from-cluster.gz');
  expect(await accountsOf(single)).toEqual(before);

  const other = await opened(await newBareCluster());
  await moved(single, other, 'from-single.gz');
  await spreadTables(other);
  expect(await accountsOf(other)).toEqual(before);
  expect(distributionFaults((await other.transaction(readCluster))!)).toEqual([]);
});
