// PostgreSQL behind a URL. Connections are made when needed and thrown away when they break, so the gateway goes on
// by itself when the server returns.

import pg from 'pg';
import type { Clock } from '../../domain/clock.ts';
import { type Database, DatabaseError } from '../database.ts';
import { statement } from '../tables/index.ts';
import { pooledDatabase } from './pooled-database.ts';

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
  const url = checkedWhenSecure(options.url);
  const where = placeOf(url);
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? POOL_SIZE,
    application_name: 'tender',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    pipeline: true,
    onConnect: prepareConnection,
  } as pg.PoolConfig);
  const connectError = (error: Error) => unreachable(where, error);
  const database = pooledDatabase({ kind: 'postgres', pool, connectError, ...options });
  try {
    await refuseOldServer(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
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

async function prepareConnection(client: pg.Client): Promise<void> {
  client.on('error', () => {});
  await client.query(SESSION);
}

export async function refuseOldServer(database: Database): Promise<void> {
  const version = statement<{ number: number }>(
    'server-version',
  )`SELECT current_setting('server_version_num')::int AS number`;
  const [row] = await database.query(version);
  const major = Math.floor((row?.number ?? 0) / 10_000);
  if (major < OLDEST_VERSION)
    throw new Error(`PostgreSQL ${OLDEST_VERSION} or newer is needed, the server is ${major}`);
}

/** Every other mode that uses TLS is meant as the strictest: a server that nobody checked could be anybody. */
export function checkedWhenSecure(url: string): string {
  return url.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full');
}

/** Whether what is said to the database, card data sealed and all else plain, passes a network without TLS. */
export function isPlainElsewhere(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const isHere = host === '' || host.startsWith('/') || ['localhost', '127.0.0.1', '[::1]', '::1'].includes(host);
  return !isHere && !/^(prefer|require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');
}

function placeOf(url: string): string {
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('another protocol');
    const client = new pg.Client({ connectionString: url });
    return `${client.host}:${client.port}`;
  } catch {
    // What is wrong with it could be shown only with the password in it.
    throw new Error('the database URL cannot be read: postgres://user:password@host:port/name is expected');
  }
}

const PLAIN_REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  ENOENT: 'no such socket',
  EHOSTUNREACH: 'host unreachable',
  ETIMEDOUT: 'no answer',
};

/** SQLSTATE 08001: no connection was made, so nothing was executed. */
function unreachable(where: string, error: Error & { code?: string }): DatabaseError {
  const reason = PLAIN_REASONS[error.code ?? ''] ?? error.message;
  return new DatabaseError(`cannot reach the database at ${where}: ${reason}`, { sqlState: '08001' });
}
