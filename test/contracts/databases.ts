// Both databases for every suite that must hold on both: the embedded one always, PostgreSQL when
// TENDER_TEST_DATABASE_URL names a server on which databases may be made and dropped. `npm test -- --database citus`
// has a cluster of Citus in their place.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { type OpenDatabaseOptions, openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import '../setup/engine.ts';

export type OpenedDatabase = {
  readonly database: Database;
  /** Opens the same data a second time: another connection pool, or another owner of the same folder. */
  readonly place: OpenDatabaseOptions;
  /** Closes `database` and removes all its data. */
  drop(): Promise<void>;
  /** Spreads the tables that were made in it meanwhile, where it is a bare one of a cluster. */
  spread?(): Promise<unknown>;
};

export type DatabaseKind = {
  readonly name: string;
  readonly kind: Database['kind'];
  readonly available: boolean;
  /**
   * An empty database. The embedded one is in memory unless a folder is asked for. A cluster has its tables already,
   * unless a bare one is asked for, and is asked by way of another server than the coordinator, unless that is wanted.
   */
  open(options?: { folder?: boolean; bare?: boolean; atCoordinator?: boolean }): Promise<OpenedDatabase>;
  /** One that has the program's tables: a copy of one that was made before all tests, which takes half of the time. */
  openMigrated(options?: { atCoordinator?: boolean }): Promise<OpenedDatabase>;
  /** A database for a gateway, of which there may be copies; the embedded one has no server. */
  readonly newServer?: (options: { copyOf?: string | undefined }) => Promise<ServerDatabase>;
  /** Why there is none that an older version left. */
  readonly noOlder?: string;
  /** Why tests can put no trigger on a table, where they cannot. */
  readonly noTriggers?: string;
};

type ServerDatabase = {
  readonly name: string;
  readonly url: string;
  /** Where its schema is changed, if not there. */
  readonly coordinatorUrl?: string;
  drop(): Promise<unknown>;
};

const serverUrl = process.env.TENDER_TEST_DATABASE_URL;

export const embedded: DatabaseKind = {
  name: 'embedded',
  kind: 'pglite',
  available: true,
  async open({ folder = false } = {}) {
    const dataFolder = folder ? await mkdtemp(join(tmpdir(), 'tender-test-')) : undefined;
    const place = { dataFolder };
    const database = await openDatabase(place);
    const drop = async () => {
      await database.close();
      if (dataFolder !== undefined) await rm(dataFolder, { recursive: true, force: true });
    };
    return { database, place, drop };
  },
  async openMigrated() {
    const place = { begin: 'migrated' } as const;
    const database = await openDatabase(place);
    return { database, place, drop: () => database.close() };
  },
};

/** Which database of the server has the program's tables, for the processes of a run. */
const MIGRATED = 'TENDER_TEST_MIGRATED_DATABASE';

export const postgres: DatabaseKind = {
  name: serverUrl === undefined ? 'PostgreSQL (TENDER_TEST_DATABASE_URL is not set)' : 'PostgreSQL',
  kind: 'postgres',
  available: serverUrl !== undefined,
  newServer: newServerDatabase,
  open: async () => openedOn(await newServerDatabase()),
  openMigrated: async () => openedOn(await newServerDatabase({ copyOf: process.env[MIGRATED] })),
};

async function openedOn({ url, drop: dropAll }: Pick<ServerDatabase, 'url' | 'drop'>): Promise<OpenedDatabase> {
  const place = { url };
  const database = await openDatabase(place);
  const drop = async () => {
    await database.close();
    await dropAll();
  };
  return { database, place, drop };
}

/** A database on the server that nobody has open: empty, or a copy of another that nobody has open. */
export async function newServerDatabase({ copyOf }: { copyOf?: string | undefined } = {}) {
  const name = `tender_test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(serverUrl!);
  url.pathname = `/${name}`;
  await onServer(`CREATE DATABASE ${name}${copyOf === undefined ? '' : ` TEMPLATE ${copyOf}`}`);
  return { name, url: url.href, drop: () => dropServerDatabase(name) };
}

const dropServerDatabase = (name: string) => onServer(`DROP DATABASE ${name} WITH (FORCE)`);

const CLUSTER_MODULE = '../cluster/migrated.ts';

type ClusterModule = {
  newMigratedCluster(options?: { copyOf?: string | undefined }): Promise<ServerDatabase>;
  newBareCluster(): Promise<ServerDatabase>;
  spreadTables(database: Database): Promise<unknown>;
  provideTemplate(): Promise<{ drop(): Promise<void> }>;
  dropClusterDatabase(name: string): Promise<void>;
};

/** By a name that is put together, so that only runs on a cluster are seen to need one (scripts/test-selection.mjs). */
const clusterModule = () => import(/* @vite-ignore */ CLUSTER_MODULE) as Promise<ClusterModule>;

async function newClusterServer(options: { copyOf?: string | undefined } = {}): Promise<ServerDatabase> {
  return (await clusterModule()).newMigratedCluster(options);
}

async function openAtCoordinator(): Promise<OpenedDatabase> {
  const server = await newClusterServer();
  return openedOn({ ...server, url: server.coordinatorUrl ?? server.url });
}

async function openBareCluster(): Promise<OpenedDatabase> {
  const { newBareCluster, spreadTables } = await clusterModule();
  const opened = await openedOn(await newBareCluster());
  return { ...opened, spread: () => spreadTables(opened.database) };
}

/** Its tables are there already, and distributed; whoever asks is at a server that is not the coordinator. */
const citus: DatabaseKind = {
  name: 'Citus',
  kind: 'postgres',
  available: true,
  newServer: newClusterServer,
  noOlder: 'tables are distributed as the newest version has them',
  noTriggers: 'Citus has none on tables that lie on several servers',
  open: async ({ bare = false, atCoordinator = false } = {}) => {
    if (bare) return openBareCluster();
    return atCoordinator ? openAtCoordinator() : openedOn(await newClusterServer());
  },
  openMigrated: (options) => citus.open(options),
};

/** Whether this run is on a cluster, in place of both databases. */
export const isOnCitus = process.env.TENDER_TEST_ON === 'citus';

export const databaseKinds: readonly DatabaseKind[] = isOnCitus ? [citus] : [embedded, postgres];

/** What several gateways share: one server of PostgreSQL, or the cluster in its place. */
export const shared: DatabaseKind = isOnCitus ? citus : postgres;

type Template = { drop(): Promise<unknown> };

/** Has the processes of a run copy what is made once; undefined where no server is. */
export async function provideTemplate(): Promise<Template | undefined> {
  if (isOnCitus) return (await clusterModule()).provideTemplate();
  if (serverUrl === undefined) return undefined;
  const { name, url, drop } = await newServerDatabase();
  const database = await openDatabase({ url, poolSize: 1 });
  await migrate(database).finally(() => database.close());
  process.env[MIGRATED] = name;
  return { drop };
}

/** Of the server, or of the cluster. */
export async function dropDatabase(name: string): Promise<void> {
  return isOnCitus ? (await clusterModule()).dropClusterDatabase(name) : dropServerDatabase(name);
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl! });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
