// A gateway that dies between what it wrote and what it wanted to tell: every transaction that became final is told, by
// whoever comes after, and what is told is true.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, DEMO, kindsOfThisFile, pause, until } from '../harness.ts';
import { Belongings, type RunningProcess, startBankProcess, startProcess } from '../scenarios/tender-process.ts';
import { TestShop } from '../test-shop.ts';
import { Load } from './load.ts';
import { newSeed, seeded } from './random.ts';

const ROUNDS = 3;
const SALES_A_LIFE = 25;
const ACQUIRER_TIMEOUT_MS = 1_000;
const LEASE_MS = 2_500;
const CALLBACK_TIMEOUT_MS = 3_000;
const SLOWEST_ANSWER_MS = 150;

const TIMES = [
  ...['--lease-ms', String(LEASE_MS), '--acquirer-timeout-ms', String(ACQUIRER_TIMEOUT_MS)],
  ...['--callback-timeout-ms', String(CALLBACK_TIMEOUT_MS)],
];

let belongings: Belongings;

beforeEach(() => {
  belongings = new Belongings();
});

afterEach(() => belongings.drop());

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`callbacks of a gateway that is killed, on ${kind.name}`, () => {
    it('all come, and tell the truth', async () => {
      const random = seeded(newSeed());
      const server = kind.kind === 'postgres' ? await kind.open() : undefined;
      if (server) belongings.also(() => server.drop());
      const database = server?.place.url === undefined ? [] : ['--database-url', server.place.url];
      const where = ['--data', await belongings.folder(), ...database];
      const bank = belongings.keep(await startBankProcess(['--data', await belongings.folder()]));
      const start = async () => belongings.keep(await startProcess([...where, ...TIMES, '--bank-url', bank.url]));

      const shop = await TestShop.open({ key: DEMO.key });
      belongings.also(() => shop.close());
      let running: RunningProcess = await start();
      const client = new Client(() => running.baseUrl, DEMO);
      belongings.also(async () => client.close());
      const load = new Load([client], random, { server_callback_url: shop.url() });

      const untold = () => {
        const told = new Set(shop.told.map(({ fields }) => fields.orderid));
        return load.acknowledged.filter(({ orderId }) => !told.has(orderId));
      };

      load.start();
      let untoldAtKills = 0;
      for (let round = 0; round < ROUNDS || untoldAtKills === 0; round++) {
        const enough = load.acknowledged.length + SALES_A_LIFE;
        const answering = setInterval(() => {
          // Some answer too late and are told again; some are turned down for now.
          const fails = random() < 0.1;
          shop.behaviour = { afterMs: random() * SLOWEST_ANSWER_MS, status: fails ? 503 : 200 };
        }, 5);
        await until('enough is sold', () => load.acknowledged.length > enough);
        await pause(random() * 200);
        clearInterval(answering);
        untoldAtKills += untold().length;
        await running.process.stop('SIGKILL');
        running = await start();
      }
      await load.stop();
      shop.behaviour = 200;
      await until('every order is told', () => untold().length === 0);

      expect(load.complaints).toEqual([]);
      expect(shop.complaints).toEqual([]);
      // Otherwise the kills hit nothing.
      expect(untoldAtKills).toBeGreaterThan(0);
      for (const { client_orderid, orderId, amount } of load.acknowledged) {
        const { body } = await client.status({ client_orderid });
        const told = shop.of({ 'paynet-order-id': orderId }).map(({ fields }) => `${fields.status} ${fields.amount}`);
        expect([...new Set(told)]).toEqual([`${body.status} ${amount}`]);
      }
      await running.process.stop();
    });
  });
}
