// What the door relies on from writes with conditions, held on both databases: a balance that pays is never taken
// further below zero than it may be, a write that is undone leaves nothing, limits count what was written and not what
// was filtered, and a card from the hosted form is set where it was entered.

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeBy } from '../../src/domain/order/change.ts';
import { type Command, filtered, type NewOrder, startOrder } from '../../src/domain/order/decide.ts';
import type { Order } from '../../src/domain/order/order.ts';
import type { Database } from '../../src/storage/database.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import type { ConditionalWrite, GivenCard, OrderChange, OrderRecord, OrderStore } from '../../src/storage/store.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { storedCard } from './stored-card.ts';

const MOMENT = { now: Date.UTC(2026, 5, 1), leaseMs: 45_000, holdMs: 1 };
const OWNER = randomUUID();
const CVV = randomBytes(40);
const TABLES = 'orders, transactions, cards, order_events, ledger_entries, accounts, confirmations, velocity_marks';
const perCard = {
  limit: { kind: 'card', windowMs: 60_000, maxCount: 9, maxSum: undefined },
  digest: Buffer.alloc(32),
} as const;

let lastOrderId = 2_000_000;

function record(changes: Partial<NewOrder> = {}): OrderRecord {
  const orderId = ++lastOrderId;
  const intent: NewOrder = {
    ...{ merchantId: 1, orderId, endpointId: 101, clientOrderId: randomUUID(), operation: 'payout', type: 'payout' },
    ...{ currency: 'USD', notation: 'minor', amount: 1000n, requestSerial: randomUUID() },
  };
  return {
    ...{ order: startOrder({ ...intent, ...changes }, MOMENT), details: {}, receiptId: randomUUID() },
    ...{ fingerprint: randomBytes(32), control: randomBytes(20), idempotencyKey: undefined, leaseOwner: OWNER },
    ...{ cardId: undefined, targetCardId: undefined, sealedTarget: undefined, cards: [], sealedCvv: undefined },
    attemptedCard: undefined,
  };
}

const sale = (changes: Partial<NewOrder> = {}) => record({ operation: 'sale', type: 'sale', ...changes });

function changed(before: Order, command: Command): OrderChange {
  return { before, ...(changeBy(before, command, MOMENT) as Omit<OrderChange, 'before'>), begins: new Map() };
}

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`a write with conditions on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let store: OrderStore;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      // The lock of a limit, and the merchant it belongs to.
      await database.script(`
        insert into merchants (merchant_id, login, name, enabled, created_at) values (1, 'shop', 'Shop', true, now());
        insert into velocity_locks (merchant_id, bucket) values (1, 0)`);
      store = orderStore(database);
    });

    afterAll(() => opened?.drop());

    beforeEach(async () => {
      await database.script(`truncate ${TABLES}`);
      await database.script(`
        insert into accounts (merchant_id, account, currency, balance)
        values (1, 'merchant', 'USD', 2500), (1, 'clearing', 'USD', -2500), (1, 'merchant', 'EUR', 99999)`);
    });

    const rows = (text: string) => database.query({ name: `test ${text.slice(0, 50)}`, text });
    const balance = async () =>
      (await rows(`select balance::text from accounts where account = 'merchant' and currency = 'USD'`))[0];
    const written = async () => (await rows('select count(*)::int as count from orders'))[0];
    const commit = (order: Order, rest: Pick<ConditionalWrite, 'decide'> & Partial<ConditionalWrite>) =>
      store.commitAlone({ order, at: MOMENT.now, limits: [], creditLimit: 0n, ...rest });
    const start = (one: OrderRecord, rest: Partial<ConditionalWrite> = {}) =>
      commit(one.order, { decide: () => ({ record: one }), ...rest });

    it('spends a balance to its end, and no further', async () => {
      expect(await start(record({ amount: 2500n }))).toMatchObject({ written: { amount: 2500n } });
      expect(await balance()).toEqual({ balance: '0' });
      expect(await start(record({ amount: 1n }))).toEqual({ available: 0n });
      expect([await balance(), await written()]).toEqual([{ balance: '0' }, { count: 1 }]);
    });

    it('spends as far below zero as the credit limit, and tells what would be covered', async () => {
      expect(await start(record({ amount: 3001n }), { creditLimit: 500n })).toEqual({ available: 3000n });
      expect([await balance(), await written()]).toEqual([{ balance: '2500' }, { count: 0 }]);
      expect(await start(record({ amount: 3000n }), { creditLimit: 500n })).toHaveProperty('written');
      expect(await balance()).toEqual({ balance: '-500' });
    });

    it('spends the balance in its own currency', async () => {
      expect(await start(record({ currency: 'EUR', amount: 100_000n }))).toEqual({ available: 99_999n });
      expect(await start(record({ currency: 'EUR', amount: 99_999n }))).toHaveProperty('written');
      expect(await balance()).toEqual({ balance: '2500' });
    });

    it('does not ask the balance for what brings money', async () => {
      await database.script('update accounts set balance = -1');
      expect(await start(sale())).toHaveProperty('written');
    });

    it('spends once of an order whose name is taken, and of a change that comes too late', async () => {
      const waiting = record({ awaitsConfirmation: true });
      expect(await start(waiting)).toHaveProperty('written');
      expect(await balance()).toEqual({ balance: '2500' });
      expect(await start(record({ clientOrderId: waiting.order.clientOrderId }))).toBe('conflict');
      expect([await balance(), await written()]).toEqual([{ balance: '2500' }, { count: 1 }]);
      const confirmation = { requestSerial: randomUUID(), fingerprint: randomBytes(32), idempotencyKey: 'k' };
      const confirm = () =>
        commit(waiting.order, {
          decide: () => ({ change: changed(waiting.order, { type: 'confirm' }), confirmation }),
        });
      expect(await confirm()).toHaveProperty('written');
      expect(await confirm()).toBe('conflict');
      expect(await balance()).toEqual({ balance: '1500' });
      expect(await rows(`select idempotency_until - created_at = '7 days' as week from confirmations`)).toEqual([
        { week: true },
      ]);
    });

    it('that leaves too little changes nothing of an order, and stays possible', async () => {
      const waiting = record({ awaitsConfirmation: true, amount: 2501n });
      await start(waiting);
      const decide = () => ({ change: changed(waiting.order, { type: 'confirm' }) });
      expect(await commit(waiting.order, { decide })).toEqual({ available: 2500n });
      expect((await store.load([waiting.order])).get(waiting.order.orderId)).toEqual(waiting.order);
      expect(await commit(waiting.order, { decide, creditLimit: 1n })).toHaveProperty('written');
    });

    it('is counted when it was written, and not when it was filtered or undone', async () => {
      const counts: number[] = [];
      const count = (one: OrderRecord) =>
        start(one, {
          limits: [perCard],
          decide: (counted) => {
            counts.push(counted[0]?.tally.count ?? -1);
            return { record: one };
          },
        });
      const first = sale();
      await count(first);
      const stopped = sale();
      await count({ ...stopped, order: filtered(stopped.order, 'card-over-limit') });
      await count(sale({ clientOrderId: first.order.clientOrderId }));
      await count(record({ amount: 9999n }));
      await count(sale());
      await count(sale());
      expect(counts).toEqual([0, 1, 1, 1, 1, 2]);
    });

    it('sets the card of a form where it was entered, once', async () => {
      const given = (form: OrderRecord, role: GivenCard['role'], cardId: number, mustWait = false) => {
        const command = { type: 'card-given', seq: 1, filterReason: undefined, mustWait, needsAuthentication: false };
        const card = { seq: 1, card: storedCard(cardId), role, sealedCvv: CVV, details: {}, leaseOwner: OWNER };
        return commit(form.order, { decide: () => ({ change: changed(form.order, command as Command), card }) });
      };
      /** Of the newest order. */
      const state = async () =>
        (
          await rows(`
            select card_id::text as pays, target_card_id::text as receives, lease_owner is not null as leased,
              card_given_at is not null as given, sealed_cvv is not null as code
            from orders natural join transactions order by order_id desc limit 1`)
        )[0];
      const pays = sale({ form: 'pays' });
      await start(pays);
      expect(await given(pays, 'pays', 71)).toHaveProperty('written');
      expect(await given(pays, 'pays', 72)).toBe('conflict');
      const all = { given: true, code: true };
      expect(await state()).toEqual({ pays: '71', receives: null, leased: true, ...all });
      const receives = record({ form: 'pays' });
      await start(receives);
      expect(await given(receives, 'receives', 73, true)).toHaveProperty('written');
      expect(await state()).toEqual({ pays: null, receives: '73', leased: false, ...all });
    });
  });
}
