// Watching a sandbox from its terminal and by command: a line for each request, logs that follow, callbacks forwarded
// to a shop that the gateway does not reach, and stories.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenderClient } from '../../src/client/index.ts';
import { LISTENS_MS } from '../../src/domain/order/handed-callbacks.ts';
import { CARD, Client, DEMO, until } from '../harness.ts';
import { TestShop } from '../test-shop.ts';
import { Belongings, expectLine, type RunningProcess, startProcess, TenderProcess, tender } from './tender-process.ts';

/** Nobody listens there: whatever comes to the shop came by the command. */
const NOWHERE = 'http://127.0.0.1:9/paid';

describe('a sandbox that is watched', () => {
  const own = new Belongings();
  let data: string;
  let gateway: RunningProcess;
  let client: Client;
  let shop: TestShop;

  const where = () => ['--data', data];
  const start = async (...flags: string[]) => {
    gateway = own.keep(await startProcess([...where(), ...flags]));
  };
  const follow = async (args: readonly string[]) => {
    const process = new TenderProcess([...args, ...where()]);
    own.also(() => process.stop('SIGKILL'));
    return process;
  };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await tender([...args, ...where()]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  beforeAll(async () => {
    data = join(await own.folder(), 'data');
    await start('--lines');
    client = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => client.close());
    shop = await TestShop.open({ key: DEMO.key });
    own.also(() => shop.close());
  });
  afterAll(() => own.drop());

  it('prints a line for each request, answer of its bank and callback, and nothing of cards', async () => {
    const sale = await client.saleUntilFinal({ server_callback_url: shop.url() });
    const orderId = sale['paynet-order-id'];
    await until('the callback is shown', () => gateway.process.stdout.includes('<- callback'));
    const { stdout } = gateway.process;
    const time = '\\d\\d:\\d\\d:\\d\\d\\.\\d{3}';
    expect(stdout).toMatch(new RegExp(`^${time}  -> SALE +order ${orderId} +processing  \\d+ ms$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^${time}     bank sale +order ${orderId} +approved  \\d+ ms$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^${time}  <- callback +order ${orderId} +200 from \\S+  \\d+ ms$`, 'm'));
    const wrong = await client.sale({}, { key: 'wrong' });
    expect(wrong.status).toBe(400);
    await until('the refusal is shown', () => /-> SALE .* 400 .*20 /.test(gateway.process.stdout));
    // The banner before them has the card of a first payment.
    const lines = gateway.process.stdout.split('Ctrl-C stops it')[1];
    expect(lines).not.toContain(CARD);
    expect(lines).not.toContain('\u001b');
    expect(gateway.process.stderr).toBe('');
  });

  it('shows what should have been signed of a request that was signed wrongly', async () => {
    const { body } = await client.sale({ client_orderid: 'signed-wrongly' }, { key: 'wrong' });
    let shown = '';
    await until('it is in the journal', async () => {
      const { code, stdout } = await tender(['request', 'show', body['serial-number'], ...where()]);
      shown = stdout;
      return code === 0;
    });
    expect(shown).toMatch(/expected-string +101signed-wrongly1042ann@example\.com<MERCHANT_CONTROL_KEY>\n/);
  });

  it('forwards callbacks to a shop behind a wall, whose answers count, until the command ends', async () => {
    const listening = await follow(['listen', '--forward-to', shop.url('/forwarded'), '--endpoint', '101']);
    await listening.untilSaid('Callbacks are forwarded to');
    const before = shop.told.length;
    shop.next.push(503);
    const sale = await client.saleUntilFinal({ server_callback_url: NOWHERE });
    const orderId = sale['paynet-order-id'];
    const told = () => shop.of({ 'paynet-order-id': String(orderId) });
    await until('the shop was told', () => told().length === 1);
    // What is not taken is told again, by the schedule.
    const id = `${orderId}-1-server`;
    const show = async () => JSON.parse(await run('callback', 'show', id, '--json'));
    await until('the answer is written down', async () => (await show()).log.length === 1);
    expect(await show()).toMatchObject({
      state: 'waiting',
      log: [{ status: 503, address: 'tender listen', answer: null }],
    });
    await run('callback', 'replay', id);
    await until('it is taken', async () => (await show()).state === 'delivered');
    expect(told()).toMatchObject([{ path: '/forwarded' }, { path: '/forwarded' }]);
    expect(shop.complaints).toEqual([]);
    await until('both are shown', () => listening.stdout.includes('-> 200 OK'));
    expect(listening.stdout).toMatch(
      new RegExp(`${id}  sale approved  order ${orderId} \\(\\S+\\)  -> 503 no  \\d+ ms`),
    );
    // Other endpoints are told as before, and so is everything when the command has ended.
    const other = await client.saleUntilFinal(
      { server_callback_url: shop.url('/other'), currency: 'JPY', amount: '1042' },
      { endpoint: 104 },
    );
    await until('it is told directly', () => shop.told.some(({ path }) => path === '/other'));
    expect(other.status).toBe('approved');
    // What the shop was told before the command is stopped counts by its answer, however long it takes.
    shop.next.push({ afterMs: LISTENS_MS + 500, status: 200 });
    const last = await client.saleUntilFinal({ server_callback_url: NOWHERE });
    const lastId = String(last['paynet-order-id']);
    await until('the shop was told', () => shop.of({ 'paynet-order-id': lastId }).length === 1);
    expect((await listening.stop('SIGINT')).code).toBe(0);
    const lastLog = async () => JSON.parse(await run('callback', 'show', `${lastId}-1-server`, '--json')).log;
    await until('the answer is written down', async () => (await lastLog()).length === 1);
    expect(await lastLog()).toMatchObject([{ status: 200, address: 'tender listen' }]);
    const after = await client.saleUntilFinal({ server_callback_url: shop.url('/direct') });
    await until('it is told directly', () => shop.told.some(({ path }) => path === '/direct'));
    expect(after.status).toBe('approved');
    expect(shop.told.slice(before).map(({ path }) => path)).toEqual([
      '/forwarded',
      '/forwarded',
      '/other',
      '/forwarded',
      '/direct',
    ]);
  });

  it('has its columns in the logs, and is found by who signs for its demo merchant', async () => {
    const { 'paynet-order-id': orderId } = await client.saleUntilFinal({ server_callback_url: NOWHERE });
    let lines = '';
    await until('the shop was called, and all is written down', async () => {
      lines = await run('logs', '--order', String(orderId));
      return lines.includes('<- ') && / 200 approved /.test(lines);
    });
    expect(lines).toMatch(
      new RegExp(`^[\\d:.]{12}  -> SALE {21}order ${orderId} +200 processing  \\d+ ms  demo  `, 'm'),
    );
    expect(lines).toMatch(
      new RegExp(`^[\\d:.]{12}     bank sale {16}order ${orderId} +approved  10\\.42 USD  demo$`, 'm'),
    );
    expect(lines).toMatch(
      new RegExp(`^[\\d:.]{12}  -> STATUS {19}order ${orderId} +200 approved  \\d+ ms  demo  `, 'm'),
    );
    const declined = await client.saleUntilFinal({ cvv2: '116' });
    await until('its decline is shown', async () =>
      / {3}bank sale .* declined {2}10\.42 USD/.test(await run('logs', '--order', declined['paynet-order-id'] ?? '')),
    );
    expect(lines).toMatch(
      /^[\d:.]{12} {2}<- callback {15} {2}order \d+ +\S.* from 127\.0\.0\.1:9, try 1, again in \d+ s {2}demo/m,
    );
    const signed = await run('sign', 'status', '--demo', '-d', 'client_orderid=x', '-d', 'orderid=1');
    expect(signed).toContain(`STATUS at ${gateway.baseUrl}/api/v2/status/101, signed by a control`);
    expect(await readFile(join(data, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('plays stories, and tells their steps', async () => {
    expect(await run('trigger', '--list')).toMatch(/^STORY +MOVES THE CLOCK +WHAT HAPPENS\n3ds-challenge +no +/);
    expect(await run('trigger', 'unknown-then-approved')).toMatch(
      /^order \d+: a sale was sent.*\norder \d+: its status is unknown.*\norder \d+: the bank was asked.*: approved\nPlayed: /,
    );
    expect(await run('trigger', 'decline-then-approve')).toMatch(
      /order (\d+): it was declined\n.*\norder \d+: it was approved\n/,
    );
    expect(await run('trigger', 'payout-declined')).toMatch(/order \d+: it was declined, and its money/);
    const returned = await run('trigger', 'payout-returned');
    expect(returned).toMatch(/order \d+: the bank returned it: its status is reversal approved now, and its money/);
    const [, orderId = ''] = /order (\d+): the bank returned/.exec(returned) ?? [];
    const again = await tender(['payout', 'return', orderId, ...where()]);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('only an approved payout can be returned'),
    });
    expect(await run('trigger', '3ds-challenge')).toMatch(/its status has a page in html/);
    const taken = shop.told.length;
    expect(
      await run('trigger', 'late-callback', '--callback-url', shop.url('/late'), '--client-orderid', 'inv-7'),
    ).toMatch(/the shop was not told\n/);
    expect(shop.told).toHaveLength(taken);
    // The clock brings its second call, the year of a subscription, and the end of the payer who never answered.
    expect(await run('clock', 'advance', '1', 'm')).toMatch(/1 callback taken/);
    expect(shop.told.slice(taken)).toMatchObject([{ path: '/late', fields: { client_orderid: 'inv-7' } }]);
    const unasked = await tender(['trigger', 'recurring-year', ...where()]);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('365 days forward, and it never goes') });
    expect(await run('clock', 'show')).toMatch(/^Ahead of the true time +0 days, /m);
    const year = await run('trigger', 'recurring-year', '--yes');
    expect(year).toMatch(
      /a year has passed in this sandbox: 12 charges, 12 approved, 1 declined, 13 callbacks taken\n/,
    );
    expect(await run('clock', 'show')).toMatch(/^Ahead of the true time +365 days, .*\n.*new data folder/m);
    const stuck = await run('trigger', 'stuck-for-good', '--yes', '--client-orderid', 'inv-8');
    expect(stuck).toMatch(
      /its status is unknown; the bank is asked .*\norder \d+: two days later it is still unknown: /,
    );
    expect(await run('stuck', 'list')).toMatch(/ inv-8 /);
    const [, stuckId = ''] = /^order (\d+): two days/m.exec(stuck) ?? [];
    // The bank has it, so this is what a person learns there.
    expect(await run('stuck', 'settle', stuckId, '1', '--as', 'approved', '--note', 'by telephone')).toMatch(
      /approved/,
    );
    expect(await run('stuck', 'list')).not.toMatch(/inv-8/);
    expect((await tender(['reconcile', ...where()])).code).toBe(0);
  });

  it('says that its clock was moved, and the way back, to who goes by the true time', async () => {
    const page = await (await fetch(new URL('/', gateway.baseUrl))).text();
    expect(page).toContain('the clock of this sandbox is 367 days ahead of the true time');
    const merchant = new TenderClient({
      baseUrl: gateway.baseUrl,
      ...{ endpoint: 101, login: DEMO.login, controlKey: DEMO.key },
      privateKey: await readFile(join(data, 'demo-private-key.pem'), 'utf8'),
    });
    const refused = merchant.statusV4({ client_orderid: 'inv-7' });
    await expect(refused).rejects.toMatchObject({
      code: '27',
      message: expect.stringContaining('the clock of this sandbox is 367 days ahead of the true time'),
      remedy: expect.stringContaining('new data folder'),
    });
  });

  it('is followed through its restart', async () => {
    const following = await follow(['logs', '--follow', '--operation', 'sale', '--json']);
    const lines = () =>
      following.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const seen = (sale: Record<string, string>) =>
      until('it is followed', () => lines().some(({ orderId }) => orderId === Number(sale['paynet-order-id'])));
    await seen(await client.saleUntilFinal());
    await gateway.process.stop();
    await until('it is missed', () => following.stderr.includes('the gateway does not answer; waiting for it'));
    await start('--quiet');
    await seen(await client.saleUntilFinal());
    expect(following.stderr).toMatch(/answers again\n$/);
    expect(lines().every(({ kind, operation }) => /request|stranger/.test(kind) && operation === 'SALE')).toBe(true);
    const keys = lines().map(({ serialNumber }) => serialNumber);
    expect(new Set(keys).size).toBe(keys.length);
    expect((await following.stop('SIGINT')).code).toBe(0);
    expect(gateway.process.stdout).not.toContain('-> SALE');
  });

  it.each([
    [['listen', '--forward-to', 'http://127.0.0.1:1/?a=b'], /without a query/, 2],
    [['listen', '--forward-to', 'http://127.0.0.1:1/', '--endpoint', '999'], /there is no endpoint 999/, 1],
    [
      ['--at', 'http://127.0.0.1:9', 'listen', '--forward-to', 'http://127.0.0.1:1'],
      /--merchant.*path in --forward-to/,
      2,
    ],
    [['trigger'], /name a story, or give --list/, 1],
    [['trigger', 'nothing'], /story: .*late-callback/, 1],
    [['clock', 'advance', 'soon'], /by: a span such as 90s/, 1],
  ])('what cannot be done is said in one line: %j', async (args, said, exit) => {
    const { code, stdout, stderr } = await tender([...args, ...where()]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expectLine(stderr, said);
  });
});
