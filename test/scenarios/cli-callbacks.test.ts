// Callbacks by command, on a gateway that runs and on one that does not.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, DEMO, kindsOfThisFile, until } from '../harness.ts';
import { TestShop } from '../test-shop.ts';
import { Belongings, type RunningProcess, startProcess, tender } from './tender-process.ts';

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`callbacks by command, on ${kind.name}`, () => {
    const own = new Belongings();
    let where: string[];
    let gateway: RunningProcess;
    let client: Client;
    let shop: TestShop;

    const run = (...args: string[]) => tender(['callback', ...args, ...where]);
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    const start = async () => {
      gateway = own.keep(await startProcess(where));
    };

    beforeAll(async () => {
      const server = kind.kind === 'postgres' ? await kind.open() : undefined;
      if (server) own.also(() => server.drop());
      const data = join(await own.folder(), 'data');
      where = ['--data', data, ...(server?.place.url === undefined ? [] : ['--database-url', server.place.url])];
      await start();
      client = new Client(() => gateway.baseUrl, DEMO);
      own.also(async () => client.close());
      shop = await TestShop.open({ key: DEMO.key });
      own.also(() => shop.close());
    });
    afterAll(() => own.drop());

    const toldMoreThan = (count: number) => until('it is told', () => shop.told.length > count);
    let id: string;

    it('are found, looked into and sent again', async () => {
      shop.behaviour = { status: 404, body: 'no such\npage' };
      const sale = await client.saleUntilFinal({ server_callback_url: shop.url() });
      await toldMoreThan(0);
      const orderId = Number(sale['paynet-order-id']);
      id = `${orderId}-1-server`;
      const callback = { callbackId: id, login: 'demo', orderId, transaction: 1, target: 'server', state: 'waiting' };
      expect(await ask('list', '--due', '--merchant', 'demo', '--order', String(orderId))).toMatchObject({
        found: [callback],
      });
      const table = (await run('list')).stdout;
      expect(table).toMatch(/^ID +MERCHANT +DESTINATION +STATE +TRIES +DUE\n/);
      expect(table).toMatch(new RegExp(`${id} +demo +127.0.0.1:${shop.port} +waiting +\\d+ +\\d{4}-`));
      const shown = (await run('show', id)).stdout;
      expect(shown).toMatch(/Goes to +server_callback_url\n/);
      expect(shown).toMatch(/127\.0\.0\.1 +\d+ ms +404 no such page\n/);

      shop.behaviour = 200;
      const before = shop.told.length;
      expect((await run('replay', id)).stdout).toBe(`Callback ${id} is due now at 127.0.0.1:${shop.port}.\n`);
      await toldMoreThan(before);
      await until('it is written down', async () => (await ask('show', id)).state === 'delivered');
      const { state, log } = await ask('show', id);
      // The schedule may have been quicker than the command, and then it was told twice.
      expect([state, log.at(0).status, log.at(-1).status]).toEqual(['delivered', 200, 404]);
    });

    it('are sent again by the next gateway when none runs', async () => {
      await gateway.process.stop();
      const before = shop.told.length;
      expect(await ask('replay', id)).toMatchObject({ callbackId: id, state: 'waiting' });
      expect((await run('replay', '--failed', '--merchant', 'demo')).stdout).toBe('No callback was given up.\n');
      expect(shop.told).toHaveLength(before);
      await start();
      await toldMoreThan(before);
      expect(shop.complaints).toEqual([]);
    });

    it.each([
      [
        ['show', '999999-1-server'],
        /^tender: there is no callback 999999-1-server; "tender callback list" shows the newest\n$/,
      ],
      [['show', 'it'], /^tender: callback id: an id such as 1234567-1-server is needed, not "it"\n$/],
      [['replay'], /^tender: give the id of a callback, or --failed\n$/],
      [['replay', '1-1-server', '--failed'], /^tender: give the id of a callback, or --failed\n$/],
      [['replay', '1-1-server', '--merchant', 'demo'], /^tender: --merchant goes with --failed\n$/],
      [['list', '--due', '--failed'], /^tender: give one of --due, --failed and --delivered\n$/],
      [['list', '--merchant', 'nobody'], /^tender: [^\n]*"nobody"[^\n]*\n$/],
    ])('what cannot be done is said in one line: %j', async (args, said) => {
      const { code, stdout, stderr } = await run(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(said);
    });
  });
}
