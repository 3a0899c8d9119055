// What the gateway relies on from the store of orders, held on both databases: whole batches or nothing, one winner per
// order and per claim, caps that hold below the rules, and plans that stay lookups however large the tables grow.

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import { entriesOf } from '../../src/domain/money/ledger.ts';
import { type Command, decide, evolve, startOrder } from '../../src/domain/order/decide.ts';
import type { Order } from '../../src/domain/order/order.ts';
import { CVV_MS } from '../../src/domain/order/retry-schedule.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database, Statement, Step } from '../../src/storage/database.ts';
import { findOrderViews, orderFinder } from '../../src/storage/orders/order-views.ts';
import { insertOrders } from '../../src/storage/orders/order-writes.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { recurringStore } from '../../src/storage/recurring.ts';
import { controlMemory } from '../../src/storage/requests/control-readings.ts';
import type { OrderChange, OrderRecord, OrderStore } from '../../src/storage/store.ts';
import { databaseKinds, type OpenedDatabase, postgres } from './databases.ts';
import { newRecurringPayment } from './new-recurring-payment.ts';
import { storedCard } from './stored-card.ts';

const NOW = Date.UTC(2026, 5, 1);
const LEASE_MS = 45_000;
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;
const MOMENT = { now: NOW, leaseMs: LEASE_MS, holdMs: HOLD_MS };
const OWNER = randomUUID();

const TABLES = 'orders, transactions, cards, order_events, ledger_entries, accounts';

const APPROVED: Command = {
  type: 'sent',
  seq: 1,
  leg: 1,
  answer: { word: 'approved', approvalCode: 'AB12CD', rrn: '123456789012', processorTxId: 'PN-1', terminalId: 'T1' },
};
const DECLINED: Command = {
  type: 'sent',
  seq: 1,
  leg: 1,
  answer: { word: 'declined', code: '116', rrn: '210987654321' },
};
const UNKNOWN: Command = { type: 'sent', seq: 1, leg: 1, answer: { word: 'unknown', reason: 'silence' } };

let lastOrderId = 1_000_000;

type RecordOptions = Partial<OrderRecord> & { clientOrderId?: string; merchantId?: number; amount?: bigint };

function record(options: RecordOptions = {}): OrderRecord {
  const { clientOrderId = randomUUID(), merchantId = 1, amount = 1042n, ...rest } = options;
  const orderId = ++lastOrderId;
  const order = startOrder(
    {
      merchantId,
      orderId,
      endpointId: 101,
      clientOrderId,
      operation: 'sale',
      type: 'sale',
      currency: 'USD',
      notation: 'minor',
      amount,
      requestSerial: randomUUID(),
    },
    MOMENT,
  );
  return {
    order,
    details: { email: 'ann@example.com', description: 'a "quoted"\nline, {braces} and 日本' },
    receiptId: randomUUID(),
    fingerprint: randomBytes(32),
    control: randomBytes(20),
    idempotencyKey: undefined,
    leaseOwner: OWNER,
    cardId: orderId,
    targetCardId: undefined,
    sealedTarget: undefined,
    cards: [storedCard(orderId)],
    sealedCvv: randomBytes(40),
    attemptedCard: undefined,
    ...rest,
  };
}

function change(before: Order, command: Command, now = NOW + 1_000): OrderChange {
  let after = before;
  const events = decide(before, command, { ...MOMENT, now });
  if (events instanceof Refusal) throw new Error(events.faults[0].message);
  const entries = events.flatMap((event) => {
    after = evolve(after, event);
    return entriesOf(after, event);
  });
  return { before, after, events, entries, begins: new Map() };
}

const starts = (...records: OrderRecord[]) => ({ starts: records, changes: [] });
const changes = (...decided: OrderChange[]) => ({ starts: [], changes: decided });
const idsOf = (records: readonly OrderRecord[]) => records.map(({ order }) => order.orderId);

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the order store on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let store: OrderStore;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      store = orderStore(database);
    });

    afterAll(() => opened?.drop());

    beforeEach(() => database.script(`truncate ${TABLES}`));

    const rows = (text: string) => database.query({ name: `test ${text.slice(0, 50)}`, text });
    const load = async ({ order }: OrderRecord) => (await store.load([order])).get(order.orderId);

    describe('a client order id', () => {
      const recurring = () => recurringStore(database);
      const noOrderLeft = async () => expect(await rows('select 1 from orders where version = 0')).toEqual([]);

      it('of an order is refused to a recurring payment', async () => {
        const one = record();
        await store.commit(starts(one));
        expect(await recurring().create(newRecurringPayment(++lastOrderId, NOW, one.order.clientOrderId))).toBe(false);
        expect(await store.hasRecurringPayment(1, one.order.clientOrderId)).toBe(false);
        await noOrderLeft();
      });

      it('of a recurring payment is refused to an order, and its neighbours are written', async () => {
        const payment = newRecurringPayment(++lastOrderId, NOW);
        expect(await recurring().create(payment)).toBe(true);
        await noOrderLeft();
        const records = [record(), record({ clientOrderId: payment.clientOrderId }), record()];
        const [first, taken, last] = records as [OrderRecord, OrderRecord, OrderRecord];
        expect(await store.commit(starts(...records))).toEqual(new Set(idsOf([first, last])));
        expect(await load(taken)).toBeUndefined();
        expect(await store.commit(starts(taken))).toEqual(new Set());
        expect(await store.hasRecurringPayment(1, payment.clientOrderId)).toBe(true);
        const other = record({ clientOrderId: payment.clientOrderId, merchantId: 2 });
        expect(await store.commit(starts(other))).toEqual(new Set(idsOf([other])));
      });

      it('of a recurring payment is refused to an order with conditions', async () => {
        const payment = newRecurringPayment(++lastOrderId, NOW);
        await recurring().create(payment);
        const taken = record({ clientOrderId: payment.clientOrderId });
        const write = { order: taken.order, at: NOW, limits: [], creditLimit: 0n, decide: () => ({ record: taken }) };
        expect(await store.commitAlone(write)).toBe('conflict');
        expect(await load(taken)).toBeUndefined();
      });

      it('asked for by both at the same time is given to one', async () => {
        for (let round = 0; round < 40; round++) {
          const clientOrderId = randomUUID();
          const orders = [record({ clientOrderId }), record({ clientOrderId })];
          const payments = [
            newRecurringPayment(++lastOrderId, NOW, clientOrderId),
            newRecurringPayment(++lastOrderId, NOW, clientOrderId),
          ];
          const asked = await Promise.all([
            ...orders.map(async (one) => (await store.commit(starts(one))).size === 1),
            ...payments.map((one) => recurring().create(one)),
          ]);
          expect(asked.filter(Boolean)).toHaveLength(1);
        }
        await noOrderLeft();
      });
    });

    describe('a batch', () => {
      it('of new orders is read back as it was written', async () => {
        const records = [record(), record({ control: undefined, cardId: undefined, cards: [], sealedCvv: undefined })];
        expect(await store.commit(starts(...records))).toEqual(new Set(idsOf(records)));
        for (const one of records) {
          expect(await load(one)).toEqual(one.order);
          const { merchantId, clientOrderId } = one.order;
          const view = await store.findOrderView({ merchantId, clientOrderId, orderId: undefined });
          const [card] = one.cards;
          expect(view).toMatchObject({ order: one.order, details: one.details, receiptId: one.receiptId });
          expect(view?.card).toEqual(card);
          expect(await store.loadCards({ ...one.order, seq: 1 })).toMatchObject({
            card,
            targetCard: undefined,
            sealedCvv: one.sealedCvv,
          });
        }
      });

      it('of new orders and changes together writes both', async () => {
        const [approved, declined, open] = [record(), record(), record()];
        await store.commit(starts(approved, declined, open));
        const fresh = record();
        const decided = [
          change(approved.order, APPROVED),
          change(declined.order, DECLINED),
          change(open.order, UNKNOWN),
        ];
        const written = await store.commit({ starts: [fresh], changes: decided });
        expect(written).toEqual(new Set(idsOf([approved, declined, open, fresh])));
        for (const { after } of decided) expect((await store.load([after])).get(after.orderId)).toEqual(after);
        expect(await rows('select account, currency, balance from accounts order by account')).toEqual([
          { account: 'clearing', currency: 'USD', balance: '-1042' },
          { account: 'merchant', currency: 'USD', balance: '1042' },
        ]);
        expect(await rows('select order_id, count(*)::int as events from order_events group by 1 order by 1')).toEqual([
          ...idsOf([approved, declined, open]).map((id) => ({ order_id: String(id), events: 2 })),
          { order_id: String(fresh.order.orderId), events: 1 },
        ]);
      });

      it('forgets the security code with the final answer and not before', async () => {
        const [final, open] = [record(), record()];
        await store.commit(starts(final, open));
        await store.commit(changes(change(final.order, APPROVED), change(open.order, UNKNOWN)));
        expect((await store.loadCards({ ...final.order, seq: 1 })).sealedCvv).toBeUndefined();
        expect((await store.loadCards({ ...open.order, seq: 1 })).sealedCvv).toEqual(open.sealedCvv);
      });

      it('leaves out orders whose client order id or control is taken, and writes the others', async () => {
        const first = record();
        await store.commit(starts(first));
        const sameId = record({ clientOrderId: first.order.clientOrderId });
        const sameControl = record({ control: first.control });
        const other = record();
        const otherMerchant = record({
          clientOrderId: first.order.clientOrderId,
          control: first.control,
          merchantId: 2,
        });
        const written = await store.commit(starts(sameId, sameControl, other, otherMerchant));
        expect(written).toEqual(new Set(idsOf([other, otherMerchant])));
        const [left] = await rows(
          `select (select count(*)::int from transactions) as transactions, (select count(*)::int from cards) as cards,
             (select count(*)::int from order_events) as events`,
        );
        expect(left).toEqual({ transactions: 3, cards: 3, events: 3 });
        expect(await store.commit(starts(first, other))).toEqual(new Set());
      });

      it('fails as a whole when an idempotency key is taken', async () => {
        await store.commit(starts(record({ idempotencyKey: 'k' })));
        const neighbour = record();
        await expect(store.commit(starts(neighbour, record({ idempotencyKey: 'k' })))).rejects.toThrow();
        expect(await load(neighbour)).toBeUndefined();
        expect((await store.commit(starts(record({ idempotencyKey: 'k', merchantId: 2 })))).size).toBe(1);
      });

      it('writes a change only over the version it was decided on', async () => {
        const one = record();
        await store.commit(starts(one));
        const approved = change(one.order, APPROVED);
        const declined = change(one.order, DECLINED);
        const both = await Promise.all([store.commit(changes(approved)), store.commit(changes(declined))]);
        const winners = both.filter((written) => written.has(one.order.orderId));
        expect(winners).toHaveLength(1);
        const winner = both[0]?.has(one.order.orderId) ? approved : declined;
        expect(await load(one)).toEqual(winner.after);
        expect(await rows('select count(*)::int as events from order_events')).toEqual([{ events: 2 }]);
        expect(await rows('select count(*)::int as entries from ledger_entries')).toEqual([
          { entries: winner.entries.length },
        ]);
        expect(await store.commit(changes(approved))).toEqual(new Set());
      });

      it('of many changes keeps the balances exact, also when several commit at once', async () => {
        const records = Array.from({ length: 120 }, (_, index) => record({ amount: BigInt(index + 1) }));
        await store.commit(starts(...records));
        const batches = [0, 1, 2, 3].map((part) => records.filter((_, index) => index % 4 === part));
        await Promise.all(
          batches.map((batch) => store.commit(changes(...batch.map(({ order }) => change(order, APPROVED))))),
        );
        expect(await rows('select account, balance from accounts order by account')).toEqual([
          { account: 'clearing', balance: '-7260' },
          { account: 'merchant', balance: '7260' },
        ]);
        expect(await rows('select sum(amount)::text as rest from ledger_entries')).toEqual([{ rest: '0' }]);
      });
    });

    describe('the view of an order', () => {
      it('is its merchant’s, and only under its own client order id, also when many ask at once', async () => {
        const records = Array.from({ length: 5 }, () => record());
        await store.commit(starts(...records));
        const asked = records.flatMap(({ order: { merchantId, orderId, clientOrderId } }) => [
          store.findOrderView({ merchantId, orderId, clientOrderId }),
          store.findOrderView({ merchantId, orderId, clientOrderId: undefined }),
          store.findOrderView({ merchantId, orderId: undefined, clientOrderId }),
          store.findOrderView({ merchantId, orderId, clientOrderId: 'another' }),
          store.findOrderView({ merchantId: 2, orderId, clientOrderId }),
          store.findOrderView({ merchantId, orderId: 1, clientOrderId: undefined }),
        ]);
        const found = (await Promise.all(asked)).map((view) => view?.order.orderId);
        const nothing = [undefined, undefined, undefined];
        expect(found).toEqual(idsOf(records).flatMap((orderId) => [orderId, orderId, orderId, ...nothing]));
      });
    });

    describe('what stands in the way of a new order', () => {
      it('is found by client order id, by control and by idempotency key', async () => {
        const byId = record();
        const byControl = record();
        const byKey = record({ idempotencyKey: 'key' });
        const elsewhere = record({ clientOrderId: byId.order.clientOrderId, merchantId: 2 });
        await store.commit(starts(byId, byControl, byKey, elsewhere, record()));
        const found = await store.findExisting({
          merchantId: 1,
          clientOrderId: byId.order.clientOrderId,
          control: byControl.control,
          idempotencyKey: 'key',
        });
        const expected = [byId, byControl, byKey].map(({ order, fingerprint, control, idempotencyKey }) => ({
          order,
          fingerprint,
          control,
          idempotencyKey,
        }));
        expect(found.sort((a, b) => a.order.orderId - b.order.orderId)).toEqual(expected);
      });

      it('is nothing when neither is given or known', async () => {
        await store.commit(starts(record({ control: undefined })));
        const query = { merchantId: 1, clientOrderId: 'new', control: undefined, idempotencyKey: undefined };
        expect(await store.findExisting(query)).toEqual([]);
      });
    });

    describe('due transactions', () => {
      const claim = (leaseOwner: string, now = NOW + LEASE_MS + 1, limit = 1_000) =>
        store.claimDue({ now, leaseUntil: now + LEASE_MS, leaseOwner, limit });

      it('are claimed when their lease is over, oldest first, and no more than asked for', async () => {
        const records = Array.from({ length: 30 }, () => record());
        await store.commit(starts(...records));
        expect(await claim(randomUUID(), NOW + LEASE_MS - 1)).toEqual([]);
        const first = await claim(randomUUID(), NOW + LEASE_MS + 1, 10);
        expect(first).toHaveLength(10);
        const rest = await claim(randomUUID(), NOW + LEASE_MS + 1);
        expect([...first, ...rest].map(({ orderId }) => orderId).sort()).toEqual(idsOf(records).sort());
        expect(await claim(randomUUID())).toEqual([]);
      });

      it('are never given to two claimers at once', async () => {
        // The embedded database has one session; on a server a second pool is another node.
        const second = kind.kind === 'postgres' ? await openDatabase(opened.place) : undefined;
        const claimers = [store, second ? orderStore(second) : store];
        try {
          for (let round = 0; round < 5; round++) {
            const records = Array.from({ length: 100 }, () => record());
            await store.commit(starts(...records));
            const now = NOW + LEASE_MS + 1;
            const claims = Array.from({ length: 12 }, (_, index) =>
              claimers[index % 2]!.claimDue({ now, leaseUntil: now + LEASE_MS, leaseOwner: randomUUID(), limit: 15 }),
            );
            const taken = (await Promise.all(claims)).flat().map(({ orderId }) => orderId);
            expect(new Set(taken).size).toBe(taken.length);
            expect([...taken, ...(await claim(randomUUID(), now)).map(({ orderId }) => orderId)].sort()).toEqual(
              idsOf(records).sort(),
            );
          }
        } finally {
          await second?.close();
        }
      });

      it('are not those that are final, and those with a next try only when it is time', async () => {
        const [final, open] = [record(), record()];
        await store.commit(starts(final, open));
        await store.commit(changes(change(final.order, DECLINED), change(open.order, UNKNOWN, NOW + 500)));
        const due = await claim(OWNER, NOW + 500);
        expect(due).toEqual([{ merchantId: 1, orderId: open.order.orderId, seq: 1 }]);
      });

      it('left by a process that is gone can be released at once, others keep their time', async () => {
        const [leased, waiting, final] = [record(), record(), record()];
        await store.commit(starts(leased, waiting, final));
        const asked = change(waiting.order, UNKNOWN);
        await store.commit(changes(asked, change(final.order, APPROVED)));
        const stillUnknown: Command = {
          type: 'inquired',
          seq: 1,
          leg: 1,
          answer: { word: 'pending' },
          resendable: true,
        };
        await store.commit(changes(change(asked.after, stillUnknown)));
        expect(await store.releaseLeases(NOW)).toBe(1);
        expect(await claim(OWNER, NOW)).toEqual([{ merchantId: 1, orderId: leased.order.orderId, seq: 1 }]);
      });
    });

    describe('questions ahead of their time', () => {
      const LATER = NOW + 1_000;
      const CHALLENGE: Command = {
        ...{ type: 'sent', seq: 1, leg: 1 },
        answer: { word: 'challenge', url: 'https://bank.example/confirm' },
      };
      const keyOf = ({ order: { merchantId, orderId } }: OrderRecord) => ({ merchantId, orderId, seq: 1 });
      const claim = (now: number) => store.claimDue({ now, leaseUntil: now + LEASE_MS, leaseOwner: OWNER, limit: 10 });
      const dueAt = async (one: OrderRecord) =>
        (await store.load([one.order])).get(one.order.orderId)?.transactions[0]?.dueAt;

      /** Due ten seconds after `LATER`. */
      async function challenged(): Promise<OrderRecord> {
        const one = record();
        await store.commit(starts(one));
        await store.commit(changes(change(one.order, CHALLENGE)));
        return one;
      }

      it('make a transaction due that nobody works on, and change nothing else', async () => {
        const [one, other] = [await challenged(), await challenged()];
        const before = await store.load([one.order]);
        expect(await store.dueNow(keyOf(one), LATER + 500)).toBe('due');
        expect(await claim(LATER + 500)).toEqual([keyOf(one)]);
        await store.giveBack({ ...keyOf(one), leaseUntil: LATER + 500 + LEASE_MS }, LATER + 10_000);
        expect(await store.load([one.order])).toEqual(before);
        expect(await dueAt(other)).toBe(LATER + 10_000);
        expect(await claim(LATER + 9_999)).toEqual([]);
        expect(await store.dueNow(keyOf(one), LATER + 501)).toBe('due');
      });

      it('leave alone what is due in a second', async () => {
        const one = await challenged();
        expect(await store.dueNow(keyOf(one), LATER + 9_000)).toBe('not-open');
        expect(await store.dueNow(keyOf(one), LATER + 8_999)).toBe('due');
        expect(await store.dueNow(keyOf(one), LATER + 8_999)).toBe('not-open');
      });

      it('never shorten the lease of a node at work', async () => {
        const one = await challenged();
        const sending = record();
        await store.commit(starts(sending));
        expect(await claim(LATER + 10_000)).toEqual([keyOf(one)]);
        expect(await store.dueNow(keyOf(one), LATER + 10_001)).toBe('held');
        expect(await dueAt(one)).toBe(LATER + 10_000 + LEASE_MS);
        expect(await store.dueNow(keyOf(sending), NOW)).toBe('held');
        expect(await dueAt(sending)).toBe(NOW + LEASE_MS);
      });

      it('miss nothing that its node has done with between two looks', async () => {
        const sending = record();
        await store.commit(starts(sending));
        let isAnswered = false;
        const query: Database['query'] = async (...asked) => {
          const rows = await database.query(...asked);
          if (!isAnswered) {
            isAnswered = true;
            await store.commit(changes(change(sending.order, CHALLENGE)));
          }
          return rows;
        };
        expect(await orderStore({ ...database, query }).dueNow(keyOf(sending), LATER)).toBe('held');
        expect(await store.dueNow(keyOf(sending), LATER)).toBe('due');
      });

      it('are not for what is over, or is not there', async () => {
        const over = record();
        await store.commit(starts(over));
        await store.commit(changes(change(over.order, DECLINED)));
        expect(await store.dueNow(keyOf(over), LATER)).toBe('not-open');
        expect(await store.dueNow({ ...keyOf(over), merchantId: 2 }, LATER)).toBe('not-open');
        expect(await store.dueNow({ ...keyOf(over), seq: 2 }, LATER)).toBe('not-open');
      });

      it('are given back only by the node that has the lease', async () => {
        const one = await challenged();
        await claim(LATER + 10_000);
        for (const leaseUntil of [LATER + 10_000, LATER + 10_001 + LEASE_MS]) {
          await store.giveBack({ ...keyOf(one), leaseUntil }, NOW);
          expect(await dueAt(one)).toBe(LATER + 10_000 + LEASE_MS);
        }
        await store.giveBack({ ...keyOf(await challenged()), leaseUntil: LATER + 10_000 }, NOW);
        expect(await claim(NOW)).toEqual([]);
      });
    });

    describe('forgetting', () => {
      const SEVEN_DAYS_MS = 7 * 24 * 60 * 60 * 1000;

      it('takes security codes after their time, idempotency keys after seven days', async () => {
        const one = record({ idempotencyKey: 'k' });
        await store.commit(starts(one));
        const { merchantId, clientOrderId } = one.order;
        const codeIsThere = async () => (await store.loadCards({ ...one.order, seq: 1 })).sealedCvv !== undefined;
        const keyIsThere = async () =>
          (await store.findExisting({ merchantId, clientOrderId, control: undefined, idempotencyKey: undefined }))[0]
            ?.idempotencyKey === 'k';
        await store.forgetExpired(NOW + CVV_MS);
        expect([await codeIsThere(), await keyIsThere()]).toEqual([true, true]);
        await store.forgetExpired(NOW + CVV_MS + 1);
        expect([await codeIsThere(), await keyIsThere()]).toEqual([false, true]);
        await store.forgetExpired(NOW + SEVEN_DAYS_MS + 1);
        expect(await keyIsThere()).toBe(false);
        expect((await store.loadCards({ ...one.order, seq: 1 })).card).toEqual(one.cards[0]);
      });
    });

    describe('the caps hold below the rules', () => {
      it.each([
        ['authorised more than was asked for', { authorised: 1043n }],
        ['captured more than authorised', { authorised: 1000n, captured: 1001n }],
        ['reversed more than captured', { authorised: 1042n, captured: 1000n, reversed: 1001n }],
        ['below zero', { authorised: -1n }],
      ])('%s', async (_, sums) => {
        const one = record();
        await store.commit(starts(one));
        const decided = change(one.order, DECLINED);
        const broken = { ...decided, after: { ...decided.after, ...sums } };
        await expect(store.commit(changes(broken))).rejects.toMatchObject({ sqlState: '23514' });
        expect(await load(one)).toEqual(one.order);
      });
    });
  });
}

describe.skipIf(!postgres.available)('the plans of the hot statements', () => {
  const BATCH = 100;
  const BIG = 20_000;
  let opened: OpenedDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    opened = await postgres.openMigrated();
    client = new pg.Client({ connectionString: opened.place.url! });
    await client.connect();
    // The tests say when tables are analysed: here they shrink, which they never do in a gateway.
    const tables = await client.query(
      `select t.relid::regclass::text as name from unnest($1::regclass[]) n, pg_partition_tree(n) t where t.isleaf
       union select n::text from unnest($1::regclass[]) n where (select relkind from pg_class where oid = n) = 'r'`,
      [`{${TABLES}}`],
    );
    for (const { name } of tables.rows) await client.query(`alter table ${name} set (autovacuum_enabled = off)`);
  });

  afterAll(async () => {
    await client?.end();
    await opened?.drop();
  });

  /** What is sent to a database, without sending it. */
  async function stepsOf(work: (database: Database) => Promise<unknown>): Promise<Step[]> {
    const steps: Step[] = [];
    const listening = {
      flight: async (sent: readonly Step[]) => {
        steps.push(...sent);
        return sent.map(() => []);
      },
      query: async (statement: Statement, values: readonly unknown[]) => {
        steps.push({ statement, values });
        return [];
      },
    } as unknown as Database;
    await work(listening);
    return steps;
  }

  const stepOf = async (batch: Parameters<OrderStore['commit']>[0]) =>
    (await stepsOf((database) => orderStore(database).commit(batch)))[0] as Step;

  type Plan = {
    'Node Type': string;
    'Relation Name'?: string;
    'Index Name'?: string;
    'Index Cond'?: string;
    Plans?: Plan[];
  };

  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

  /** The values as SQL writes them: columns are sent in binary, so PostgreSQL itself is asked for their text. */
  async function literalsOf({ statement, values }: Step): Promise<string> {
    const casts = [...statement.text.matchAll(/\$(\d+)::(\w+(?:\[\])?)/g)];
    const types = new Map(casts.map(([, place, type]) => [Number(place), type]));
    const literals = values.map((_, index) => `quote_nullable($${index + 1}::${types.get(index + 1) ?? 'text'}::text)`);
    const text = `select ${literals.join(', ')}`;
    const { rows } = await client.query({ text, values: [...values], rowMode: 'array' });
    return rows[0]!.join(', ');
  }

  /** Runs a prepared statement and leaves nothing of it, so that it can be run again. */
  async function execute(prepared: string): Promise<void> {
    await client.query('begin');
    await client.query(`execute ${prepared}`);
    await client.query('rollback');
  }

  /** The plan of a prepared statement, after it ran `times` times in this connection. */
  async function planOf(step: Step, times: number): Promise<Plan[]> {
    const { statement } = step;
    const literals = await literalsOf(step);
    await client.query(`prepare hot as ${statement.text}`);
    try {
      for (let time = 0; time < times; time++) await execute(`hot(${literals})`);
      const explained = await client.query(`explain (format json) execute hot(${literals})`);
      return nodesOf(explained.rows[0]['QUERY PLAN'][0].Plan);
    } finally {
      await client.query('deallocate hot');
    }
  }

  const isScan = (node: Plan) => node['Relation Name'] !== undefined && node['Node Type'].includes('Scan');

  /** Each table, the index it is looked into, and for what; a lookup may go by way of a bitmap. */
  const scansIn = (nodes: readonly Plan[]) =>
    nodes.filter(isScan).map((node) => {
      const index = node['Node Type'] === 'Bitmap Heap Scan' ? node.Plans?.[0] : node;
      const looksFor = [...(index?.['Index Cond'] ?? '').matchAll(/\((\w+) = /g)].map(([, column]) => column);
      return [node['Relation Name'], index?.['Index Name'], ...looksFor];
    });

  // The whole key, the shard too: every statement names it.
  const BY_KEY = {
    orders: ['orders', 'orders_pkey', 'merchant_id', 'order_id', 'shard'],
    transactions: ['transactions', 'transactions_pkey', 'merchant_id', 'order_id', 'seq', 'shard'],
    transactionsOf: ['transactions', 'transactions_pkey', 'merchant_id', 'order_id', 'shard'],
    readings: ['control_readings', 'control_readings_pkey', 'merchant_id', 'digest', 'shard'],
    cards: ['cards', 'cards_pkey', 'merchant_id', 'card_id', 'shard'],
  };

  /** Every scan is a lookup by a primary key, and these are among them. */
  const expectByKey = (plan: readonly Plan[], ...expected: string[][]) => {
    const scans = scansIn(plan);
    for (const scan of scans) expect(Object.values(BY_KEY)).toContainEqual(scan);
    for (const scan of expected) expect(scans).toContainEqual(scan);
  };

  const newReadings = (count: number) =>
    Array.from({ length: count }, () => ({
      merchantId: 1,
      digest: randomBytes(20),
      reading: randomBytes(32),
      at: NOW,
    }));

  async function expectLookups(existing: readonly Order[]): Promise<void> {
    const some = existing.slice(0, BATCH);
    const insert = await stepOf(starts(...Array.from({ length: BATCH }, () => record())));
    const update = await stepOf(changes(...some.map((order) => change(order, APPROVED))));
    const decline = await stepOf(changes(...some.map((order) => change(order, DECLINED))));
    const [orders, transactions] = (await stepsOf((database) => orderStore(database).load(some))) as [Step, Step];
    const [, readings] = (await stepsOf((database) => controlMemory(database).remember(newReadings(BATCH)))) as Step[];
    const [one] = some as [Order];
    const views = await stepsOf((database) => findOrderViews(database, some));
    const view = await stepsOf((database) => orderFinder(database)({ ...one, orderId: undefined }));
    // Nobody answers, which it does not expect.
    const cards = await stepsOf((database) =>
      orderStore(database)
        .loadCards({ ...one, seq: 1 })
        .catch(() => {}),
    );
    for (const times of [0, 8]) {
      // The update looks up the fingerprint of a card when a payment is declined.
      expectByKey(await planOf(insert, times));
      expectByKey(await planOf({ ...insert, statement: insertOrders }, times));
      expectByKey(await planOf(update, times), BY_KEY.orders, BY_KEY.transactions);
      expectByKey(await planOf(decline, times), BY_KEY.orders, BY_KEY.transactions);
      expect(scansIn(await planOf(orders, times))).toEqual([BY_KEY.orders]);
      expect(scansIn(await planOf(transactions, times))).toEqual([BY_KEY.transactionsOf]);
      expect(scansIn(await planOf(readings as Step, times))).toEqual([BY_KEY.readings]);
      for (const step of [...views, ...view, ...cards]) expectCardsByKey(await planOf(step, times));
    }
  }

  /** A merchant has as many cards as orders: each is looked up by itself. */
  function expectCardsByKey(plan: readonly Plan[]): void {
    const scans = scansIn(plan).filter(([table]) => table === 'cards');
    expect(scans).toEqual([BY_KEY.cards, BY_KEY.cards]);
  }

  async function fill(count: number): Promise<Order[]> {
    const store = orderStore(opened.database);
    const memory = controlMemory(opened.database);
    const records = Array.from({ length: count }, () => record());
    for (let from = 0; from < count; from += 500) {
      const part = records.slice(from, from + 500);
      await store.commit(starts(...part));
      await memory.remember(newReadings(part.length));
    }
    return records.map(({ order }) => order);
  }

  it('are lookups by primary key on an empty table', async () => {
    await expectLookups(Array.from({ length: BATCH }, () => record().order));
  });

  it('are lookups by primary key on a fresh table, before and after it is analysed', async () => {
    const orders = await fill(300);
    await expectLookups(orders);
    await client.query('analyze');
    await expectLookups(orders);
  });

  it('are lookups by primary key on a big table, before and after it is analysed', async () => {
    const orders = await fill(BIG);
    await expectLookups(orders);
    await client.query('analyze');
    await expectLookups(orders);
  });

  /** How often a plan was made for one run alone, in so many runs of a prepared statement. */
  async function plansMade(step: Step, times: number): Promise<number> {
    const literals = await literalsOf(step);
    await client.query(`prepare hot as ${step.statement.text}`);
    try {
      for (let time = 0; time < times; time++) await execute(`hot(${literals})`);
      const { rows } = await client.query("select custom_plans::int from pg_prepared_statements where name = 'hot'");
      return rows[0].custom_plans;
    } finally {
      await client.query('deallocate hot');
    }
  }

  it.each([1, 2, 5])('are planned once, also for batches of %i', async (size) => {
    const some = await fill(size);
    const insert = await stepsOf((database) => orderStore(database).commit(starts(...some.map(() => record()))));
    const moves = await Promise.all(
      [APPROVED, DECLINED].map((command) => stepOf(changes(...some.map((order) => change(order, command))))),
    );
    const views = await stepsOf((database) => findOrderViews(database, some));
    const readings = await stepsOf((database) => controlMemory(database).remember(newReadings(size)));
    const steps = [...insert, ...moves, ...views, ...readings].filter(({ values }) => values.length > 0);
    // PostgreSQL tries five plans for one run each, whatever they are, before it compares.
    for (const step of steps)
      expect([step.statement.name, await plansMade(step, 12)]).toEqual([step.statement.name, 5]);
  });

  it('stay lookups when they were cached on an empty table that then grew', async () => {
    await client.query(`truncate ${TABLES}`);
    const insert = await stepOf(starts(...Array.from({ length: BATCH }, () => record())));
    const update = await stepOf(changes(...Array.from({ length: BATCH }, () => change(record().order, APPROVED))));
    const decline = await stepOf(changes(...Array.from({ length: BATCH }, () => change(record().order, DECLINED))));
    for (const step of [insert, update, decline]) {
      const { statement } = step;
      const literals = await literalsOf(step);
      await client.query(`prepare "${statement.name}" as ${statement.text}`);
      for (let time = 0; time < 8; time++) await execute(`"${statement.name}"(${literals})`);
    }
    const orders = await fill(2_000);
    for (const command of [APPROVED, DECLINED]) {
      const again = await stepOf(changes(...orders.slice(0, BATCH).map((order) => change(order, command))));
      const literals = await literalsOf(again);
      const explained = await client.query(`explain (format json) execute "${again.statement.name}"(${literals})`);
      expectByKey(nodesOf(explained.rows[0]['QUERY PLAN'][0].Plan), BY_KEY.orders, BY_KEY.transactions);
    }
  });
});
