// A gateway that dies while a payer is being authenticated: the payer goes on with the next one, no question goes out
// twice under one transaction id, and the payment is made once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { type BookEntry, readBooks } from '../../src/acquirers/index.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { type RunningNetworks, startNetworks, TEST_CARDS } from '../../src/threeds/index.ts';
import { Client, DEMO, type Fields, kindsOfThisFile, pause, type ReplyBody, until } from '../harness.ts';
import { BROWSER, REQUIRED, sale } from '../scenarios/authenticating.ts';
import { Payer, passChallenge } from '../scenarios/payer.ts';
import { Belongings, type RunningProcess, startBankProcess, startProcess } from '../scenarios/tender-process.ts';

/** What a living node does not get done within its lease is taken over, and then it is not the kill that is tried. */
const LEASE_MS = 12_000;
const ACQUIRER_TIMEOUT_MS = 10_000;
const TIMES = ['--lease-ms', String(LEASE_MS), '--acquirer-timeout-ms', String(ACQUIRER_TIMEOUT_MS)];
const SLOW_BANK_MS = '700';

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`3-D Secure of a gateway that is killed, on ${kind.name}`, () => {
    const belongings = new Belongings();
    let networks: RunningNetworks;
    let gateway: Awaited<ReturnType<typeof opened>>;

    beforeAll(async () => {
      networks = await startNetworks({ clock: systemClock });
      belongings.also(() => networks.close());
      gateway = await opened();
    });
    afterAll(() => belongings.drop());

    /** A gateway that comes back where it was, as a service manager would bring it back. */
    async function opened() {
      const server = kind.kind === 'postgres' ? await kind.open() : undefined;
      if (server) belongings.also(() => server.drop());
      const database = server?.place.url === undefined ? [] : ['--database-url', server.place.url];
      const bank = belongings.keep(
        await startBankProcess(['--data', await belongings.folder(), '--answer-delay-ms', SLOW_BANK_MS]),
      );
      const where = ['--data', await belongings.folder(), ...database, '--networks-url', networks.url];
      const start = async (more: readonly string[]) =>
        belongings.keep(await startProcess([...where, ...TIMES, '--bank-url', bank.url, ...more]));
      const port = ['--port', String(await freePort())];
      let running: RunningProcess = await start(port);
      const client = new Client(() => running.baseUrl, DEMO);
      belongings.also(async () => client.close());
      const kill = () => running.process.stop('SIGKILL');
      const restart = async () => {
        running = await start(port);
      };
      const booked = async (order: ReplyBody) => {
        const entries: BookEntry[] = [];
        for await (const entry of readBooks(bank.url)) entries.push(entry);
        return entries.filter(({ reference }) => reference.startsWith(`${order['paynet-order-id']}-`));
      };
      return { client, kill, restart, booked };
    }

    const begun = async (client: Client, fields: Fields) => (await client.sale(fields, { endpoint: REQUIRED })).body;

    async function untilAsking(client: Client, order: ReplyBody): Promise<ReplyBody> {
      let last: ReplyBody = {};
      await until('the payer is asked', async () => {
        last = (await client.status({ client_orderid: order['merchant-order-id'] }, { endpoint: REQUIRED })).body;
        return last['redirect-to'] !== undefined;
      });
      return last;
    }

    const final = (client: Client, order: ReplyBody) =>
      client.untilFinal(order['merchant-order-id'], { endpoint: REQUIRED });

    it('in the middle of a challenge lets the payer finish it', async () => {
      const { client, kill, restart, booked } = gateway;
      const order = await begun(client, sale(TEST_CARDS.challenge, BROWSER));
      const status = await untilAsking(client, order);
      await kill();
      await restart();
      await passChallenge(new Payer(), status, 'hint');
      expect(await final(client, order)).toMatchObject({ status: 'approved', eci: '05' });
      expect(await booked(order)).toHaveLength(1);
    });

    it('with a question under way asks again under a new id, once', async () => {
      const { client, kill, restart, booked } = gateway;
      networks.faults.set({ authentication: 'slow', delayMs: 9_000 });
      const asked = () => networks.transcript().filter(({ name }) => name === 'AReq');
      const before = asked().length;
      const questions = () => asked().slice(before);
      const order = await begun(client, sale(TEST_CARDS.frictionless, BROWSER));
      await until('the issuer was asked', () => questions().length === 1);
      await kill();
      networks.faults.set({});
      await restart();
      expect(await final(client, order)).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' });
      const ids = questions().map(({ message }) => message.threeDSServerTransID);
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(2);
      expect(await booked(order)).toHaveLength(1);
    });

    it('between the issuer and the bank pays once', async () => {
      const { client, kill, restart, booked } = gateway;
      for (const afterMs of [0, 60, 250]) {
        const answers = () => networks.transcript().filter(({ name }) => name === 'ARes').length;
        const before = answers();
        const order = await begun(client, sale(TEST_CARDS.frictionless, BROWSER));
        await until('the issuer has answered', () => answers() > before);
        await pause(afterMs);
        await kill();
        await restart();
        expect(await final(client, order)).toMatchObject({ status: 'approved', eci: '05' });
        expect(await booked(order)).toMatchObject([{ outcome: 'approved', eci: '05' }]);
      }
    });
  });
}
