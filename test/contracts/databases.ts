// Both databases for every suite that must hold on both: the embedded one always, PostgreSQL when
// TENDER_TEST_DATABASE_URL names a server on which databases may be made and dropped. `npm test -- --database citus`
// has a cluster of Citus in their place.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type OpenDatabaseOptions, openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import '../setup/engine.ts';

export type OpenedDatabase = {
  readonly database: Database;
  /** Opens the same data a second time: another connection pool, or another owner of the same folder. */
  readonly place: OpenDatabaseOptions;
  /** Closes `database` and removes all its data. */
  drop(): Promise<void>;
};

export type DatabaseKind = {
  readonly name: string;
  readonly kind: Database['kind'];
  readonly available: boolean;
  /** An empty database. The embedded one is in memory unless a folder is asked for. */
  open(options?: { folder?: boolean }): Promise<OpenedDatabase>;
  /** A database for a gateway, of which there may be copies; the embedded one has no server. */
  readonly newServer?: (options: { copyOf?: string | undefined }) => Promise<ServerDatabase>;
  /** Whether gateways cannot begin from the copy of another's database. */
  readonly isUncopied?: boolean;
};

type ServerDatabase = { readonly name: string; readonly url: string; drop(): Promise<unknown> };

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
};

export const postgres: DatabaseKind = {
  name: serverUrl === undefined ? 'PostgreSQL (TENDER_TEST_DATABASE_URL is not set)' : 'PostgreSQL',
  kind: 'postgres',
  available: serverUrl !== undefined,
  newServer: newServerDatabase,
  open: async () => openedOn(await newServerDatabase()),
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

export const dropServerDatabase = (name: string) => onServer(`DROP DATABASE ${name} WITH (FORCE)`);

const CLUSTER_MODULE = '../cluster/migrated.ts';

async function newClusterServer(): Promise<ServerDatabase> {
  const { newMigratedCluster } = (await import(CLUSTER_MODULE)) as { newMigratedCluster(): Promise<ServerDatabase> };
  return newMigratedCluster();
}

/** Its tables are there already, and distributed; whoever asks is at a server that is not the coordinator. */
const citus: DatabaseKind = {
  name: 'Citus',
  kind: 'postgres',
  available: true,
  isUncopied: true,
  newServer: newClusterServer,
  open: async () => openedOn(await newClusterServer()),
};

export const databaseKinds: readonly DatabaseKind[] =
  process.env.TENDER_TEST_ON === 'citus' ? [citus] : [embedded, postgres];

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl! });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
