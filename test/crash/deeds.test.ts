// A node that dies while people move money: a deed that waits for its second person still waits afterwards, and one
// whose money the bank has moved already is neither forgotten nor done again.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, DEMO, discrepancies, kindsOfThisFile, until } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from '../scenarios/person-browser.ts';
import {
  Belongings,
  type RunningProcess,
  startBankProcess,
  startProcess,
  tender,
} from '../scenarios/tender-process.ts';
import { booksOf, newPlace } from './place.ts';

/** The bank keeps its answer to itself for longer than it takes to kill whoever waits for it, on any machine. */
const SILENT = ['--messages', 'instruct', '--answer-delay-ms', '600000'];
const TIMES = ['--acquirer-timeout-ms', '1200000', '--lease-ms', '1300000'];

let belongings: Belongings;

beforeEach(() => {
  belongings = new Belongings();
});

afterEach(() => belongings.drop());

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`a gateway killed while two people return money, on ${kind.name}`, () => {
    it('keeps the deed until it is approved, and then returns the money once', async () => {
      const bank = belongings.keep(await startBankProcess(['--data', await belongings.folder()]));
      const { args, folder, looking } = await newPlace(belongings, kind);
      const start = async () => belongings.keep(await startProcess([...args, ...TIMES, '--bank-url', bank.url]));
      const signedIn = async (name: string) => {
        const browser = new PersonBrowser(() => gateway.adminOrigin);
        expect((await browser.signIn(name, PASSWORD)).status).toBe(303);
        return browser;
      };

      let gateway: RunningProcess = await start();
      const shop = new Client(() => gateway.baseUrl, DEMO);
      belongings.also(async () => shop.close());
      shop.privateKey = await readFile(join(folder, 'demo-private-key.pem'), 'utf8');
      for (const name of ['ann', 'bob']) {
        await hire({ adminUrl: gateway.adminOrigin, dataFolder: folder }, name, 'operator');
      }
      const { url, token } = await localNote(folder);
      await askBy(url, token, 'setMerchant', { login: 'demo', secondPersonAbove: ['1.00 USD'] });
      const sale = await shop.saleUntilFinal({ amount: '10.00' });
      expect(sale).toMatchObject({ status: 'approved' });
      const orderId = Number(sale['paynet-order-id']);

      const ann = await signedIn('ann');
      const asked = await ann.verb('returnOrder', { orderId, amount: '7.00', reason: 'ticket 77' });
      const { deedId } = asked.body.answer.waits;
      await gateway.process.stop('SIGKILL');

      gateway = await start();
      const bob = await signedIn('bob');
      expect((await bob.verb('listDeeds')).body.answer).toMatchObject([{ deedId, orderId, amount: '7.00' }]);
      expect(await booksOf(bank.url)).toHaveLength(1);
      expect(await tender(['bank', 'faults', ...SILENT, '--url', bank.url])).toMatchObject({ code: 0 });
      const once = { headers: { 'idempotency-key': 'approval-1' } };
      const approved = await bob.verb('approveDeed', { deedId }, once);
      expect(approved.status).toBe(200);
      await until('the bank has booked the return', async () => (await booksOf(bank.url)).length === 2);
      await gateway.process.stop('SIGKILL');

      // Otherwise the answer was written down in time, and the rest proves nothing.
      const stages = await looking((query) => query('select type, stage from transactions order by seq'));
      expect(stages).toMatchObject([{ stage: 'approved' }, { stage: 'sending' }]);
      await looking((query) => query('update transactions set due_at = now() where seq = 2'));
      expect(await tender(['bank', 'faults', '--none', '--url', bank.url])).toMatchObject({ code: 0 });

      gateway = await start();
      const again = await signedIn('bob');
      // Whoever did not hear the answer asks again, and is told it; without the key there is nothing to approve.
      expect((await again.verb('approveDeed', { deedId }, once)).body).toEqual(approved.body);
      expect((await again.verb('approveDeed', { deedId })).status).toBe(400);
      await until('the return has ended', async () => {
        const { status, body } = await shop.status({
          orderid: String(orderId),
          client_orderid: sale['merchant-order-id'],
        });
        return status === 200 && body['transaction-type'] === 'reversal' && body.status === 'approved';
      });
      await gateway.process.stop();
      const books = await booksOf(bank.url);
      expect(books.filter(({ outcome }) => outcome === 'approved')).toMatchObject([
        { kind: 'sale', amount: { minor: 1000n } },
        { kind: 'refund', amount: { minor: 700n } },
      ]);
      expect(await looking((query) => discrepancies(query, books))).toEqual([]);
    });
  });
}
