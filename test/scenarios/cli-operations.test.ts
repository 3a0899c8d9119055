// What operators do day by day, by command and on real processes: recurring payments, limits, block lists, card
// references and the bank's day, on a gateway that runs and, where it can be, on one that does not.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, DEMO, type Fields, kindsOfThisFile, type ReplyBody, sha1, until } from '../harness.ts';
import { rebill, recurringPayment, storeCard } from './stored-cards.ts';
import {
  Belongings,
  type Ended,
  type RunningProcess,
  startBankProcess,
  startProcess,
  tender,
} from './tender-process.ts';

const FORM = 'application/x-www-form-urlencoded';
const OTHER_CARD = '5555555555554444';
const LINE = (text: string) => new RegExp(`^tender: ${text}[^\\n]*\\n$`);

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`an operator's commands, on ${kind.name}`, () => {
    const own = new Belongings();
    let where: string[];
    let gateway: RunningProcess;
    let shop: Client;

    const run = (...args: string[]): Promise<Ended> => tender([...args, ...where]);
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    const start = async () => {
      gateway = own.keep(await startProcess(where));
    };
    const sold = async (fields: Fields = {}) => {
      const { status, 'error-code': code } = await shop.saleUntilFinal(fields);
      return code === undefined ? status : `${status} ${code}`;
    };

    beforeAll(async () => {
      const server = kind.kind === 'postgres' ? await kind.open() : undefined;
      if (server) own.also(() => server.drop());
      const data = join(await own.folder(), 'data');
      where = ['--data', data, ...(server?.place.url === undefined ? [] : ['--database-url', server.place.url])];
      await start();
      shop = new Client(() => gateway.baseUrl, DEMO);
      shop.privateKey = await readFile(join(data, 'demo-private-key.pem'), 'utf8');
      own.also(async () => shop.close());
    });
    afterAll(() => own.drop());

    it('a request signed by the command is taken, by every scheme, and a wrong one is told why', async () => {
      const data = where[1] as string;
      const payment = ['amount=10.42', 'currency=USD', 'email=ann%40example.com', 'order_desc=Two+tickets'];
      const card = ['credit_card_number=4444555566661111', 'cvv2=123', 'expire_month=12', 'expire_year=2031'];
      const given = [
        '--demo',
        '--data',
        data,
        '--base-url',
        gateway.baseUrl.replace('127.0.0.1', 'localhost'),
        '--json',
      ];
      for (const operation of ['sale', 'payout', 'v4/payout']) {
        const fields = [`client_orderid=signed-${operation.replace('/', '-')}`, ...payment, ...card];
        const signing = [operation, '--strict', ...fields.flatMap((one) => ['-d', one])];
        const signed = await tender(['sign', ...given, ...signing]);
        expect({ code: signed.code, stderr: signed.stderr }).toEqual({ code: 0, stderr: '' });
        expect(signed.stdout).not.toMatch(/9F1C7E52|PRIVATE KEY/);
        const { url, headers, body } = JSON.parse(signed.stdout);
        const sent = { method: 'POST', headers: { ...headers, 'Content-Type': FORM }, body };
        const reply = (await (await fetch(url, sent)).json()) as ReplyBody;
        // A payout needs a balance: what is refused for that was signed rightly.
        expect(['async-response 0', 'validation-error 45']).toContain(`${reply.type} ${reply['error-code'] ?? 0}`);
        const told = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
        const check = (wrong: string) => tender(['check-signature', operation, ...given, ...told, '-d', body + wrong]);
        expect((await check('')).code).toBe(0);
        expect((await check('&note=x')).code).toBe(1);
      }
      const unread = await tender(['check-signature', 'sail', '--demo']);
      expect([unread.code, unread.stderr]).toEqual([2, expect.stringMatching(LINE('there is no operation "sail"'))]);
      const warned = await tender(['sign', 'status', '--key', 'secret-key', '--login', 'x', '--endpoint', '1']);
      expect(warned.stderr).toMatch(/other users of this machine can read/);
      expect(warned.stdout + warned.stderr).not.toContain('secret-key');
    });

    it('a table of issuers is imported whole or not at all, and used without a restart', async () => {
      const folder = await own.folder();
      const file = async (name: string, ...lines: string[]) => {
        await writeFile(join(folder, name), lines.join('\n'));
        return join(folder, name);
      };
      const bank = async (clientOrderId: string) =>
        (await shop.status({ client_orderid: clientOrderId })).body['bank-name'];
      const { 'merchant-order-id': sale, 'bank-name': shipped } = await shop.saleUntilFinal();
      expect(shipped).toBe('TEST BANK ONE');
      const many = Array.from({ length: 5_000 }, (_, index) => `${50_000_000 + index},"Bank, No. ${index % 100}",DE`);
      const good = await file('good.csv', 'bin,bank,country', '41111111,First Bank,US', ...many);
      expect((await run('bins', 'import', good)).stdout).toBe('5001 rows in use.\n');
      await until('the new table answers', async () => (await bank(sale)) === 'First Bank');
      const bad = await file('bad.csv', 'bin,bank', '41111111,Other Bank', '4,Bank', '41111111,Bank');
      const refused = await run('bins', 'import', bad);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/line 3: bin must have 4 to 8 digits; line 4: bin 41111111 is in line 2 already/);
      expect(await bank(sale)).toBe('First Bank');
      expect(await run('bins', 'import', join(folder, 'none.csv'))).toMatchObject({ code: 1, stdout: '' });
      expect(await ask('bins', 'import', await file('two.csv', 'bank,bin', 'Second Bank,411111'))).toMatchObject({
        rows: 1,
      });
      await until('the newest table answers', async () => (await bank(sale)) === 'Second Bank');
    });

    it('a recurring payment is found, paused, resumed and stopped', async () => {
      const id = await recurringPayment(shop, { amount: '12.34' });
      expect(await ask('recurring', 'list', '--merchant', 'demo', '--state', 'active')).toMatchObject([
        { recurringPaymentId: Number(id), login: 'demo', amounts: ['12.34'], every: null },
      ]);
      expect((await run('recurring', 'pause', id)).stdout).toBe(`Recurring payment ${id} is paused.\n`);
      expect(await ask('recurring', 'list', '--state', 'active')).toEqual([]);
      expect((await run('recurring', 'pause', id)).stderr).toMatch(LINE(`recurring payment ${id}: .*it is paused`));
      expect(await ask('recurring', 'resume', id)).toMatchObject({ state: 'active' });
      await ask('recurring', 'stop', id);
      const shown = await run('recurring', 'show', id);
      expect(shown.stdout).toMatch(/^State +stopped\nAmount +12\.34 USD$/m);
      expect((await run('recurring', 'show', '999999')).stderr).toMatch(LINE('there is no recurring payment 999999;'));
    });

    it('a sale is filtered after its issuer was blocked, and not any more once it is off the list', async () => {
      expect(await sold({ credit_card_number: OTHER_CARD })).toBe('approved');
      const added = await run('block', 'add', '--merchant', 'demo', '--bin', '555555', '--note', 'a test');
      expect(added).toEqual({ code: 0, stdout: 'Blocked bin 555555 at merchant demo.\n', stderr: '' });
      expect(await sold({ credit_card_number: OTHER_CARD })).toBe('filtered 71');
      expect((await run('block', 'list', '--merchant', 'demo')).stdout).toMatch(/^bin +555555 +- +a test/m);
      await ask('block', 'remove', '--merchant', 'demo', '--bin', '555555');
      expect(await sold({ credit_card_number: OTHER_CARD })).toBe('approved');
    });

    it('a card is blocked by an order, everywhere, and taken off by the name the list gives it', async () => {
      const order = await shop.saleUntilFinal({ credit_card_number: OTHER_CARD });
      const orderId = order['paynet-order-id'];
      const block = ['--merchant', 'demo', '--everywhere', '--card-of-order', orderId];
      const { value, login } = await ask('block', 'add', ...block);
      expect({ value, login }).toEqual({ value: expect.stringMatching(/^[0-9a-f]{16}$/), login: null });
      expect(await sold({ credit_card_number: OTHER_CARD })).toBe('filtered 70');
      await ask('block', 'remove', '--everywhere', '--card', value);
      expect(await ask('block', 'list', '--everywhere')).toEqual([]);
    });

    it('limits and the duplicate guard hold at once', async () => {
      const email = 'often@example.com';
      const set = await run('limit', 'set', '101', '--per', 'email', '--window', '24h', '--count', '1');
      expect(set.stdout).toMatch(/^101 +demo +email +1d +1 +-$/m);
      expect(await sold({ email })).toBe('approved');
      expect(await sold({ email })).toBe('filtered 76');
      await ask('limit', 'remove', '101', '--per', 'email', '--window', '24h');
      expect(await ask('limit', 'duplicates', '101', '10m')).toMatchObject({ limits: [], duplicateWindow: '10m' });
      expect(await sold({ amount: '777' })).toBe('approved');
      expect(await sold({ amount: '777' })).toMatch(/^filtered/);
      await ask('limit', 'duplicates', '101', 'none');
      expect(await ask('limit', 'list', '--merchant', 'demo')).toEqual([]);
    });

    it('a deleted card reference answers as one that never was', async () => {
      const reference = await storeCard(shop);
      const listed = async (...more: string[]) =>
        (await ask('card', 'list', 'demo', ...more)).map((one: { cardReference: number }) => one.cardReference);
      const [newest] = await ask('card', 'list', 'demo');
      expect(newest).toMatchObject({ cardReference: Number(reference), card: '411111...1111', expires: '12/2031' });
      expect(await listed('--before', reference)).not.toContain(Number(reference));
      expect((await run('card', 'list', 'demo')).stdout).toMatch(
        new RegExp(`^${reference} +411111\\.\\.\\.1111 +VISA`, 'm'),
      );
      expect((await rebill(shop, reference)).status).toBe(200);
      const deleted = await run('card', 'delete', 'demo', reference);
      expect(deleted.stdout).toMatch(/^Deleted card reference \d+ of merchant demo, card 411111\.\.\.1111\.\n$/);
      expect(await listed()).not.toContain(Number(reference));
      const never = await rebill(shop, '999999');
      const gone = await rebill(shop, reference);
      expect([gone.status, gone.body['error-code']]).toEqual([never.status, never.body['error-code']]);
      expect(gone.body['error-code']).toBe('50');
      expect((await run('card', 'delete', 'demo', reference)).stderr).toMatch(LINE('merchant "demo" has no card'));
    });

    it("after the bank's day a void is declined and a return still works", async () => {
      const sale = await shop.saleUntilFinal();
      const { date, lines } = await ask('bank', 'clear');
      expect(lines).toBeGreaterThan(0);
      expect(await followUp(shop, 'void', sale)).toMatchObject({ status: 'declined' });
      expect(await followUp(shop, 'return', sale)).toMatchObject({ status: 'approved' });
      const file = (await run('bank', 'settlement', date)).stdout.split('\n');
      expect(file[0]).toBe('reference,kind,original,amount,currency,cleared_at');
      expect(file.some((line) => /,sale,,1042,USD,/.test(line))).toBe(true);
    });

    it('wrong input is one clear line', async () => {
      const line = async (...args: string[]) => (await run(...args)).stderr;
      expect(await line('block', 'add', '--bin', '411111')).toMatch(LINE('whose list is missing'));
      expect(await line('block', 'add', '--everywhere')).toMatch(LINE('one of --bin'));
      expect(await line('block', 'add', '--everywhere', '--card-of-order', '1')).toMatch(LINE('--merchant <login> is'));
      expect(await line('limit', 'set', '101', '--per', 'card', '--window', '1h')).toMatch(LINE('count or amount is'));
      expect(await line('bank', 'settlement', '2027-02-31')).toMatch(LINE('.*A day is written'));
    });

    it('on a gateway that does not run all but the bank is at hand', async () => {
      const id = await recurringPayment(shop, { amount: '5.00' });
      const reference = await storeCard(shop);
      expect(await gateway.process.stop()).toMatchObject({ code: 0, stderr: '' });
      expect(await ask('recurring', 'stop', id)).toMatchObject({ state: 'stopped' });
      expect(await ask('card', 'delete', 'demo', reference)).toMatchObject({ cardReference: Number(reference) });
      await ask('limit', 'set', '101', '--per', 'card', '--window', '7d', '--amount', '5000.00');
      await ask('block', 'add', '--everywhere', '--email', '@blocked.example');
      expect((await run('bank', 'clear')).stderr).toMatch(
        LINE('no gateway runs in the folder .*; start it, or name a bank'),
      );
      await start();
      expect(await sold({ email: 'ann@blocked.example' })).toBe('filtered 72');
      expect(await ask('limit', 'list', '101')).toMatchObject([{ limits: [{ kind: 'card', amount: '5000.00' }] }]);
    });
  });
}

describe('a bank of its own', () => {
  const own = new Belongings();
  afterAll(() => own.drop());

  it('is cleared at its address, or by way of the gateway that pays with it', async () => {
    const folder = await own.folder();
    const bank = own.keep(await startBankProcess(['--data', join(folder, 'bank')]));
    const data = join(folder, 'gateway');
    const options = ['--data', data, '--bank-url', bank.url, '--network-limits', 'off'];
    const gateway = own.keep(await startProcess(options));
    const shop = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => shop.close());
    await shop.saleUntilFinal();
    const cleared = await tender(['bank', 'clear', '--data', data]);
    expect(cleared).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Cleared 1 payment for \d{4}-/) });
    const again = await tender(['bank', 'clear', '--url', bank.url, '--json']);
    const { date, lines } = JSON.parse(again.stdout);
    expect(lines).toBe(0);
    const [direct, indirect] = await Promise.all([
      tender(['bank', 'settlement', date, '--url', bank.url]),
      tender(['bank', 'settlement', date, '--data', data]),
    ]);
    expect(direct.stdout).toBe(indirect.stdout);
    expect(direct.stdout.trim().split('\n')).toHaveLength(2);
    const books = await tender(['bank', 'books', '--data', data, '--json']);
    expect(JSON.parse(books.stdout)).toMatchObject({ kind: 'sale', arrivedAt: expect.stringMatching(/T.*Z$/) });
    const nobody = await tender(['bank', 'books', '--url', 'http://127.0.0.1:1']);
    expect(nobody).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(LINE('there is no bank at')) });
    await bank.process.stop();
    const gone = await tender(['reconcile', '--data', data]);
    const line = LINE(`the gateway cannot reach the bank at ${bank.url}`);
    expect(gone).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(line) });
  });
});

/** A void or a return of a sale, and its end. */
async function followUp(client: Client, kind: 'void' | 'return', sale: ReplyBody): Promise<ReplyBody> {
  const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = sale;
  const control = sha1(`${client.login}${client_orderid}${orderid}${client.key}`);
  const fields = { login: client.login, client_orderid, orderid, control };
  const accepted = await client.post(`/api/v2/${kind}/101`, fields);
  if (accepted.status !== 200) throw new Error(`${kind} answered ${accepted.status} ${accepted.text}`);
  return client.untilFinal(client_orderid);
}
