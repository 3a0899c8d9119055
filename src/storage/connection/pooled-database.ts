// The `Database` port over a pool of `pg` clients, whatever they are connected to. A client serves one caller at a
// time, so nothing slips into an open transaction, and what is lost with a connection is one caller's work only.

import type pg from 'pg';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { type Answers, type Database, DatabaseError, outageOf, type Step } from '../database.ts';
import { encodeValue } from '../wire/encode-value.ts';
import { type Client, fly, type PreparedStep } from '../wire/flight.ts';
import { isRepeatable } from './database-error.ts';
import { runScript } from './run-script.ts';
import { transact } from './transaction.ts';

/** How often work is run after serialisation failures or deadlocks before the failure is the caller's. */
const MAX_ATTEMPTS = 8;
const FIRST_BACKOFF_MS = 4;
const LONGEST_BACKOFF_MS = 250;

const CLOSE_PATIENCE_MS = 10_000;

const TOO_MANY_CONNECTIONS = '53300';
/** What `pg-pool` says when all its clients stayed in use for its connection time-out. */
export const NO_CLIENT_FREE = 'timeout exceeded when trying to connect';

/** PostgreSQL cuts longer names off, and two statements would become one. */
const MAX_STATEMENT_NAME = 63;

/** What is used of a pool of `pg`. */
export type ClientPool = {
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
};

export type PooledOptions = {
  readonly kind: Database['kind'];
  readonly pool: ClientPool;
  /** Says in one line why no connection could be had; nothing was sent yet. */
  readonly connectError: (error: Error) => Error;
  readonly onClose?: () => Promise<void>;
  readonly clock?: Clock | undefined;
};

export function pooledDatabase(options: PooledOptions): Database {
  const { kind, pool, connectError, clock = systemClock } = options;
  const textByName = new Map<string, string>();
  // The pool throws away a client that breaks while idle and the statement tells a caller who was using it.
  pool.on('error', () => {});

  const prepare = ({ statement, values }: Step<unknown>): PreparedStep => {
    const known = textByName.get(statement.name);
    if (known === undefined) {
      if (Buffer.byteLength(statement.name) > MAX_STATEMENT_NAME)
        throw new Error(`statement name too long: ${statement.name}`);
      textByName.set(statement.name, statement.text);
    } else if (known !== statement.text) throw new Error(`two statements are named ${statement.name}`);
    return { statement, values: values.map(encodeValue) };
  };

  let running = 0;
  let idle = () => {};
  let closed: Promise<void> | undefined;

  /** Waits for what is under way, within reason; what comes later is refused. */
  const close = async () => {
    const patience = new AbortController();
    const finished = running === 0 || new Promise<void>((resolve) => (idle = resolve));
    await Promise.race([finished, clock.sleep(CLOSE_PATIENCE_MS, patience.signal)]);
    patience.abort();
    const ended = pool.end();
    if (running === 0) await ended;
    await options.onClose?.();
  };

  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed !== undefined) throw new Error('the database is closed');
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      if (running === 0) idle();
    }
  };

  const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    // The driver knows the state of a transaction, and its types do not say so.
    const client = (await pool.connect().catch((error: Error) => {
      if (error.message !== NO_CLIENT_FREE) throw connectError(error);
      throw new DatabaseError('all database connections stayed in use', { sqlState: TOO_MANY_CONNECTIONS });
    })) as Client;
    let lost = false;
    try {
      return await work(client);
    } catch (error) {
      // A server that only reads may have been the primary a moment ago: another connection may find the new one.
      lost = outageOf(error) === 'away';
      throw error;
    } finally {
      client.release(lost || client.getTransactionStatus() !== 'I');
    }
  };

  const repeating = <T>(attempt: () => Promise<T>): Promise<T> =>
    counted(async () => {
      for (let failures = 0; ; failures++) {
        try {
          return await attempt();
        } catch (error) {
          if (!isRepeatable(error) || failures + 1 >= MAX_ATTEMPTS) throw error;
          await clock.sleep(Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures));
        }
      }
    });

  const flight = async <const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<Answers<Steps>> => {
    const prepared = steps.map(prepare);
    // Each statement reads its own rows, so a flight's answers are of the types of its steps.
    return repeating(() => withClient((client) => fly(client, prepared))) as Promise<Answers<Steps>>;
  };

  return {
    kind,
    query: async (statement, values = []) => (await flight([{ statement, values }]))[0],
    flight,

    transaction: (work) => repeating(() => withClient((client) => transact(client, prepare, work))),

    script: (sql) => repeating(() => withClient((client) => runScript(client, sql))),

    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
