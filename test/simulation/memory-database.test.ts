// The simulated database against the real ones: whatever histories asked of it is asked again, call by call, and must
// be answered the same. So what the simulation shows of the gateway is shown on storage that behaves as ours does.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticationStore } from '../../src/storage/authentications.ts';
import { ConnectionLost, type Database } from '../../src/storage/database.ts';
import { callbackStore } from '../../src/storage/orders/callbacks.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { recurringStore } from '../../src/storage/recurring.ts';
import { LOCK_BUCKETS, screeningStore } from '../../src/storage/screening.ts';
import { databaseKinds, type OpenedDatabase } from '../contracts/databases.ts';
import { runHistory } from './history.ts';
import { LIMITED, MERCHANTS } from './house.ts';
import { MemoryDatabase } from './memory-database.ts';
import { planOf } from './plan.ts';
import { METHODS, type RecordedCall, recordCalls } from './recorded-calls.ts';

const TABLES = `orders, transactions, cards, order_events, ledger_entries, accounts, confirmations, callbacks,
  callback_attempts, card_references, recurring_payments, velocity_marks,
  authentications`;

/** Some as they come, and some with payers at their issuers. */
const SEEDS = [...Array.from({ length: 24 }, (_, index) => index + 1), 74, 105, 206, 274, 279, 290];

/** Asked only when two learn the same at once, which these histories do not show. */
const RARE = 'authentications.find';

type Stores = Record<RecordedCall['store'], Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`what histories ask, on ${kind.name}`, () => {
    let opened: OpenedDatabase;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      const { merchantId } = MERCHANTS[LIMITED];
      await opened.database.script(
        `insert into merchants (merchant_id, login, name, enabled, allowed_addresses, allowed_operations, created_at)
           values (${merchantId}, 'limited', 'Limited', true, '{}', '{}', '2026-06-01');
         insert into velocity_locks (merchant_id, bucket) select ${merchantId}, generate_series(0, ${LOCK_BUCKETS - 1})`,
      );
    });

    afterAll(() => opened?.drop());

    it(`is answered as by the simulated database, ${SEEDS.length} histories`, async () => {
      const { database } = opened;
      const stores: Stores = {
        orders: orderStore(database) as unknown as Stores['orders'],
        callbacks: callbackStore(database) as unknown as Stores['callbacks'],
        recurring: recurringStore(database) as unknown as Stores['recurring'],
        screening: screeningStore(database) as unknown as Stores['screening'],
        authentications: authenticationStore(database) as unknown as Stores['authentications'],
      };
      let asked = 0;
      const methods = new Set<string>();
      for (const seed of SEEDS) {
        const memory = new MemoryDatabase();
        const calls = recordCalls(memory);
        await runHistory(planOf(seed), { database: memory });
        const replayed = () => replay(calls, { seed, database, stores });
        // What a cut connection had written nobody knows: all is asked again, from the beginning.
        await replayed().catch((error) => {
          if (!(error instanceof ConnectionLost)) throw error;
          return replayed();
        });
        asked += calls.length;
        for (const { store, method } of calls) methods.add(`${store}.${method}`);
        expect(await accountsOf(database), `seed ${seed}: accounts`).toEqual(
          new Map(
            [...memory.orders.accounts].filter(([, kept]) => kept !== 0n).map(([name, kept]) => [name, `${kept}`]),
          ),
        );
      }
      expect(everyMethod().filter((method) => !methods.has(method))).toEqual([]);
      process.stdout.write(`${kind.name}: ${asked} calls of ${SEEDS.length} histories answered the same\n`);
    });
  });
}

function everyMethod(): string[] {
  const all = Object.entries(METHODS).flatMap(([store, methods]) => methods.map((method) => `${store}.${method}`));
  return all.filter((method) => method !== RARE);
}

type Real = { readonly seed: number; readonly database: Database; readonly stores: Stores };

/** Asks an empty database the same, and says at which call it answered something else. */
async function replay(calls: readonly RecordedCall[], { seed, database, stores }: Real): Promise<void> {
  await database.script(`truncate ${TABLES}`);
  for (const [index, { store, method, given, answer, failed }] of calls.entries()) {
    const name = `seed ${seed}, call ${index}: ${store}.${method}`;
    const real = await stores[store][method]!(...given).then(
      (value) => ({ value, error: undefined }),
      (error: Error) => ({ value: undefined, error }),
    );
    if (real.error instanceof ConnectionLost) throw real.error;
    expect(real.error !== undefined, `${name}: ${real.error?.message}`).toBe(failed);
    if (!failed) expect(comparable(real.value), name).toEqual(comparable(answer));
  }
}

async function accountsOf(database: Database): Promise<Map<string, unknown>> {
  const rows = await database.query({
    name: 'test accounts',
    text: 'select merchant_id, account, currency, balance from accounts where balance <> 0',
  });
  return new Map(rows.map((row) => [`${row.merchant_id} ${row.account} ${row.currency}`, row.balance]));
}

/** Lists in no promised order are put into one; what the simulation does not keep is left out. */
function comparable(answer: unknown): unknown {
  if (answer instanceof Map) return new Map([...answer].sort(([one], [other]) => Number(one) - Number(other)));
  if (answer instanceof Set) return new Set([...answer].sort());
  if (!Array.isArray(answer)) return answer;
  const text = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one));
  return answer.map(({ leaseOwner: _, ...rest }) => rest).sort((one, other) => (text(one) < text(other) ? -1 : 1));
}
