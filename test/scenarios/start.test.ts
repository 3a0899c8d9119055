// `tender start` as a person at a terminal has it: what it says, what it refuses to start with, and how it ends.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../src/acquirers/index.ts';
import { endOfLifeLine } from '../../src/cli/node-life.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { booksOf } from '../crash/place.ts';
import {
  AdjustableClock,
  Client,
  DEMO,
  encode,
  FORM,
  MEDIA_TYPE,
  newOrderId,
  pause,
  type Reply,
  until,
} from '../harness.ts';
import {
  Belongings,
  expectLine,
  LAUNCHER,
  type RunningProcess,
  startBankProcess,
  startProcess,
  TenderProcess,
  tenderProcess,
} from './tender-process.ts';

/** What a process has taken of its processors is counted in these. */
const TICKS_PER_SECOND = 100;

/** The bank answers when the test puts its clock forward so far, and the gateway waits for it. */
const ANSWER_DELAY_MS = 3_600_000;
const PATIENT = ['--acquirer-timeout-ms', '7200000', '--lease-ms', '7300000'];

const isRefusal = (error: { code?: string; cause?: { code?: string } }) =>
  ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(error.code ?? error.cause?.code ?? '');

const bash = async (script: string) => (await promisify(execFile)('bash', ['-c', script])).stdout;

/** Somebody who sends one sale after another on one connection: what was answered, and what ended it. */
function asksUntilRefused(client: Client): { readonly replies: Reply[]; readonly error: Promise<unknown> } {
  const replies: Reply[] = [];
  const asking = async () => {
    for (;;) replies.push(await client.sale());
  };
  return {
    replies,
    error: asking()
      .catch((error) => error)
      .finally(() => client.close()),
  };
}

/** Somebody whose first sale was answered, and who sends the next one on the same connection in two parts. */
async function slowMerchant(port: number, client: Client) {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text) => (heard += text));
  const ended = once(socket, 'close');
  const saleRequest = () => {
    const body = encode(client.signedSale());
    const head = `Host: localhost\r\nContent-Type: ${FORM}\r\nContent-Length: ${body.length}`;
    return `POST /paynet/api/v2/sale/101 HTTP/1.1\r\n${head}\r\nAccept: ${MEDIA_TYPE}\r\n\r\n${body}`;
  };
  socket.write(saleRequest());
  await until('the first sale is answered', () => /\r\n\r\n.*async-response/s.test(heard));
  const second = saleRequest();
  return {
    begin: () => void socket.write(second.slice(0, -1)),
    isClosed: () => socket.readableEnded,
    finish: async () => {
      socket.write(second.slice(-1));
      await ended;
      return heard;
    },
  };
}

/** The processor time a process has taken, in seconds: the same however busy the machine is. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}

const own = new Belongings();
afterAll(() => own.drop());

describe('a first start', () => {
  let data: string;
  let gateway: RunningProcess;

  beforeAll(async () => {
    data = join(await own.folder(), 'a new', 'data');
    gateway = own.keep(await startProcess(['--data', data], { begins: 'empty' }));
  });

  it('says where everything is, in plain text where no terminal is', () => {
    const { stdout } = gateway.process;
    for (const page of ['healthz', 'readyz', 'metrics', 'openapi.json'])
      expect(stdout).toContain(`${gateway.origin}/${page}`);
    expect(stdout).toContain(join('a new', 'data'));
    expect(stdout).toContain('embedded');
    for (const word of [DEMO.login, DEMO.key, '101  USD', '102  EUR', '103  USD', '104  JPY', '105  EUR', '200', '201'])
      expect(stdout).toContain(word);
    expect(stdout).toContain(join('a new', 'data', 'demo-private-key.pem'));
    for (const cvv2 of ['123', '1234', '321', '111', '217', '101', '116', '119', '209']) expect(stdout).toContain(cvv2);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain(`Start here   ${gateway.origin}/`);
    expect(stdout).toContain(`Docs         ${gateway.origin}/docs/\n`);
  });

  it('writes no link that lets anybody in where no terminal is, and makes nobody for it', async () => {
    expect(gateway.process.stdout).toContain('nobody has an account yet; a one-time link: npx tender person add admin');
    expect(gateway.process.stdout + gateway.process.stderr).not.toContain('first-sign-in');
    const people = await tenderProcess(['person', 'list', '--json', '--data', data]);
    expect(JSON.parse(people.stdout)).toEqual([]);
  });

  it('serves the pages it names', async () => {
    for (const page of ['healthz', 'readyz', 'metrics', 'openapi.json']) {
      expect((await fetch(`${gateway.origin}/${page}`)).status).toBe(200);
    }
  });

  it('prints a payment that works when it is pasted, its status and its story', async () => {
    const [sale, status, story] = ['A first payment', 'What became of it', 'Everything that happened to it'].map(
      (title) => new RegExp(`${title}\\n([\\s\\S]+?)\\n\\n`).exec(gateway.process.stdout)?.[1] ?? '',
    );
    const untilFinal = `status() {\n${status}\n}\nwhile status | grep -qE '"(processing|unknown)"'; do sleep 0.2; done`;
    const answers = await bash(`${sale}\necho\n${untilFinal}\n${status}\necho\n${story}`);
    const [accepted, final] = answers
      .trim()
      .split('\n')
      .slice(0, 2)
      .map((text) => JSON.parse(text));
    expect(answers).toMatch(/^Order +\d+\nMerchant +demo\nMerchant's id +first-\d+\n/m);
    expect(answers).toMatch(/UTC +change +transaction 1: sending → approved/);
    expect(accepted).toMatchObject({ type: 'async-response' });
    expect(final).toMatchObject({ type: 'status-response', status: 'approved', amount: '10.42' });
  });

  it('keeps a second one out of its data folder', async () => {
    const second = await tenderProcess(['start', '--port', '0', '--data', data]);
    expect(second.code).toBe(1);
    expectLine(second.stderr, /data.* is in use by process \d+; .*--data/);
    expect(second.stdout).toBe('');
  });

  it('keeps a second one off its port, which leaves nothing open', async () => {
    const elsewhere = join(await own.folder(), 'data');
    const { port } = new URL(gateway.origin);
    const second = await tenderProcess(['start', '--data', elsewhere], { env: { PORT: port } });
    expect(second.code).toBe(1);
    expectLine(second.stderr, new RegExp(`port ${port} is in use; choose another with --port or PORT`));
    const left = [...(await readdir(join(elsewhere, 'database'))), ...(await readdir(join(elsewhere, 'bank')))];
    expect(left.filter((name) => name.includes('lock'))).toEqual([]);
    expect(await readdir(elsewhere)).not.toContain('admin.json');
  });

  it('is followed by others that keep the data', async () => {
    const clientOrderId = newOrderId();
    const client = new Client(() => gateway.baseUrl, DEMO);
    await client.saleUntilFinal({ client_orderid: clientOrderId });
    client.close();
    expect(await gateway.process.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(gateway.process.stdout.trimEnd().split('\n').at(-1)).toMatch(/^Stopping/);

    const again = own.keep(await startProcess(['--data', data]));
    const took = await processorSeconds(again.process.pid);
    const later = new Client(() => again.baseUrl, DEMO);
    expect((await later.status({ client_orderid: clientOrderId })).body).toMatchObject({ status: 'approved' });
    later.close();
    await again.process.stop();
    // The promise is three seconds; a machine whose processors share their caches with others takes longer.
    expect(took).toBeLessThan(10);
  });
});

describe('a stop', () => {
  const clock = new AdjustableClock();
  let bankUrl: string;

  beforeAll(async () => {
    const bank = await startBank({ clock, books: 'memory', faults: { answerDelayMs: ANSWER_DELAY_MS } });
    own.also(bank.close);
    bankUrl = bank.url;
  });

  it('answers well whoever goes on asking on an open connection, then closes it', async () => {
    const gateway = own.keep(await startProcess(['--data', join(await own.folder(), 'data')]));
    const port = Number(new URL(gateway.origin).port);
    const idle = connect(port, '127.0.0.1').resume();
    const idleClosed = once(idle, 'close');
    const client = new Client(() => gateway.baseUrl, DEMO);
    const slow = await Promise.all(Array.from({ length: 12 }, () => slowMerchant(port, client)));
    const merchants = Array.from({ length: 12 }, () => asksUntilRefused(new Client(() => gateway.baseUrl, DEMO)));
    await until('everybody has been answered', () => merchants.every(({ replies }) => replies.length > 1));
    for (const { begin } of slow) begin();
    const ended = gateway.process.stop();
    await idleClosed;
    // A connection that nobody uses does not wait for one that is in use.
    expect(slow.filter(({ isClosed }) => isClosed())).toEqual([]);
    for (const replies of await Promise.all(slow.map(({ finish }) => finish()))) {
      expect(replies.match(/HTTP\/1.1 .*/g)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
      expect(replies.match(/^Connection: .*/gim)).toEqual(['Connection: keep-alive', 'Connection: close']);
    }
    const errors = await Promise.all(merchants.map(({ error }) => error));
    for (const [index, { replies }] of merchants.entries()) {
      expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
      const said = replies.map(({ headers }) => headers.connection);
      expect(said.slice(0, -1)).not.toContain('close');
      // Whoever is too slow to ask on is not waited for, and hears nothing more: a busy machine makes some so slow.
      expect(['ECONNREFUSED', ...(said.at(-1) === 'close' ? [] : ['ECONNRESET', 'EPIPE'])]).toContain(
        (errors[index] as NodeJS.ErrnoException).code,
      );
    }
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('can be not ready for a while before it takes no more requests', async () => {
    // On a busy machine the while may be over before the sale: then a longer one shows it.
    for (const drainMs of [3_000, 30_000, 200_000]) {
      const data = join(await own.folder(), 'data');
      const gateway = own.keep(await startProcess(['--data', data, '--drain-ms', String(drainMs)]));
      const client = new Client(() => gateway.baseUrl, DEMO);
      own.also(async () => client.close());
      const ended = gateway.process.stop();
      const isReady = async () => (await fetch(`${gateway.origin}/readyz`)).status;
      const sale = async () => {
        await until('it is not ready', async () => (await isReady()) === 503);
        return client.saleUntilFinal();
      };
      const outcome = await sale().catch((error) => (isRefusal(error) ? undefined : Promise.reject(error)));
      expect(await ended).toMatchObject({ code: 0, stderr: '' });
      if (!outcome) continue;
      expect(outcome).toMatchObject({ status: 'approved' });
      return;
    }
    expect.unreachable('it took no sale, however long it was not ready');
  });

  it('finishes the payment that is in flight', async () => {
    const where = ['--data', join(await own.folder(), 'data'), '--bank-url', bankUrl];
    const start = async () => own.keep(await startProcess([...where, ...PATIENT]));
    const gateway = await start();
    const client = new Client(() => gateway.baseUrl, DEMO);
    const clientOrderId = newOrderId();
    expect((await client.sale({ client_orderid: clientOrderId })).status).toBe(200);
    expect((await client.status({ client_orderid: clientOrderId })).body.status).toBe('processing');
    client.close();
    const ended = gateway.process.stop();
    await gateway.process.untilSaid('Stopping');
    clock.advance(ANSWER_DELAY_MS);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });

    const again = await start();
    const later = new Client(() => again.baseUrl, DEMO);
    expect((await later.status({ client_orderid: clientOrderId })).body.status).toBe('approved');

    // And a second signal does not wait.
    await later.sale();
    later.close();
    await until('the bank has the sale', async () => (await booksOf(bankUrl)).length === 2);
    again.process.signal('SIGINT');
    again.process.signal('SIGINT');
    await again.process.untilSaid('Stopping');
    await pause(600);
    expect(again.process.isRunning).toBe(true);
    again.process.signal('SIGINT');
    expect(await again.process.ended).toMatchObject({ code: 1 });
    const books = await tenderProcess(['bank', 'books', '--url', bankUrl]);
    expect(books.stdout.trimEnd().split('\n')).toHaveLength(3);
  });
});

describe('a start that cannot be', () => {
  const bad: [name: string, args: string[], env: Record<string, string>, line: RegExp, code?: number][] = [
    ['a port that is no number', [], { PORT: 'abc' }, /'abc' from env 'PORT' is invalid.*0 to 65535/],
    ['a flag that does not exist', ['--prot', '1'], {}, /unknown option '--prot'.*--port/],
    ['an unknown mode', ['--mode', 'test'], {}, /sandbox, production/],
    ['an address that is no address', [], { TENDER_BASE_URL: 'pay.example.com' }, /TENDER_BASE_URL.*https:/],
    [
      'another kind of database',
      [],
      { DATABASE_URL: 'mysql://me:hidden@host/db' },
      /DATABASE_URL must be .*postgresql:/,
    ],
    [
      'a database that does not answer',
      [],
      { DATABASE_URL: 'postgresql://127.0.0.1:1/x' },
      /cannot reach .*127.0.0.1:1: connection refused/,
      3,
    ],
    ['production without a key file', ['--mode', 'production'], {}, /needs a key file.*--key-file or TENDER_KEY_FILE/],
    [
      'production with a missing key file',
      [],
      { TENDER_MODE: 'production', TENDER_KEY_FILE: '/nowhere/key', TENDER_BASE_URL: 'https://pay.example' },
      /key file \/nowhere\/key does not exist/,
      1,
    ],
    [
      'a host that is not here',
      ['--host', '192.0.2.1'],
      {},
      /192.0.2.1 is not an address of this machine.*--host or HOST/,
      1,
    ],
  ];

  it.each(bad)('%s', async (_name, args, env, line, code = 2) => {
    const data = join(await own.folder(), 'data');
    const ended = await tenderProcess(['start', '--data', data, ...args], { env });
    expect(ended.code).toBe(code);
    expectLine(ended.stderr, line);
    expect(ended.stderr).not.toContain('hidden');
    expect(ended.stdout).toBe('');
  });

  it('a sealed database without its key file, with a wrong digit in it, or with a folder in its place', async () => {
    const data = await own.folder();
    await own.keep(await startProcess(['--data', data])).process.stop();
    const keyFile = join(data, 'key-encryption-keys');
    const start = () => tenderProcess(['start', '--port', '0', '--data', data]);

    await rename(keyFile, `${keyFile}.moved`);
    const without = await start();
    expect(without.code).toBe(1);
    expectLine(
      without.stderr,
      /key file .*key-encryption-keys does not exist.* sealed with .*kek-[0-9a-f]{12}.*--key-file/,
    );
    expect(await readdir(data)).not.toContain('key-encryption-keys');
    const mistyped = await tenderProcess(['start', '--port', '0', '--data', data, '--key-file', join(data, 'key')]);
    expectLine(mistyped.stderr, /key file .*key does not exist.* sealed with/);
    expect(await readdir(data)).not.toContain('key');
    const folder = await tenderProcess(['start', '--port', '0', '--data', data, '--key-file', data]);
    expectLine(folder.stderr, /key file .* cannot be read: it is a folder/);

    const text = await readFile(`${keyFile}.moved`, 'utf8');
    await writeFile(
      keyFile,
      text.replace(/.(?=\n$)/, (digit) => (digit === '0' ? '1' : '0')),
    );
    expectLine((await start()).stderr, /key file .*key-encryption-keys has another key kek-\S+ than this database/);
  });

  it('a data folder below a file', async () => {
    const file = join(await own.folder(), 'file');
    await writeFile(file, '');
    const ended = await tenderProcess(['start', '--data', join(file, 'data')]);
    expect(ended.code).toBe(1);
    expectLine(ended.stderr, /cannot use .*file\/data: a part of the path is not a folder/);
  });

  it('a database that is newer, that has passed the first id, or that holds the demo key in production', async () => {
    const data = await own.folder();
    const gateway = own.keep(await startProcess(['--data', data, '--first-id', '5000']));
    const client = new Client(() => gateway.baseUrl, DEMO);
    expect((await client.sale()).body['paynet-order-id']).toBe('5000');
    client.close();
    await gateway.process.stop();
    const back = await tenderProcess(['start', '--port', '0', '--data', data, '--first-id', '4000']);
    expect(back.code).toBe(1);
    expectLine(
      back.stderr,
      /^tender: ids cannot begin at 4000: 5001 is the next one, and they never go back; leave --first/,
    );
    // The same again is no fault.
    const again = own.keep(await startProcess(['--data', data], { env: { TENDER_FIRST_ID: '5000' } }));
    await again.process.stop();
    const keyFile = join(data, 'key-encryption-keys');
    const demo = await tenderProcess([
      'start',
      '--port',
      '0',
      '--data',
      data,
      '--mode',
      'production',
      '--key-file',
      keyFile,
      '--base-url',
      'https://pay.example/paynet',
    ]);
    expect(demo.code).toBe(1);
    expectLine(demo.stderr, /merchant demo has the demo key.*tender merchant disable demo/);

    await change(data, "insert into schema_migration (number, name, checksum) values (9999, '9999-later', 'x')");
    const newer = await tenderProcess(['start', '--port', '0', '--data', data]);
    expect(newer.code).toBe(1);
    expectLine(newer.stderr, /the database is newer than this program/);
  });
});

async function change(data: string, sql: string): Promise<void> {
  const database = await openDatabase({ dataFolder: join(data, 'database') });
  await database.script(sql);
  await database.close();
}

describe.skipIf(!existsSync('/dev/full'))('a command whose answer cannot be written', () => {
  it('fails and says so', async () => {
    const told = await bash(`"${process.execPath}" "${LAUNCHER}" networks cards 2>&1 >/dev/full; echo $?`);
    expect(told).toBe('tender: the answer could not be written: the disk is full\n1\n');
  });
});

describe('production', () => {
  it('needs its key file, has no demo data and explains no signature', async () => {
    const folder = await own.folder();
    const keyFile = join(folder, 'keys');
    const made = await tenderProcess(['vault', 'create-key-file', keyFile]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const twice = await tenderProcess(['vault', 'create-key-file', keyFile]);
    expectLine(twice.stderr, /exists already/);

    const settings = ['--data', join(folder, 'data'), '--mode', 'production', '--key-file', keyFile];
    const served = [...settings, '--base-url', 'https://pay.example/paynet'];
    const gateway = own.keep(await startProcess(served));
    await gateway.process.untilSaid('simulated bank');
    expect(gateway.process.stdout).not.toMatch(/demo|cvv2|curl/i);
    expect(await readdir(join(folder, 'data'))).not.toContain('demo-private-key.pem');

    const shop = JSON.parse((await tenderProcess(['merchant', 'add', 'shop', '--json', ...settings])).stdout);
    const endpoint = JSON.parse(
      (await tenderProcess(['endpoint', 'add', 'shop', '--currency', 'USD', '--json', ...settings])).stdout,
    );
    expect(endpoint).toMatchObject({ endpointId: 101, sandbox: false });
    const client = new Client(() => `${gateway.localOrigin}/paynet`, { login: 'shop', key: shop.key.controlKey });
    expect(await client.saleUntilFinal()).toMatchObject({ status: 'approved' });
    const refused = await client.sale({}, { key: 'wrong' });
    expect(refused.body).toMatchObject({ 'error-code': '20' });
    expect(refused.body).not.toHaveProperty('expected-string');
    client.close();
    const { code, stderr } = await gateway.process.stop();
    expect(code).toBe(0);
    // Standard error has its life in three lines; a sandbox says as much to people. Before them an old Node is told of.
    const lines = stderr.trimEnd().split('\n');
    const outdated = endOfLifeLine(process.versions.node);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      ...(outdated === undefined ? [] : [{ level: 'warn', message: outdated }]),
      {
        level: 'info',
        message: 'the gateway is ready',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        mode: 'production',
        address: gateway.localOrigin,
        database: 'embedded, in the data folder',
      },
      { level: 'info', message: 'the gateway is stopping' },
      { level: 'info', message: 'the gateway has stopped', milliseconds: expect.any(Number) },
    ]);

    // A key file that others may read is refused: what it protects would be open to them.
    await chmod(keyFile, 0o640);
    const open = await tenderProcess(['start', '--port', '0', ...served]);
    expect(open.code).toBe(1);
    expectLine(open.stderr, /others than its owner may read the key file .*keys; "chmod 600 .*keys" keeps them out$/);
  });
});

describe('the bank as a process of its own', () => {
  it('takes payments, shows its books and can be told to misbehave', async () => {
    const bank = own.keep(await startBankProcess(['--data', await own.folder()]));
    const gateway = own.keep(await startProcess(['--data', join(await own.folder(), 'data'), '--bank-url', bank.url]));
    const client = new Client(() => gateway.baseUrl, DEMO);
    await client.saleUntilFinal();
    client.close();
    const csv = (await tenderProcess(['bank', 'books', '--url', bank.url])).stdout.trimEnd().split('\n');
    expect(csv).toHaveLength(2);
    expect(csv[1]).toMatch(/^\d+-1-[0-9a-z]+,sale,approved,,10\.42,USD,411111\*1111,/);
    const set = await tenderProcess([
      'bank',
      'faults',
      '--url',
      bank.url,
      '--refuse-rate',
      '0.5',
      '--answer-delay-ms',
      '10-20',
    ]);
    expect(JSON.parse(set.stdout)).toMatchObject({ refuseRate: 0.5, answerDelayMs: { from: 10, to: 20 } });
    await gateway.process.stop();
    const other = new TenderProcess(['bank', '--port', new URL(bank.url).port, '--data', await own.folder()]);
    expectLine((await other.ended).stderr, /port \d+ is in use/);
    expect(await bank.process.stop()).toMatchObject({ code: 0, stderr: '' });
    await until(
      'the bank is gone',
      async () =>
        !(await fetch(bank.url).then(
          () => true,
          () => false,
        )),
    );
    expectLine((await tenderProcess(['bank', 'books', '--url', bank.url])).stderr, /--url/);
  });
});
