// The simulated database against the real ones: whatever histories asked of it is asked again, call by call, and must be
// answered the same. So what the simulation shows of the gateway is shown on storage that behaves as ours does.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callbackStore } from '../../src/storage/callbacks.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { orderStore } from '../../src/storage/orders.ts';
import { recurringStore } from '../../src/storage/recurring.ts';
import { databaseKinds, type OpenedDatabase } from '../contracts/databases.ts';
import { runHistory } from './history.ts';
import { MemoryDatabase } from './memory-database.ts';
import { planOf } from './plan.ts';
import { type RecordedCall, recordCalls } from './recorded-calls.ts';

const TABLES = `orders, transactions, cards, order_events, ledger_entries, accounts, confirmations, callbacks,
  callback_attempts, card_references, recurring_payments`;
const HISTORIES = 30;

type Stores = Record<RecordedCall['store'], Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`what histories ask, on ${kind.name}`, () => {
    let opened: OpenedDatabase;

    beforeAll(async () => {
      opened = await kind.open();
      await migrate(opened.database);
    });

    afterAll(() => opened?.drop());

    it(`is answered as by the simulated database, ${HISTORIES} histories`, async () => {
      const { database } = opened;
      const stores: Stores = {
        orders: orderStore(database) as unknown as Stores['orders'],
        callbacks: callbackStore(database) as unknown as Stores['callbacks'],
        recurring: recurringStore(database) as unknown as Stores['recurring'],
      };
      let asked = 0;
      for (let seed = 1; seed <= HISTORIES; seed++) {
        await database.script(`truncate ${TABLES}`);
        const memory = new MemoryDatabase();
        const calls = recordCalls(memory);
        await runHistory(planOf(seed), { database: memory });
        for (const [index, { store, method, given, answer, failed }] of calls.entries()) {
          const name = `seed ${seed}, call ${index}: ${store}.${method}`;
          asked += 1;
          const real = stores[store][method]!(...given);
          if (failed) await expect(real, name).rejects.toThrow();
          else expect(comparable(await real), name).toEqual(comparable(answer));
        }
        const accounts = await database.query({
          name: 'test accounts',
          text: 'select merchant_id, account, currency, balance from accounts where balance <> 0',
        });
        expect(
          new Map(accounts.map((row) => [`${row.merchant_id} ${row.account} ${row.currency}`, row.balance])),
        ).toEqual(
          new Map(
            [...memory.orders.accounts].filter(([, kept]) => kept !== 0n).map(([name, kept]) => [name, `${kept}`]),
          ),
        );
      }
      process.stdout.write(`${kind.name}: ${asked} calls of ${HISTORIES} histories answered the same\n`);
    });
  });
}

/** Lists in no promised order are put into one; what the simulation does not keep is left out. */
function comparable(answer: unknown): unknown {
  if (answer instanceof Map) return new Map([...answer].sort(([one], [other]) => Number(one) - Number(other)));
  if (answer instanceof Set) return new Set([...answer].sort());
  if (!Array.isArray(answer)) return answer;
  const text = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one));
  return answer.map(({ leaseOwner: _, ...rest }) => rest).sort((one, other) => (text(one) < text(other) ? -1 : 1));
}
