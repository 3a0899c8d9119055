// Processes that die in the middle of everything: whatever was acknowledged exists and ends, the bank has authorised it
// exactly once if it is approved here and not at all if it is not, and the ledger adds up.

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shared } from '../contracts/databases.ts';
import { Client, DEMO, discrepancies, kindsOfThisFile, pause, until } from '../harness.ts';
import {
  Belongings,
  type RunningProcess,
  startBankProcess,
  startProcess,
  tender,
} from '../scenarios/tender-process.ts';
import { Load } from './load.ts';
import { booksOf, newPlace, type Query } from './place.ts';
import { FAST, LEASE_MS, lostOrders, SLOW_BANK, untilFinal } from './promises.ts';
import { newSeed, type Random, seeded } from './random.ts';

const ROUNDS = 4;
/** A life ends so long after so many sales were acknowledged in it. */
const LIFE = { fewestSales: 10, mostSales: 80, longestMs: 300 };

let belongings: Belongings;

beforeEach(() => {
  belongings = new Belongings();
});

afterEach(() => belongings.drop());

async function newBank(): Promise<string> {
  const data = await belongings.folder();
  return belongings.keep(await startBankProcess(['--data', data, ...SLOW_BANK])).url;
}

function newClient(baseUrl: () => string): Client {
  const client = new Client(baseUrl, DEMO);
  belongings.also(async () => client.close());
  return client;
}

/** A moment that hits the gateway at work, however slow the machine is. */
async function untilDue(load: Load, random: Random): Promise<void> {
  const enough = load.acknowledged.length + LIFE.fewestSales + random() * (LIFE.mostSales - LIFE.fewestSales);
  await until('enough is sold', () => load.acknowledged.length > enough);
  await pause(random() * LIFE.longestMs);
}

/** By the commands an operator has. */
async function expectGoodBooks(args: readonly string[], bankUrl: string): Promise<void> {
  const verified = await tender(['verify', ...args]);
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything is as it must be.') });
  const reconciled = await tender(['reconcile', '--url', bankUrl, ...args]);
  expect(reconciled).toMatchObject({ code: 0, stdout: expect.stringContaining('they agree.') });
}

/** Transactions whose first sender never reported an answer: somebody else found out. */
async function takenOver(query: Query): Promise<number> {
  const [row] = await query(
    `select count(distinct order_id)::int as count from order_events
     where event->>'type' = 'transaction-moved' and event->>'from' = 'sending' and version = 2
       and ((event->>'finding') in ('not-found', 'not-found-for-good') or (event->>'sends')::int = 0)`,
  );
  return row?.count as number;
}

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`a gateway that is killed again and again, on ${kind.name}`, () => {
    it('keeps every promise and charges nobody twice', async () => {
      const random = seeded(newSeed());
      const bankUrl = await newBank();
      const { args, looking } = await newPlace(belongings, kind);
      const start = async () => belongings.keep(await startProcess([...args, ...FAST, '--bank-url', bankUrl]));

      let running: RunningProcess = await start();
      const client = newClient(() => running.baseUrl);
      const load = new Load([client], random);
      load.start();
      for (let round = 0; round < ROUNDS; round++) {
        await untilDue(load, random);
        await running.process.stop('SIGKILL');
        running = await start();
      }
      await untilDue(load, random);
      await load.stop();
      await untilFinal(client, load.acknowledged);
      await running.process.stop();

      expect(load.complaints).toEqual([]);
      await expectGoodBooks(args, bankUrl);
      const books = await booksOf(bankUrl);
      await looking(async (query) => {
        expect(await lostOrders(query, load.acknowledged)).toEqual([]);
        expect(await discrepancies(query, books)).toEqual([]);
        // Otherwise the kills hit nothing, and the rest proves little.
        expect(load.acknowledged.length).toBeGreaterThan(ROUNDS * LIFE.fewestSales);
        expect(await takenOver(query)).toBeGreaterThan(0);
      });
    });
  });
}

describe.skipIf(!shared.available)('two gateways on one database', () => {
  it('one of them asleep past its leases: every order is one order and charged once', async () => {
    const random = seeded(newSeed());
    const bankUrl = await newBank();
    const { folder, args, looking } = await newPlace(belongings, shared);
    const first = belongings.keep(await startProcess([...args, ...FAST, '--bank-url', bankUrl]));
    const keys = ['--key-file', join(folder, 'key-encryption-keys')];
    const second = belongings.keep(await startProcess([...args, ...keys, ...FAST, '--bank-url', bankUrl]));
    const clients = [first, second].map(({ baseUrl }) => newClient(() => baseUrl));

    // Every sale goes to both at once.
    const load = new Load(clients, random);
    load.start();
    await untilDue(load, random);
    // Often enough that the sleeper held something at least once.
    for (let round = 0; round < 2 || (await looking(takenOver)) === 0; round++) {
      first.process.signal('SIGSTOP');
      await pause(LEASE_MS);
      await untilFinal(clients[1]!, load.acknowledged);
      first.process.signal('SIGCONT');
      await untilDue(load, random);
    }
    await load.stop();
    await untilFinal(clients[1]!, load.acknowledged);
    await Promise.all([first.process.stop(), second.process.stop()]);

    expect(load.complaints).toEqual([]);
    await expectGoodBooks(args, bankUrl);
    const books = await booksOf(bankUrl);
    await looking(async (query) => {
      expect(await lostOrders(query, load.acknowledged)).toEqual([]);
      expect(await discrepancies(query, books)).toEqual([]);
      expect(load.acknowledged.length).toBeGreaterThan(ROUNDS * LIFE.fewestSales);
      expect(await takenOver(query)).toBeGreaterThan(0);
    });
  });
});
