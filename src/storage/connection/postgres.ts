// PostgreSQL behind a URL. Connections are made when needed and thrown away when they break, so the gateway goes on
// by itself when the server returns.

import pg from 'pg';
import type { Clock } from '../../domain/clock.ts';
import { clusterDatabase } from '../cluster/apart.ts';
import type { Database } from '../database.ts';
import { statement } from '../tables/index.ts';
import { type DatabaseAddress, readDatabaseAddress } from './database-address.ts';
import { HostPool, NoHostFits } from './host-pool.ts';
import { type PooledOptions, pooledDatabase } from './pooled-database.ts';
import { plainReason, unreachable } from './unreachable.ts';
import { HOST_STATE, type HostState } from './writable-host.ts';

const OLDEST_VERSION = 14;
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** How much longer than a statement may take we wait for a server or network that has gone silent. */
const SILENCE_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const IDLE_CONNECTION_MS = 60_000;

export type PostgresOptions = {
  readonly url: string;
  readonly poolSize?: number | undefined;
  readonly statementTimeoutMs?: number;
  readonly clock?: Clock | undefined;
};

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const database = connectLater(options, readDatabaseAddress(checkedWhenSecure(options.url)));
  try {
    return (await describeServer(database)).isCluster ? clusterDatabase(database) : database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A standby that is only read: it may be away now, and of several hosts any will do. */
export function openStandby(options: PostgresOptions): Database {
  const address = readDatabaseAddress(checkedWhenSecure(options.url));
  return connectLater(options, { ...address, wants: address.hosts.length > 1 ? 'any' : undefined });
}

function connectLater(options: PostgresOptions, address: DatabaseAddress): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const configuration = {
    max: options.poolSize ?? POOL_SIZE,
    application_name: 'tender',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    pipeline: true,
  } as pg.PoolConfig;
  return pooledDatabase({ kind: 'postgres', ...poolOf(address, configuration), clock: options.clock });
}

function poolOf(address: DatabaseAddress, configuration: pg.PoolConfig): Pick<PooledOptions, 'pool' | 'connectError'> {
  const { wants } = address;
  const where = address.hosts.map(({ place }) => place).join(', ');
  const connectError = (error: Error) => unreachable(`the database at ${where}`, plainReason(error));
  if (wants === undefined) {
    const connection = { connectionString: address.hosts[0]?.url, onConnect: settleSession };
    return { pool: new pg.Pool({ ...configuration, ...connection }), connectError };
  }
  return {
    pool: new HostPool({ address: { ...address, wants }, configuration, prepare: settleAndAsk }),
    connectError: (error) =>
      error instanceof NoHostFits ? unreachable('a primary', error.message) : connectError(error),
  };
}

/**
 * What we rely on, whatever the server's or the user's own settings are: moments that can be read, statements that see
 * what others committed while they waited for a lock, and commits that are on disk when they are answered.
 */
const SESSION = `
  SET TIME ZONE 'UTC';
  SET DateStyle TO ISO;
  SET bytea_output TO hex;
  SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

async function settleSession(client: pg.ClientBase, more = ''): Promise<pg.QueryResult[]> {
  client.on('error', () => {});
  // A text of several statements has an answer for each.
  return (await client.query(`${SESSION}${more}`)) as unknown as pg.QueryResult[];
}

async function settleAndAsk(client: pg.ClientBase): Promise<HostState> {
  return (await settleSession(client, `;${HOST_STATE}`)).at(-1)?.rows[0];
}

/** Throws where the server is too old. */
export async function describeServer(database: Database): Promise<{ readonly isCluster: boolean }> {
  const description = statement<{ number: number; cluster: boolean }>('server-version')`
    SELECT current_setting('server_version_num')::int AS number,
      EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS cluster`;
  const [row] = await database.query(description);
  const major = Math.floor((row?.number ?? 0) / 10_000);
  if (major < OLDEST_VERSION)
    throw new Error(`PostgreSQL ${OLDEST_VERSION} or newer is needed, the server is ${major}`);
  return { isCluster: row?.cluster === true };
}

/** Every other mode that uses TLS is meant as the strictest: a server that nobody checked could be anybody. */
export function checkedWhenSecure(url: string): string {
  return url.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full');
}

/** Whether what is said to the database, card data sealed and all else plain, passes a network without TLS. */
export function isPlainElsewhere(address: string): boolean {
  return readDatabaseAddress(address).hosts.some(({ url }) => {
    const { hostname, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? hostname;
    const isHere = host === '' || host.startsWith('/') || ['localhost', '127.0.0.1', '[::1]', '::1'].includes(host);
    return !isHere && !/^(prefer|require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');
  });
}
