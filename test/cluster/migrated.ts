// A database with the whole schema, distributed over the servers of a cluster.

import { distribute } from '../../src/storage/cluster/distribute.ts';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import { leaveAlone, newClusterDatabase } from './citus.ts';

/** Fewer than an operator would have, because each is a table on a server. */
const PARTS = 4;

/** Where the processes of a run find the name of the database that new ones are copies of. */
const TEMPLATE = 'TENDER_TEST_CLUSTER_TEMPLATE';

export { dropClusterDatabase } from './citus.ts';

/** As an operator makes one, before there is any table of ours; by way of the coordinator. */
export async function newBareCluster() {
  const { urls, drop } = await newClusterDatabase();
  const url = urls[0]!;
  return { name: new URL(url).pathname.slice(1), url, drop };
}

export const spreadTables = (database: Database) => distribute(database, { parts: PARTS });

type MigratedOptions = {
  /** The name of another such database that nobody needs open any more. */
  readonly copyOf?: string | undefined;
};

/** The address is that of the last server; `urls` are those of all, the coordinator first. */
export async function newMigratedCluster({ copyOf = process.env[TEMPLATE] }: MigratedOptions = {}) {
  const { urls, drop } = await newClusterDatabase({ copyOf });
  try {
    if (copyOf === undefined) await migrateAndSpread(urls[0]!);
  } catch (error) {
    await drop();
    throw error;
  }
  const url = urls.at(-1)!;
  return { name: new URL(url).pathname.slice(1), url, coordinatorUrl: urls[0]!, urls, drop };
}

/** The last version that had no months. */
const BEFORE_MONTHS = 40;

/** One that was distributed before there were months, with what is written into it then, and upgraded. */
export async function newUpgradedCluster(fill: (database: Database) => Promise<void> = async () => {}) {
  const { urls, drop } = await newClusterDatabase();
  try {
    const database = await openDatabase({ url: urls[0], poolSize: 1 });
    try {
      await migrate(database, undefined, { upTo: BEFORE_MONTHS });
      await spreadTables(database);
      await fill(database);
      await migrate(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    await drop();
    throw error;
  }
  return { url: urls.at(-1)!, urls, drop };
}

/** Has the processes of a run copy what is made once: that takes a minute on a busy machine. */
export async function provideTemplate(): Promise<{ drop(): Promise<void> }> {
  const { name, drop } = await newMigratedCluster();
  await leaveAlone(name);
  process.env[TEMPLATE] = name;
  return { drop };
}

async function migrateAndSpread(coordinator: string): Promise<void> {
  const database = await openDatabase({ url: coordinator, poolSize: 1 });
  try {
    await migrate(database);
    await spreadTables(database);
  } finally {
    await database.close();
  }
}
