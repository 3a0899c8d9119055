// A node that dies between a scheduled charge and its bookkeeping: the bank has booked the charge, the gateway has not.
// Whoever starts next finds that charge, makes no other, and goes on with the day after.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, DEMO, discrepancies, kindsOfThisFile, until } from '../harness.ts';
import { recurringPayment, scheduledId } from '../scenarios/stored-cards.ts';
import { Belongings, startBankProcess, startProcess, tender } from '../scenarios/tender-process.ts';
import { booksOf, newPlace, type Query } from './place.ts';

/** The bank keeps its answer to itself for longer than it takes to kill whoever waits for it, on any machine. */
const ANSWER_DELAY_MS = 600_000;
const TIMES = ['--acquirer-timeout-ms', '1200000', '--lease-ms', '1300000'];
const DAY_MS = 24 * 60 * 60 * 1000;

let belongings: Belongings;

beforeEach(() => {
  belongings = new Belongings();
});

afterEach(() => belongings.drop());

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`a gateway killed after a scheduled charge was booked, on ${kind.name}`, () => {
    it('charges that day once and plans the next one', async () => {
      const delay = ['--messages', 'instruct', '--answer-delay-ms', String(ANSWER_DELAY_MS)];
      const bank = belongings.keep(await startBankProcess(['--data', await belongings.folder(), ...delay]));
      const { args, folder, looking } = await newPlace(belongings, kind);
      const start = async () => belongings.keep(await startProcess([...args, ...TIMES, '--bank-url', bank.url]));

      let gateway = await start();
      const shop = new Client(() => gateway.baseUrl, DEMO);
      belongings.also(async () => shop.close());
      shop.privateKey = await readFile(join(folder, 'demo-private-key.pem'), 'utf8');
      const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
      const id = await recurringPayment(shop, {
        amount: '10.00',
        interval_unit: 'day',
        interval: '1',
        start_date: today,
      });
      await until('the bank has booked the charge', async () => (await booksOf(bank.url)).length > 0);
      await gateway.process.stop('SIGKILL');

      // Otherwise the answer was written down in time, and the rest proves nothing.
      expect(await looking((query) => stagesOf(query))).toEqual(['sending']);
      // The dead node had the charge for many minutes and the profile for a minute: let them be over.
      await looking((query) => query('update transactions set due_at = now()'));
      await looking((query) => query(`update recurring_payments set next_run_at = now(), busy_until = null`));
      expect(await tender(['bank', 'faults', '--none', '--url', bank.url])).toMatchObject({ code: 0 });

      gateway = await start();
      expect(await shop.untilFinal(scheduledId(id, 0))).toMatchObject({ status: 'approved', amount: '10.00' });
      await gateway.process.stop();
      await looking((query) => query(`update recurring_payments set next_run_at = now(), busy_until = null`));
      gateway = await start();
      const planned = async () => (await shownOf(args, id)).nextRunAt as string;
      const soon = () => new Date(Date.now() + DAY_MS / 2).toISOString();
      await until('the next day is planned', async () => (await planned()) > soon() || !gateway.process.isRunning);
      const { charges, nextRunAt, createdAt } = await shownOf(args, id);
      expect(charges).toMatchObject([{ clientOrderId: scheduledId(id, 0), stage: 'approved' }]);
      expect(Date.parse(nextRunAt)).toBe(Date.parse(createdAt) + DAY_MS);
      await gateway.process.stop();

      const books = await booksOf(bank.url);
      expect(books).toMatchObject([{ kind: 'sale', outcome: 'approved', amount: { minor: 1000n } }]);
      expect(await looking((query) => discrepancies(query, books))).toEqual([]);
    });
  });
}

async function stagesOf(query: Query): Promise<unknown[]> {
  return (await query('select stage from transactions')).map(({ stage }) => stage);
}

async function shownOf(args: readonly string[], id: string) {
  const { code, stdout, stderr } = await tender(['recurring', 'show', id, '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
