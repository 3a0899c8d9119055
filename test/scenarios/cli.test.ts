// Configuration by command, on a gateway that runs and on one that does not, with either database: what is changed is
// used at once, and what is secret is told once.

import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/compose/index.ts';
import { cardPlace } from '../../src/vault/places.ts';
import { CARD, Client, DEMO, kindsOfThisFile, until } from '../harness.ts';
import { testKeyObjects } from '../test-keys.ts';
import { Belongings, type Ended, type RunningProcess, startProcess, tender } from './tender-process.ts';

const KEY_SHAPE = /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/;

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`commands, on ${kind.name}`, () => {
    const own = new Belongings();
    const told: string[] = [];
    let data: string;
    let where: string[];
    let gateway: RunningProcess;
    let shop: Client;

    const run = async (...args: string[]): Promise<Ended> => {
      const ended = await tender([...args, ...where]);
      told.push(ended.stdout, ended.stderr);
      return ended;
    };
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    const clientWith = (key: string) => {
      const client = new Client(() => gateway.baseUrl, { login: 'shop', key });
      own.also(async () => client.close());
      return client;
    };
    const start = async () => {
      gateway = own.keep(await startProcess([...where, '--key-grace-ms', '1500']));
    };

    beforeAll(async () => {
      data = join(await own.folder(), 'data');
      const server = kind.kind === 'postgres' ? await kind.open() : undefined;
      if (server) own.also(() => server.drop());
      where = ['--data', data, ...(server?.place.url === undefined ? [] : ['--database-url', server.place.url])];
      await start();
    });
    afterAll(() => own.drop());

    it('a new merchant can pay at once', async () => {
      const added = await run('merchant', 'add', 'shop', '--name', 'Coffee shop');
      expect(added).toMatchObject({ code: 0, stderr: '' });
      const [, key = ''] = /^Control key \S+: (\S+)$/m.exec(added.stdout) ?? [];
      expect(key).toMatch(KEY_SHAPE);
      shop = clientWith(key);
      expect(await ask('endpoint', 'add', 'shop', '--currency', 'USD', '--id', '501')).toMatchObject({
        endpointId: 501,
      });
      expect(await shop.saleUntilFinal({}, { endpoint: 501 })).toMatchObject({ status: 'approved' });
    });

    it('limits, required fields and the state of an endpoint hold at once', async () => {
      const set = await ask('endpoint', 'set', '501', '--minimum', '10.00', '--maximum', '20.50', '--require', 'city');
      expect(set).toMatchObject({ minimum: '10.00', maximum: '20.50', requiredFields: ['city'], currency: 'USD' });
      const code = async (fields: Record<string, string | undefined>) =>
        (await shop.sale(fields, { endpoint: 501 })).body['error-code'];
      expect(await code({ amount: '999' })).toBe('12');
      expect(await code({ amount: '2051' })).toBe('13');
      expect(await code({ city: undefined })).toBe('1');
      await ask('endpoint', 'set', '501', '--minimum', 'none', '--maximum', 'none', '--require', '', '--disable');
      expect(await code({ amount: '1', city: undefined })).toBe('14');
      await ask('endpoint', 'set', '501', '--enable');
      expect(await code({ amount: '1', city: undefined })).toBeUndefined();
    });

    it('the gate of an endpoint, and what becomes of payers nobody knows', async () => {
      const set = await ask('endpoint', 'set', '501', '--3ds', 'optional', '--3ds-unavailable', 'refuse');
      expect(set).toMatchObject({ threeDSecure: 'optional', unauthenticated: 'refuse' });
      const { body } = await shop.sale({}, { endpoint: 501 });
      const status = await shop.status({ client_orderid: body['merchant-order-id'] }, { endpoint: 501 });
      expect(status.body['order-stage']).toBe('sale_3d_validating');
      await ask('endpoint', 'set', '501', '--3ds', 'none', '--3ds-unavailable', 'by-gate');
    });

    it('how the networks know an endpoint', async () => {
      const { acquiring } = await ask('endpoint', 'show', '501');
      expect(acquiring).toEqual({ bin: '400000', merchantId: '501', category: '5999', country: 'US' });
      const agreed = ['--acquirer-bin', '451234', '--acquirer-merchant-id', 'ACME-7', '--category', '5814'];
      await ask('endpoint', 'set', '501', ...agreed, '--country', 'de');
      const set = await ask('endpoint', 'set', '501', '--category', '5812');
      expect(set.acquiring).toEqual({ bin: '451234', merchantId: 'ACME-7', category: '5812', country: 'DE' });
      expect((await run('endpoint', 'show', '501')).stdout).toMatch(/^Acquirer +451234, its merchant ACME-7$/m);
    });

    it('a group is taken where an endpoint is', async () => {
      expect(await ask('endpoint', 'add', 'shop', '--currency', 'JPY')).toMatchObject({ endpointId: 502 });
      expect(await ask('group', 'add', 'shop', '--endpoints', '501,502')).toMatchObject({ groupId: 503 });
      const paid = await shop.saleUntilFinal({ amount: '500', currency: 'JPY' }, { endpoint: 503 });
      expect(paid).toMatchObject({ status: 'approved', currency: 'JPY' });
    });

    it('control keys change without an outage', async () => {
      const { keyId: older } = (await ask('key', 'list', 'shop'))[0];
      const { controlKey, keyId } = await ask('key', 'add', 'shop');
      const next = clientWith(controlKey);
      for (const client of [shop, next]) expect((await client.sale({}, { endpoint: 501 })).status).toBe(200);
      const retired = await run('key', 'retire', 'shop', older);
      expect(retired.stdout).toMatch(/has ended.*keeps 1 valid control key\./);
      expect((await shop.sale({}, { endpoint: 501 })).body).toMatchObject({ 'error-code': '20' });
      expect((await next.sale({}, { endpoint: 501 })).status).toBe(200);
      expect((await run('key', 'list', 'shop')).stdout).toMatch(new RegExp(`${older} .*ended[^]*${keyId} .*valid`));
      shop = next;
    });

    it('a merchant is disabled and enabled', async () => {
      expect((await run('merchant', 'disable', 'shop')).stdout).toBe('Merchant shop is disabled.\n');
      expect((await shop.sale({}, { endpoint: 501 })).body).toMatchObject({ 'error-code': '21' });
      await run('merchant', 'enable', 'shop');
      await ask('merchant', 'set', 'shop', '--allow-operation', 'STATUS', '--allow-address', '127.0.0.1,::1');
      expect((await shop.sale({}, { endpoint: 501 })).body).toMatchObject({ 'error-code': '23' });
      await ask('merchant', 'set', 'shop', '--allow-operation', '');
      expect((await shop.sale({}, { endpoint: 501 })).status).toBe(200);
    });

    it('keys come from files and standard input too, and weak ones are refused', async () => {
      const folder = await own.folder();
      const strong = testKeyObjects('merchants');
      const rsa = async (name: string, type: 'spki' | 'pkcs1', { publicKey, privateKey } = strong) => {
        await writeFile(join(folder, name), publicKey.export({ type, format: 'pem' }));
        await writeFile(join(folder, `${name}.private`), privateKey.export({ type: 'pkcs8', format: 'pem' }));
        return join(folder, name);
      };
      const good = await rsa('spki.pem', 'spki');
      expect(await ask('key', 'add', 'shop', '--rsa', good)).toMatchObject({
        kind: 'rsa',
        state: 'valid',
        controlKey: null,
      });
      expect(
        await ask('key', 'add', 'shop', '--rsa', await rsa('pkcs1.pem', 'pkcs1', testKeyObjects('stranger'))),
      ).toMatchObject({
        kind: 'rsa',
      });
      const line = async (path: string) => (await run('key', 'add', 'shop', '--rsa', path)).stderr;
      expect(await line(await rsa('weak.pem', 'spki', generateKeyPairSync('rsa', { modulusLength: 1024 })))).toBe(
        'tender: the RSA key has 1024 bits; at least 2048 are needed\n',
      );
      expect(await line(`${good}.private`)).toMatch(/^tender: this is a private key[^\n]*\n$/);
      expect(await line(good)).toMatch(/^tender: merchant "shop" has this key already[^\n]*\n$/);

      const chosen = 'CHOSEN-BY-THE-MERCHANT';
      const typed = await tender(['key', 'add', 'shop', '--stdin', ...where], { input: `${chosen}\n` });
      expect(typed).toMatchObject({ code: 0, stderr: '' });
      expect(typed.stdout).not.toContain(chosen);
      expect((await clientWith(chosen).sale({}, { endpoint: 501 })).status).toBe(200);
    });

    it('wrong input is one clear line and changes nothing', async () => {
      const before = await ask('merchant', 'list');
      const wrong = await run('merchant', 'add', '9lives');
      expect(wrong.code).toBe(1);
      expect(wrong.stderr).toMatch(/^tender: login: "9lives" must be a letter[^\n]*\n$/);
      expect((await run('endpoint', 'set', '501', '--minimum', '1.234')).stderr).toMatch(
        /^tender: minimum: an amount in USD such as 10.00[^\n]*\n$/,
      );
      expect(await ask('merchant', 'list')).toEqual(before);
    });

    it('the data key changes while payments are made, and every card still opens', async () => {
      let paying = true;
      const payments = async () => {
        while (paying) expect(await shop.saleUntilFinal({}, { endpoint: 501 })).toMatchObject({ status: 'approved' });
      };
      const payers = [payments(), payments()];
      const begun = await ask('vault', 'rotate');
      expect(begun).toMatchObject({ currentDataKeyId: 2 });
      const isDone = async () => (await ask('vault', 'status')).dataKeys.length === 1;
      await until('one data key is left', isDone);
      paying = false;
      await Promise.all(payers);
      expect(await ask('vault', 'rotate', '--kek')).toEqual({ kekId: expect.stringMatching(/^kek-/) });
      expect((await shop.sale({}, { endpoint: 501 })).status).toBe(200);
      expect(await gateway.process.stop()).toMatchObject({ code: 0, stderr: '' });
      expect(await openEveryCard(where)).toEqual({ numbers: [CARD], dataKeyIds: [2] });
    });

    it('everything works on a gateway that does not run, the data key too', async () => {
      expect(await readdir(data)).not.toContain('admin.json');
      expect(await ask('merchant', 'show', 'shop')).toMatchObject({
        name: 'Coffee shop',
        endpointIds: [501, 502],
        groupIds: [503],
      });
      const { controlKey } = await ask('key', 'add', 'shop');
      expect(await ask('endpoint', 'add', 'shop', '--currency', 'EUR')).toMatchObject({ endpointId: 504 });
      const rotated = await ask('vault', 'rotate', '--key-grace-ms', '1');
      expect(rotated).toMatchObject({ currentDataKeyId: 3, dataKeys: [{ dataKeyId: 3 }] });
      expect(await openEveryCard(where)).toEqual({ numbers: [CARD], dataKeyIds: [3] });
      await start();
      const paid = await clientWith(controlKey).saleUntilFinal({ currency: 'EUR' }, { endpoint: 504 });
      expect(paid).toMatchObject({ status: 'approved' });
    });

    it('a note that a killed gateway left behind is no obstacle', async () => {
      await gateway.process.stop('SIGKILL');
      const path = join(data, 'admin.json');
      const note = JSON.parse(await readFile(path, 'utf8'));
      // As in a container, where the next process has the same number.
      await writeFile(path, JSON.stringify({ ...note, pid: process.pid }));
      expect(await ask('merchant', 'list')).toMatchObject([{ login: 'demo' }, { login: 'shop' }]);
    });

    it('a merchant is put into the shard that is named', async () => {
      const { merchant } = await ask('merchant', 'add', 'elsewhere', '--shard', '3');
      expect(Math.floor(merchant.merchantId / 2 ** 32)).toBe(3);
    });

    it('no secret is told twice or lies in a file', async () => {
      const keys = told.flatMap((text) =>
        [...text.matchAll(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/g)].map(([key]) => key),
      );
      expect(keys.length).toBeGreaterThanOrEqual(3);
      expect(new Set(keys).size).toBe(keys.length);
      for (const path of await filesUnder(data)) {
        const bytes = await readFile(path);
        for (const secret of [...keys, CARD])
          expect({ path, found: bytes.includes(secret) }).toEqual({ path, found: false });
      }
    });
  });
}

describe("the administrator's door", () => {
  const own = new Belongings();
  let data: string;
  let note: { url: string; token: string; pid: number };
  const knock = (verb: string, body: string, token = note.token) =>
    fetch(`${note.url}/admin/api/${verb}`, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } });

  beforeAll(async () => {
    data = join(await own.folder(), 'data');
    own.keep(await startProcess(['--data', data]));
    note = JSON.parse(await readFile(join(data, 'admin.json'), 'utf8'));
  });
  afterAll(() => own.drop());

  it('is known only to who may read the data folder', async () => {
    expect((await stat(join(data, 'admin.json'))).mode & 0o777).toBe(0o600);
    expect(new URL(note.url).hostname).toBe('127.0.0.1');
    for (const token of ['', 'x', `${note.token}0`])
      expect((await knock('listMerchants', '{}', token)).status).toBe(401);
    expect((await fetch(`${note.url}/admin/api/listMerchants`, { method: 'POST', body: '{}' })).status).toBe(401);
  });

  it('answers in JSON and refuses what is no request of its own', async () => {
    const listed = await knock('listMerchants', '{}');
    expect(listed.status).toBe(200);
    expect(await listed.json()).toMatchObject({ answer: [{ login: DEMO.login }] });
    expect((await knock('toString', '{}')).status).toBe(404);
    expect((await knock('dropEverything', '{}')).status).toBe(404);
    for (const body of ['', '[]', 'null', 'x', `{"login":"${'x'.repeat(70_000)}"}`]) {
      expect((await knock('showMerchant', body)).status).toBe(400);
    }
    const wrong = await knock('addMerchant', '{"login":7}');
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toEqual({ error: expect.stringMatching(/^login: "7" must be a letter/) });
  });

  it('serves administrators who come at once, each with a number of their own', async () => {
    const adding = ['a', 'b', 'c', 'd'].map(async (login) => {
      const reply = await knock('addMerchant', JSON.stringify({ login }));
      return ((await reply.json()) as { answer: { merchant: { merchantId: number } } }).answer.merchant.merchantId;
    });
    const ids = await Promise.all(adding);
    expect(ids.toSorted()).toEqual([2, 3, 4, 5]);
  });

  it('commands meant for another folder do not come in here', async () => {
    const ended = await tender(['merchant', 'list', '--data', await own.folder()]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^tender: there is no gateway in [^\n]*--data[^\n]*\n$/);
  });
});

/** What is sealed in the cards table of a gateway that does not run, opened with its own keys. */
async function openEveryCard(where: readonly string[]) {
  const [, dataFolder = '', , databaseUrl] = where;
  const store = await openStore({ mode: 'sandbox', host: '', port: 0, dataFolder, databaseUrl });
  try {
    const text = 'select merchant_id, card_id, sealed, data_key_id from cards';
    const rows = await store.database.query({ name: 'test-every-card', text });
    const numbers = rows.map(async ({ merchant_id, card_id, sealed, data_key_id }) => {
      const kept = { bytes: sealed as Buffer, dataKeyId: Number(data_key_id) };
      return (
        await store.vault.reveal(kept, cardPlace({ merchantId: Number(merchant_id), cardId: Number(card_id) }))
      ).reveal();
    });
    const dataKeyIds = rows.map((row) => Number(row.data_key_id));
    return { numbers: [...new Set(await Promise.all(numbers))], dataKeyIds: [...new Set(dataKeyIds)] };
  } finally {
    await store.close();
  }
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
