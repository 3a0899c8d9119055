// Several workers behind one port, on a server: to merchants, administrators and whoever watches they are one
// gateway, also while they are restarted one by one, or while one of them dies.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { shared } from '../contracts/databases.ts';
import { booksOf, newPlace, type Place } from '../crash/place.ts';
import { Client, DEMO, discrepancies, newOrderId, pause, type Reply, until } from '../harness.ts';
import { Belongings, expectLine, type RunningProcess, startProcess, tender, tenderProcess } from './tender-process.ts';

const WORKERS = 2;
const SALES = 20;
const CLIENTS = 4;

/** Between two sales of a shop: the workers are not to be busy, but never idle. */
const PACE_MS = 20;

/** A connection that is on its way to a worker that dies is never answered. */
const PATIENCE_MS = 10_000;
const giveUp = () => {
  throw new Error('no answer in time');
};

/** More than die with a worker. */
const MOST_BROKEN = 100;

/** Orders of a worker that dies are soon taken over. */
const SHORT_LEASE = ['--lease-ms', '2500', '--acquirer-timeout-ms', '2000'];

const ANEW = { headers: { connection: 'close' } };

it('an embedded database is not shared by workers', async () => {
  const { code, stderr } = await tender(['start', '--workers', '2']);
  expect(code).toBe(2);
  expectLine(stderr, /--workers 2 needs PostgreSQL, .* the embedded database can be open in one process only/);
});

describe.skipIf(!shared.available)('several workers', () => {
  const own = new Belongings();
  let place: Place;
  let gateway: RunningProcess;
  let client: Client;
  let keyFile: string;

  beforeAll(async () => {
    place = await newPlace(own, shared);
    keyFile = join(place.folder, 'key-encryption-keys');
    const args = [...place.args, '--key-file', keyFile, '--workers', String(WORKERS), '--request-log', 'on'];
    gateway = own.keep(await startProcess([...args, ...SHORT_LEASE]));
    client = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => client.close());
  });
  afterAll(() => own.drop());

  const lines = () =>
    gateway.process.stderr
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { message: string; worker?: number; operation?: string });
  const isLogged = (message: string) => gateway.process.stderr.includes(`"message":"${message}"`);
  const workerIds = () =>
    execFileSync('pgrep', ['-P', String(gateway.process.pid)])
      .toString()
      .trim()
      .split('\n');

  const figure = async (name: string) => {
    const text = await (await fetch(`${gateway.origin}/metrics`, ANEW)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  };
  const salesCounted = () => figure('tender_request_seconds_count{operation="SALE",status="200"}');

  /** How many sales were answered well in all. */
  let sold = 0;

  type Selling = { readonly broken: unknown[]; readonly bad: Reply[] };

  /** Sells until `over`; what was not answered is sent again, as a shop does. */
  const sellUntil = async (over: () => boolean, { broken, bad }: Selling, options: object) => {
    const shop = new Client(() => gateway.baseUrl, DEMO);
    while (!over()) {
      const client_orderid = newOrderId();
      for (let isAnswered = false; !isAnswered && broken.length < MOST_BROKEN; ) {
        const asked = Promise.race([shop.sale({ client_orderid }, options), pause(PATIENCE_MS).then(giveUp)]);
        const reply = await asked.catch((error) => void broken.push(error));
        isAnswered = reply !== undefined;
        if (reply?.status === 200) sold += 1;
        else if (reply) bad.push(reply);
      }
      await pause(PACE_MS);
    }
    shop.close();
  };

  /** Shops that keep their connections, and shops that do not, for as long as `work` takes. */
  const selling = async (work: () => Promise<unknown>): Promise<Selling> => {
    let isOver = false;
    const seen: Selling = { broken: [], bad: [] };
    const shops = Array.from({ length: CLIENTS }, (_, index) => sellUntil(() => isOver, seen, index % 2 ? ANEW : {}));
    await work().finally(() => {
      isOver = true;
    });
    await Promise.all(shops);
    return seen;
  };

  /** Once every order has ended: those that are not stored, or stored twice, and where the bank's books differ. */
  const differences = async () => {
    const stages = () => place.looking((query) => query('select distinct stage from transactions'));
    await until('all orders have ended', async () => (await stages()).every(({ stage }) => stage === 'approved'));
    const [stored] = await place.looking((query) => query('select count(*)::int as orders from orders'));
    expect(stored).toEqual({ orders: sold });
    const books = await booksOf(/Bank\s+(http\S+)/.exec(gateway.process.stdout)?.[1] as string);
    return place.looking((query) => discrepancies(query, books));
  };

  it('take requests in turn, and tell the same sums whichever is asked', async () => {
    const replies = await Promise.all(Array.from({ length: SALES }, () => client.sale({}, ANEW)));
    expect(replies.map(({ status }) => status)).toEqual(Array(SALES).fill(200));
    sold += SALES;
    await until('all are in the log', () => lines().filter(({ operation }) => operation === 'SALE').length === SALES);
    expect(new Set(lines().map(({ worker }) => worker))).toEqual(new Set([1, 2, undefined]));
    for (let times = 0; times < 2 * WORKERS; times++) expect(await salesCounted()).toBe(SALES);
    expect(await figure('tender_workers')).toBe(WORKERS);
  });

  it('have one door for administrators, who see what came to all, and whose changes all follow', async () => {
    const keys = await tender(['key', 'list', DEMO.login, '--json', ...place.args]);
    const uses = JSON.parse(keys.stdout).map(({ use }: { use: { count: number } }) => use.count);
    expect(Math.max(...uses)).toBe(SALES);
    expect((await tender(['merchant', 'disable', DEMO.login, ...place.args])).stderr).toBe('');
    /** Of twice as many sales as there are workers, each on a connection of its own. */
    const taken = async () => {
      const replies = await Promise.all(Array.from({ length: 2 * WORKERS }, () => client.sale({}, ANEW)));
      const count = replies.filter(({ status }) => status === 200).length;
      sold += count;
      return count;
    };
    await until('all workers refuse', async () => (await taken()) === 0);
    await tender(['merchant', 'enable', DEMO.login, ...place.args]);
    await until('none refuses', async () => (await taken()) === 2 * WORKERS);
  });

  it('are restarted one by one without a refused request', async () => {
    const before = workerIds();
    const { broken, bad } = await selling(async () => {
      gateway.process.signal('SIGHUP');
      await until('all are restarted', () => isLogged('all workers are restarted'));
    });
    expect(broken).toEqual([]);
    expect(bad).toEqual([]);
    expect(workerIds().filter((id) => before.includes(id))).toEqual([]);
    expect(workerIds()).toHaveLength(WORKERS);
    expect(await differences()).toEqual([]);
    expect(await salesCounted()).toBe(sold);
    expect((await tender(['merchant', 'list', ...place.args])).stdout).toContain(DEMO.login);
  });

  it('go on when one of them dies, which is replaced, and its orders end', async () => {
    const [first] = workerIds() as [string];
    const counted = await salesCounted();
    const { bad } = await selling(async () => {
      process.kill(Number(first), 'SIGKILL');
      await until('it is replaced', () => isLogged('a worker was replaced'));
    });
    expect(bad).toEqual([]);
    expect(workerIds()).toHaveLength(WORKERS);
    expect(workerIds()).not.toContain(first);
    // What a worker counted does not die with it, as far as it was told.
    expect(await salesCounted()).toBeGreaterThanOrEqual(counted);
    expect(await differences()).toEqual([]);
    await until('the administrators are served again', async () =>
      (await tender(['merchant', 'list', ...place.args])).stdout.includes(DEMO.login),
    );
  });

  it('say when their port is taken', async () => {
    const { port } = new URL(gateway.baseUrl);
    const elsewhere = ['--data', await own.folder(), ...place.args.slice(2), '--key-file', keyFile];
    const { code, stderr } = await tenderProcess(['start', '--port', port, '--workers', '2', ...elsewhere]);
    expect(code).toBe(1);
    expectLine(stderr, new RegExp(`port ${port} is in use; choose another with --port or PORT`));
  });

  it('all finish what is in flight when the gateway is stopped', async () => {
    const shop = new Client(() => gateway.baseUrl, DEMO);
    const database = await openDatabase({ url: place.args.at(-1) });
    const ids = workerIds();
    // Nothing is committed before all sales are under way and the gateway is told to stop.
    const { begun, stopped } = await database
      .transaction(async (session) => {
        await session.query({ name: '', text: 'lock table orders in exclusive mode' });
        const begun = Array.from({ length: 2 * CLIENTS }, () => shop.sale());
        const underWay = () => figure('tender_requests_under_way{queue="orders"}');
        await until('all sales are under way', async () => (await underWay()) === 2 * CLIENTS);
        return { begun, stopped: gateway.process.stop() };
      })
      .finally(() => database.close());
    expect((await stopped).code).toBe(0);
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual(Array(2 * CLIENTS).fill(200));
    shop.close();
    for (const id of ids) expect(() => process.kill(Number(id), 0)).toThrow('ESRCH');
    const open = await place.looking((query) => query(`select order_id from transactions where stage <> 'approved'`));
    expect(open).toEqual([]);
  });
});
