// A database with the whole schema, distributed over the servers of a cluster.

import { distribute } from '../../src/storage/cluster/distribute.ts';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import { newClusterDatabase } from './citus.ts';

/** Fewer than an operator would have, because each is a table on a server. */
const PARTS = 4;

/** As an operator makes one, before there is any table of ours; by way of the coordinator. */
export async function newBareCluster() {
  const { urls, drop } = await newClusterDatabase();
  const url = urls[0]!;
  return { name: new URL(url).pathname.slice(1), url, drop };
}

export const spreadTables = (database: Database) => distribute(database, { parts: PARTS });

/** The address is that of the last server; `urls` are those of all, the coordinator first. */
export async function newMigratedCluster() {
  const { urls, drop } = await newClusterDatabase();
  try {
    const database = await openDatabase({ url: urls[0], poolSize: 1 });
    try {
      await migrate(database);
      await spreadTables(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    await drop();
    throw error;
  }
  const url = urls.at(-1)!;
  return { name: new URL(url).pathname.slice(1), url, urls, drop };
}
