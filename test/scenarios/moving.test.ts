// Moving a gateway to another database, as an operator does it: by command, while merchants go on selling, with what
// was under way finished on the other side. And everything an import must not take.

import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embedded, shared } from '../contracts/databases.ts';
import { Load } from '../crash/load.ts';
import { booksOf, newPlace, type Place } from '../crash/place.ts';
import { FAST, lostOrders, SLOW_BANK, untilFinal } from '../crash/promises.ts';
import { newSeed, seeded } from '../crash/random.ts';
import { CARD, Client, DEMO, discrepancies, until } from '../harness.ts';
import { rebillUntilFinal, storeCard } from './stored-cards.ts';
import { Belongings, LAUNCHER, startBankProcess, startProcess, tender } from './tender-process.ts';

const SALES_BEFORE = 30;
const SALES_DURING = 20;

let belongings: Belongings;

beforeEach(() => {
  belongings = new Belongings();
});

afterEach(() => belongings.drop());

const embeddedPlace = () => newPlace(belongings, embedded);
const serverPlace = (options = {}) => newPlace(belongings, shared, options);

async function start({ args }: Place, ...more: string[]) {
  return belongings.keep(await startProcess([...args, ...more]));
}

function clientOf(baseUrl: string): Client {
  const client = new Client(() => baseUrl, DEMO);
  belongings.also(async () => client.close());
  return client;
}

/** What is kept beside a database: the keys, and in a sandbox the demo merchant's. */
async function bringKeys(from: Place, to: Place): Promise<void> {
  for (const name of ['key-encryption-keys', 'demo-private-key.pem']) {
    await copyFile(join(from.folder, name), join(to.folder, name));
  }
}

async function run(...args: string[]) {
  const ended = await tender(args);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended;
}

const refusal = (...args: string[]) => refusedWith(1, ...args);

async function refusedWith(exit: number, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await tender(args);
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
    code: exit,
    stdout: '',
    lines: 1,
  });
  return stderr.trim();
}

async function sold(load: Load, more: number): Promise<void> {
  const enough = load.acknowledged.length + more;
  await until('enough is sold', () => load.acknowledged.length >= enough);
}

describe.skipIf(!shared.available)('a gateway that moves', () => {
  it('from the embedded database to a server and back: what was promised is there, and what was under way ends once', async () => {
    const random = seeded(newSeed());
    const bankFolder = await belongings.folder();
    const bank = belongings.keep(await startBankProcess(['--data', bankFolder, ...SLOW_BANK]));
    const [small, large, again] = [await embeddedPlace(), await serverPlace({ bare: true }), await embeddedPlace()];

    // Sold to and exported from while it runs, then gone.
    const first = await start(small, ...FAST, '--bank-url', bank.url);
    const firstClient = clientOf(first.baseUrl);
    // Not the card the load is declined for good with.
    const reference = await storeCard(firstClient, { credit_card_number: '5555555555554444' });
    const before = new Load([firstClient], random);
    before.start();
    await sold(before, SALES_BEFORE);
    const promised = [...before.acknowledged];
    const file = join(small.folder, 'export.gz');
    // What an export that was killed has left.
    await mkdir(join(small.folder, 'export-999999999'));
    const told = JSON.parse((await run('export', file, '--data', small.folder, '--json')).stdout);
    expect(told.rows.orders).toBeGreaterThanOrEqual(promised.length);
    await sold(before, SALES_DURING);
    await first.process.stop('SIGKILL');
    before.abandon();
    expect((await readdir(small.folder)).filter((name) => name.startsWith('export-'))).toEqual([]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = gunzipSync(await readFile(file)).toString();
    expect(text).not.toContain(CARD);
    expect(text).not.toContain(DEMO.key);

    // To the server: what was acknowledged is there, pending work goes on, a sealed card opens.
    await bringKeys(small, large);
    expect((await run('import', file, ...large.args)).stdout).toMatch(/^Imported \d+ rows of \d+ tables/);
    await large.spread?.();
    await large.looking(async (query) => {
      expect(await lostOrders(query, promised)).toEqual([]);
      expect(await query('select sum(amount)::int as rest from ledger_entries')).toEqual([{ rest: 0 }]);
    });
    const second = await start(large, ...FAST, '--bank-url', bank.url);
    const secondClient = clientOf(second.baseUrl);
    await untilFinal(secondClient, promised);
    expect(await rebillUntilFinal(secondClient, reference)).toMatchObject({ status: 'approved' });
    const after = new Load([secondClient], random);
    after.start();
    await sold(after, SALES_BEFORE);
    await after.stop();
    await second.process.stop('SIGKILL');

    // And back, from a gateway that was killed in the middle of its work.
    const back = join(large.folder, 'export.gz');
    await run('export', back, ...large.args);
    await bringKeys(large, again);
    await run('import', back, ...again.args);
    // Those too that were accepted when the kill came before their answer.
    const everything = await again.looking((query) =>
      query('select client_order_id as client_orderid, order_id::text as "orderId" from orders'),
    );
    const [earlier] = await again.looking((query) => query('select max(order_id)::int as id from orders'));
    const third = await start(again, ...FAST, '--bank-url', bank.url);
    const thirdClient = clientOf(third.baseUrl);
    const kept = [...promised, ...after.acknowledged];
    await untilFinal(thirdClient, everything as { client_orderid: string; orderId: string }[]);
    const rebilled = await rebillUntilFinal(thirdClient, reference);
    expect(rebilled).toMatchObject({ status: 'approved' });
    expect(Number(rebilled['paynet-order-id'])).toBeGreaterThan(earlier?.id as number);
    await third.process.stop();
    expect(after.complaints).toEqual([]);

    expect((await run('verify', ...again.args)).stdout).toContain('Everything is as it must be.');

    const books = await booksOf(bank.url);
    await again.looking(async (query) => {
      expect(await lostOrders(query, kept)).toEqual([]);
      const rows = await query('select order_id::text as id, created_at as at from orders');
      const orders = new Set(rows.map(({ id, at }) => `${id} ${(at as Date).getTime().toString(36)}`));
      // What was sold after the first export and before the kill is at the bank only, as after a restored backup.
      const known = books.filter(({ reference }) => orders.has(reference.replace(/-.*-/, ' ')));
      expect(await discrepancies(query, known)).toEqual([]);
      const unknown = books.filter((entry) => !known.includes(entry));
      expect(unknown.length).toBeGreaterThan(0);
    });
  });

  it("an export of a gateway on PostgreSQL needs the database's address", async () => {
    const large = await serverPlace();
    await start(large);
    const file = join(large.folder, 'export.gz');
    expect(await refusal('export', file, '--data', large.folder)).toBe(
      'tender: this gateway runs on PostgreSQL; name the database with --database-url or DATABASE_URL',
    );
    const told = JSON.parse((await run('export', file, ...large.args, '--json')).stdout);
    expect(told).toMatchObject({ file, rows: { merchants: 1 }, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});

describe('an import', () => {
  /** A gateway that sold once and was stopped, and its export. */
  async function exportedPlace() {
    const place = await embeddedPlace();
    const { process, baseUrl } = await start(place);
    await clientOf(baseUrl).saleUntilFinal();
    await process.stop();
    const file = join(place.folder, 'export.gz');
    const { stdout } = await run('export', file, ...place.args);
    expect(stdout).toMatch(/^Exported \d+ rows of \d+ tables into .*export\.gz \(0\.0 MB\), as of /);
    return { place, file };
  }

  it('takes the bank along when its folder is copied, and nothing that is not right', async () => {
    const { place, file } = await exportedPlace();
    expect(await refusal('export', file, ...place.args)).toMatch(/export\.gz exists already; name a new file$/);

    const empty = await embeddedPlace();
    expect(await refusal('import', file, ...empty.args)).toMatch(
      /key-encryption-keys does not exist; copy the old gateway's there, or name it with --key-file or TENDER_KEY_FILE$/,
    );
    await writeFile(join(empty.folder, 'key-encryption-keys'), `kek-other ${'ab'.repeat(32)}\n`);
    expect(await refusal('import', file, ...empty.args)).toMatch(
      /key-encryption-keys does not hold the key kek-\w+ the export is sealed under$/,
    );
    await bringKeys(place, empty);
    const damaged = join(empty.folder, 'damaged.gz');
    const bytes = await readFile(file);
    await writeFile(damaged, bytes.subarray(0, bytes.length / 2));
    expect(await refusal('import', damaged, ...empty.args)).toMatch(/damaged\.gz is cut off: its end is missing$/);
    expect(await refusal('import', join(empty.folder, 'none.gz'), ...empty.args)).toMatch(/none\.gz does not exist$/);
    expect(await readdir(empty.folder)).not.toContain('database');
    expect(await refusal('import', file, ...place.args)).toMatch(/the database is not empty: table \w+ has rows/);

    const told = JSON.parse((await run('import', file, ...empty.args, '--json')).stdout);
    expect(told).toMatchObject({ file, rows: { orders: 1 } });
    await cp(join(place.folder, 'bank'), join(empty.folder, 'bank'), { recursive: true });
    const { baseUrl, process } = await start(empty);
    const client = clientOf(baseUrl);
    const sale = await client.saleUntilFinal();
    expect(sale.status).toBe('approved');
    await process.stop();
    const orders = await empty.looking((query) =>
      query('select client_order_id as id, order_id::text as order from orders order by order_id'),
    );
    expect(orders).toHaveLength(2);
    // The bank knows the sale that was made before the move.
    const second = await start(empty);
    const old = { 'merchant-order-id': orders[0]?.id, 'paynet-order-id': orders[0]?.order };
    const returned = await clientOf(second.baseUrl).followUpUntilFinal('return', old, {
      amount: '10.42',
      currency: 'USD',
    });
    expect(returned.status).toBe('approved');
  });

  it('an export is not stopped by what a killed one with its process number left', async () => {
    const place = await embeddedPlace();
    await start(place);
    const file = join(place.folder, 'after-a-kill.gz');
    // The shell becomes the command and keeps its number.
    const left = `mkdir -p "${place.folder}/export-$$/cluster" && touch "${place.folder}/export-$$/cluster/PG_VERSION"`;
    const script = `${left} && exec "${process.execPath}" "${LAUNCHER}" export "${file}" --data "${place.folder}"`;
    await promisify(execFile)('bash', ['-c', script]);
    expect((await stat(file)).size).toBeGreaterThan(0);
  });

  it('an export that finds no gateway says so', async () => {
    const { folder, args } = await embeddedPlace();
    expect(await refusedWith(2, 'export', join(folder, 'x.gz'), ...args)).toMatch(
      /^tender: there is no gateway in .*--data$/,
    );
  });
});
