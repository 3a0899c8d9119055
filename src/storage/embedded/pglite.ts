// The embedded database: PGlite in a worker thread, reached through the same `pg` client as a PostgreSQL server.
// It has one session, so its pool has one client. A folder belongs to one process at a time.

import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Clock } from '../../domain/clock.ts';
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '../connection/migrate.ts';
import { pooledDatabase } from '../connection/pooled-database.ts';
import { type Database, DatabaseError } from '../database.ts';
import { type Lock, takeLock } from './lock-file.ts';
import { type Beginning, copyCluster, ensureCluster, templateCluster } from './pglite-cluster.ts';
import type { FsyncFault } from './pglite-fsync.ts';
import { type PgliteLink, startPglite } from './pglite-link.ts';
import { PgliteStream } from './pglite-stream.ts';

/** Waiting for the one session; behind a long report or vacuum this can be a while. */
const TURN_TIMEOUT_MS = 60_000;
/** A statement cannot be cancelled in wasm: after this the worker is taken for stuck and ended. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Nobody makes a database in the one we have, and two thirds of a new cluster's files are for that. */
const WITHOUT_OTHER_DATABASES = [
  'update pg_database set datistemplate = false where datistemplate',
  'drop database template0',
  'drop database template1',
];

const NAME_LENGTH = 16;

export type PgliteOptions = {
  /** Where the data lives; in memory when absent. */
  readonly dataFolder?: string | undefined;
  /** What a new database has: no table, or those of the program's migrations. */
  readonly begin?: 'empty' | 'migrated' | undefined;
  /** The worker died and with it the database: the process should end, and a new one recover. */
  readonly onFatal?: ((error: Error) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** For tests only: see `WorkerStart`. */
  readonly fsyncFault?: FsyncFault;
};

export async function openPglite(options: PgliteOptions = {}): Promise<Database> {
  const { dataFolder, onFatal = () => {} } = options;
  const beginning = await beginningOf(options.begin);
  if (dataFolder === undefined) {
    return overLink(options, await startPglite({ template: await templateCluster(beginning) }, onFatal));
  }
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const lock = await takeLock(join(dataFolder, 'lock'), `data folder ${dataFolder}`);
  try {
    const cluster = join(dataFolder, 'cluster');
    await ensureCluster(cluster, beginning);
    const link = await startPglite({ cluster, fsyncFault: options.fsyncFault }, onFatal);
    return withCopies(overLink(options, link, lock), cluster);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Makes what new databases are copied from, unless it is there. */
export async function ensureTemplate(begin: PgliteOptions['begin']): Promise<void> {
  await templateCluster(await beginningOf(begin));
}

const beginningOf = async (begin: PgliteOptions['begin']) => (begin === 'migrated' ? migrated() : EMPTY);

const EMPTY: Beginning = { name: 'empty', make: (folder) => initialise(folder, async () => {}) };

async function migrated(): Promise<Beginning> {
  const migrations = await readMigrations(MIGRATIONS_FOLDER);
  const hash = createHash('sha256').update(migrations.map(({ checksum }) => checksum).join());
  return {
    name: `migrated-${hash.digest('hex').slice(0, NAME_LENGTH)}`,
    make: (folder) => initialise(folder, migrate),
  };
}

async function initialise(folder: string, fill: (database: Database) => Promise<unknown>): Promise<void> {
  const database = overLink({}, await startPglite({ cluster: folder }, () => {}));
  try {
    for (const statement of WITHOUT_OTHER_DATABASES) await database.script(statement);
    await fill(database);
  } finally {
    await database.close();
  }
}

function overLink(options: PgliteOptions, link: PgliteLink, lock?: Lock): Database {
  const pool = new pg.Pool({
    user: 'postgres',
    database: 'postgres',
    max: 1,
    stream: () => new PgliteStream(link),
    ssl: false,
    connectionTimeoutMillis: TURN_TIMEOUT_MS,
    idleTimeoutMillis: 0,
    query_timeout: ANSWER_TIMEOUT_MS,
    pipeline: true,
    onConnect: resetSession,
  } as pg.PoolConfig);
  return pooledDatabase({
    kind: 'pglite',
    pool,
    connectError: noSession,
    onClose: async () => {
      await link.close();
      await lock?.release();
    },
    ...options,
  });
}

/** Whoever holds the one session keeps everybody else from writing, and nothing writes by itself. */
function withCopies(database: Database, cluster: string): Database {
  return {
    ...database,
    copyTo: (folder) => database.transaction(() => copyCluster(cluster, join(folder, 'cluster'))),
  };
}

/** Every connection is the same session: what the last one left behind has to go. */
async function resetSession(client: pg.Client): Promise<void> {
  client.on('error', () => {});
  await client.query('ROLLBACK');
  await client.query('DISCARD ALL');
}

function noSession(error: Error): DatabaseError {
  return new DatabaseError(`the embedded database is not available: ${error.message}`, { sqlState: '08001' });
}
