// What only a PostgreSQL server can do to us: other sessions in the way, connections that end, a server that is away.

import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { openPostgres } from '../../src/storage/connection/postgres.ts';
import { ConnectionLost, type Database, type Session } from '../../src/storage/database.ts';
import { type OpenedDatabase, postgres } from './databases.ts';

const read = { name: 'read', text: 'SELECT value FROM account WHERE id = $1' };
const write = { name: 'write', text: 'UPDATE account SET value = $2 WHERE id = $1' };
const add = { name: 'add', text: 'UPDATE account SET value = value + 1 WHERE id = $1' };
const serializable = { name: 'serializable', text: 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE' };
const wait = { name: 'wait', text: 'SELECT pg_sleep($1)' };
const pid = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
const inForce = {
  name: 'in-force',
  text: `SELECT current_setting('transaction_isolation') AS isolation, current_setting('synchronous_commit') AS commits`,
};
const terminateOthers = {
  name: 'terminate-others',
  text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
};

const waitingOthers = {
  name: 'waiting-others',
  text: `SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event = $1`,
};

const balance = async (session: Session, id: number) => (await session.query<{ value: number }>(read, [id]))[0]!.value;

describe.skipIf(!postgres.available)(`the connection to ${postgres.name}`, () => {
  let opened: OpenedDatabase;
  let database: Database;
  let other: Database;

  /** How many of the other sessions wait for this. */
  const othersIn = async (event: string) => (await other.query<{ count: number }>(waitingOthers, [event]))[0]?.count;

  beforeAll(async () => {
    opened = await postgres.open();
    database = opened.database;
    other = await openDatabase({ ...opened.place, poolSize: 1 });
    await database.script('CREATE TABLE account (id int PRIMARY KEY, value int NOT NULL)');
  });

  beforeEach(() => database.script('TRUNCATE account; INSERT INTO account VALUES (1, 0), (2, 0)'));

  afterAll(async () => {
    await other?.close();
    await opened?.drop();
  });

  it('relies on no setting of the server: moments are read, locks show what was committed, commits are durable', async () => {
    const url = new URL(opened.place.url!);
    const settings = ['datestyle=SQL', 'default_transaction_isolation=repeatable\\ read', 'synchronous_commit=off'];
    url.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '));
    const set = await openPostgres({ url: url.href.replaceAll('+', '%20') });
    const moment = { name: 'moment', text: "SELECT '2027-01-31T23:00:00.123Z'::timestamptz AS at" };
    expect(await set.query(moment)).toEqual([{ at: new Date('2027-01-31T23:00:00.123Z') }]);
    const [row] = await set.transaction((session) => session.query(inForce));
    expect(row).toEqual({ isolation: 'read committed', commits: 'on' });
    await set.close();
  });

  it('repeats a transaction that could not be serialised', async () => {
    let runs = 0;
    const increment = (session: Database, before: () => Promise<void>) =>
      session.transaction(async (transaction) => {
        runs += 1;
        await transaction.query(serializable);
        const value = await balance(transaction, 1);
        await before();
        await transaction.query(write, [1, value + 1]);
      });
    let interfered = false;
    await increment(database, async () => {
      if (!interfered) await increment(other, async () => {});
      interfered = true;
    });
    expect(runs).toBe(3);
    expect(await balance(database, 1)).toBe(2);
  });

  it('repeats the one of two transactions that was chosen to end a deadlock', async () => {
    let runs = 0;
    const bothHoldOne = barrier(2);
    const addToBoth = (session: Database, ids: [number, number]) =>
      session.transaction(async (transaction) => {
        runs += 1;
        // The repeat leaves the way to the one that was let through: they could stop each other once more.
        if (runs === 3) await Promise.race(both);
        await transaction.query(add, [ids[0]]);
        await bothHoldOne();
        await transaction.query(add, [ids[1]]);
      });
    const both = [addToBoth(database, [1, 2]), addToBoth(other, [2, 1])];
    await Promise.all(both);
    expect(runs).toBe(3);
    expect(await balance(database, 1)).toBe(2);
    expect(await balance(database, 2)).toBe(2);
  });

  it('prepares a statement anew when the table changed under it', async () => {
    const all = { name: 'all-columns', text: 'SELECT * FROM account WHERE id = 1' };
    await other.query(all);
    await database.script("ALTER TABLE account ADD note text NOT NULL DEFAULT 'new'");
    expect(await other.query(all)).toEqual([{ id: 1, value: 0, note: 'new' }]);
    await database.script('ALTER TABLE account DROP note');
    expect(await other.flight([{ statement: all, values: [] }])).toEqual([[{ id: 1, value: 0 }]]);
  });

  it('says that a statement under way was lost with its connection, and goes on', async () => {
    await other.query(pid);
    const lost = [
      database.query(wait, [30]),
      database.flight([
        { statement: add, values: [1] },
        { statement: wait, values: [30] },
      ]),
      database.transaction(async (session) => {
        await session.query(add, [2]);
        await session.query(wait, [30]);
      }),
    ];
    const settled = Promise.allSettled(lost);
    await expect.poll(() => othersIn('PgSleep')).toBe(lost.length);
    await other.query(terminateOthers);
    for (const each of await settled) {
      expect(each.status).toBe('rejected');
      expect((each as PromiseRejectedResult).reason).toBeInstanceOf(ConnectionLost);
    }
    expect(await balance(database, 1)).toBe(0);
    expect(await balance(database, 2)).toBe(0);
  });

  it('survives connections that end while nobody uses them', async () => {
    await Promise.all([1, 2, 3].map(() => database.query(wait, [0.05])));
    await other.query(terminateOthers);
    await expect.poll(() => othersIn('ClientRead')).toBe(0);
    await sleep(100);
    expect(await balance(database, 1)).toBe(0);
  });

  it('recovers when the server was away', async () => {
    const relay = await startRelay(new URL(opened.place.url!));
    const through = await openDatabase({ url: relay.url });
    expect(await balance(through, 1)).toBe(0);
    await relay.stop();
    await sleep(50);
    await expect(through.query(read, [1])).rejects.toMatchObject({ sqlState: '08001' });
    await relay.start();
    expect(await balance(through, 1)).toBe(0);
    await through.close();
    await relay.stop();
  });

  it('ends a statement that takes too long', async () => {
    const hurried = await openPostgres({ url: opened.place.url!, statementTimeoutMs: 100 });
    await expect(hurried.query(wait, [30])).rejects.toMatchObject({ sqlState: '57014' });
    await hurried.script('SELECT pg_sleep(0.3)');
    await expect(hurried.query(wait, [30])).rejects.toMatchObject({ sqlState: '57014' });
    await hurried.close();
  });

  it('waits for a script for longer than a statement may be silent, also within a transaction', async () => {
    const hurried = await openPostgres({ url: opened.place.url!, statementTimeoutMs: 100 });
    await hurried.transaction((session) => session.script('CREATE TABLE waited (a int); SELECT pg_sleep(5.5)'));
    await hurried.script('DROP TABLE waited');
    await hurried.close();
  });
});

describe('a server that cannot be used', () => {
  it('is named in one line, without the password', async () => {
    const opening = openDatabase({ url: 'postgres://tender:hunter2@127.0.0.1:1/tender' });
    const error = await opening.catch((caught: Error) => caught);
    expect(String(error)).toContain('cannot reach the database at 127.0.0.1:1: connection refused');
    expect(JSON.stringify(error) + (error as Error).stack).not.toContain('hunter2');
  });

  it.skipIf(!postgres.available)('says why it sent us away', async () => {
    const url = new URL(process.env.TENDER_TEST_DATABASE_URL!);
    url.pathname = '/there_is_no_such_database';
    const opening = openDatabase({ url: url.href });
    await expect(opening).rejects.toThrow('database "there_is_no_such_database" does not exist');
  });
});

/** Lets everybody go once `count` have come, and later comers at once. */
function barrier(count: number): () => Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let came = 0;
  return () => {
    came += 1;
    if (came === count) open();
    return opened;
  };
}

/** Stands between us and the server and can be away. */
async function startRelay(server: URL) {
  const sockets = new Set<net.Socket>();
  const listener = net.createServer((near) => {
    const far = net.connect(Number(server.port || 5432), server.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .on('close', () => to.destroy())
        .pipe(to);
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as net.AddressInfo;
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async start() {
      listener.listen(port, '127.0.0.1');
      await once(listener, 'listening');
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      listener.close();
      await once(listener, 'close');
    },
  };
}
