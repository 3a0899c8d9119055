// What the deliveries rely on from the store of callbacks, held on both databases: due with what made them due and
// never without, a few of every destination, one claimer each, and results of an ended lease that change nothing.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Command, filtered } from '../../src/domain/order/decide.ts';
import type { Database, Step } from '../../src/storage/database.ts';
import {
  type CallbackAttempt,
  type CallbackClaim,
  type CallbackPlace,
  type CallbackStore,
  type ClaimedCallback,
  callbackStore,
} from '../../src/storage/orders/callbacks.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import type { OrderRecord, OrderStore } from '../../src/storage/store.ts';
import { encodeValue } from '../../src/storage/wire/encode-value.ts';
import { APPROVED, calledOrder, changed } from './called-orders.ts';
import { databaseKinds, type OpenedDatabase, postgres } from './databases.ts';

const NOW = Date.UTC(2026, 5, 1);
/** Leaves nothing out. */
const ANY = { orderId: undefined, state: undefined, from: undefined, to: undefined };
const LATER = NOW + 1_000;
const LEASE_MS = 60_000;
const DECLINED: Command = { type: 'sent', seq: 1, leg: 1, answer: { word: 'declined', code: '116' } };
const UNKNOWN: Command = { type: 'sent', seq: 1, leg: 1, answer: { word: 'unknown', reason: 'silence' } };
const TABLES = 'orders, transactions, order_events, ledger_entries, accounts, callbacks, callback_attempts';

const shop = (name: string) => ({ serverCallbackUrl: `https://${name}.example/paid` });
const both = { serverCallbackUrl: 'https://a.example/server', notifyUrl: 'https://b.example/notify' };

const claim = (changes: Partial<CallbackClaim> = {}): CallbackClaim => ({
  now: LATER,
  leaseUntil: LATER + LEASE_MS,
  leaseOwner: randomUUID(),
  limit: 100,
  room: 10,
  rooms: new Map(),
  ...changes,
});

const attempt: CallbackAttempt = {
  at: LATER,
  address: '192.0.2.1',
  status: 500,
  milliseconds: 12,
  fault: undefined,
  answer: 'sorry, "no" {never}',
};

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the callback store on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let orders: OrderStore;
    let store: CallbackStore;
    let notices = 0;

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      orders = orderStore(database, () => {
        notices += 1;
      });
      store = callbackStore(database);
    });

    afterAll(() => opened?.drop());

    beforeEach(() => database.script(`truncate ${TABLES}`));

    const listed = async () =>
      (await store.search({ merchantIds: [1], search: ANY, limit: 1_000 })).found.map(
        ({ orderId, seq, target, state }) => `${orderId}-${seq}-${target} ${state}`,
      );

    /** Orders that were approved, and so have callbacks due. */
    async function approved(...records: OrderRecord[]): Promise<void> {
      await orders.commit({ starts: records, changes: [] });
      await orders.commit({ starts: [], changes: records.map(({ order }) => changed(order, APPROVED, NOW)) });
    }

    describe('a callback comes due', () => {
      it('with the change that makes its transaction final, and not before', async () => {
        const [first, second, third] = [calledOrder(both, NOW), calledOrder({}, NOW), calledOrder(shop('c'), NOW)];
        await orders.commit({ starts: [first, second, third], changes: [] });
        expect(await listed()).toEqual([]);
        const before = notices;
        const decided = [first, second].map(({ order }) => changed(order, APPROVED, NOW));
        await orders.commit({ starts: [], changes: [...decided, changed(third.order, UNKNOWN, NOW)] });
        const { orderId } = first.order;
        expect(await listed()).toEqual([`${orderId}-1-server waiting`, `${orderId}-1-notify waiting`]);
        expect(notices).toBe(before + 1);
      });

      it('with the start of an order that is stopped, unless another order stands in the way', async () => {
        const record = calledOrder(both, NOW, 'inv-1');
        const stopped = { ...record, order: filtered(record.order, 'card-blocked') };
        const repeated = calledOrder(both, NOW, 'inv-1');
        const again = { ...repeated, order: filtered(repeated.order, 'card-blocked') };
        await orders.commit({ starts: [stopped], changes: [] });
        await orders.commit({ starts: [again], changes: [] });
        const { orderId } = record.order;
        expect(await listed()).toEqual([`${orderId}-1-server waiting`, `${orderId}-1-notify waiting`]);
      });

      it('not with a change that was decided on an old version, and once however often it is written', async () => {
        const record = calledOrder(both, NOW);
        await orders.commit({ starts: [record], changes: [] });
        const stale = changed(record.order, DECLINED, NOW);
        const doubt = changed(record.order, UNKNOWN, NOW);
        await orders.commit({ starts: [], changes: [doubt] });
        expect(await orders.commit({ starts: [], changes: [stale] })).toEqual(new Set());
        expect(await listed()).toEqual([]);
        const found = { type: 'inquired', seq: 1, leg: 1, resendable: true } as const;
        const final = changed(doubt.after, { ...found, answer: { word: 'declined', code: '116' } }, NOW);
        await orders.commit({ starts: [], changes: [final] });
        // Its acknowledgement was lost, so it is written again.
        await orders.commit({ starts: [], changes: [final] });
        expect(await listed()).toHaveLength(2);
      });
    });

    describe('a claim', () => {
      it('takes a few of every destination, as far as each has room, the oldest first', async () => {
        const records = Array.from({ length: 30 }, () => calledOrder(shop('dead'), NOW));
        await approved(...records, calledOrder(shop('a'), NOW), calledOrder(shop('z'), NOW));
        const count = async (changes: Partial<CallbackClaim>) => {
          const counts: Record<string, number> = {};
          for (const { destination } of await store.claimDue(claim(changes))) {
            counts[destination] = (counts[destination] ?? 0) + 1;
          }
          return counts;
        };
        expect(await count({ now: NOW - 1 })).toEqual({});
        expect(await count({ room: 4, rooms: new Map([['a.example:443', 0]]) })).toEqual({
          'dead.example:443': 4,
          'z.example:443': 1,
        });
        expect(await count({ rooms: new Map([['dead.example:443', 7]]) })).toEqual({
          'a.example:443': 1,
          'dead.example:443': 7,
        });
        expect(await count({ limit: 5 })).toEqual({ 'dead.example:443': 5 });
        expect(await count({})).toEqual({ 'dead.example:443': 10 });
        expect(await count({})).toEqual({ 'dead.example:443': 4 });
      });

      it('gives each to one claimer only, until its lease ends or is released', async () => {
        await approved(...Array.from({ length: 40 }, (_, index) => calledOrder(shop(`d${index % 5}`), NOW)));
        const claims = await Promise.all(Array.from({ length: 8 }, () => store.claimDue(claim({ room: 2 }))));
        const ids = claims.flat().map(({ orderId }) => orderId);
        expect(new Set(ids).size).toBe(ids.length);
        await store.claimDue(claim({ room: 100 }));
        expect(await store.claimDue(claim({ room: 100 }))).toEqual([]);
        expect(
          await store.claimDue(claim({ room: 100, now: LATER + LEASE_MS, leaseUntil: LATER + 2 * LEASE_MS })),
        ).toHaveLength(40);
        await store.releaseLeases(LATER);
        expect(await store.claimDue(claim({ room: 100 }))).toHaveLength(40);
      });
    });

    describe('a result', () => {
      const one = async (): Promise<ClaimedCallback> => {
        await approved(calledOrder(shop('a'), NOW));
        const [claimed] = await store.claimDue(claim());
        return claimed as ClaimedCallback;
      };
      const only = async () => (await store.search({ merchantIds: [1], search: ANY, limit: 10 })).found[0];

      it('is written with its try', async () => {
        const callback = await one();
        await store.settle([{ callback, state: 'waiting', dueAt: LATER + 10_000, attempt, at: LATER }]);
        expect(await only()).toMatchObject({ state: 'waiting', attempts: 1, tries: 1, dueAt: LATER + 10_000 });
        expect(await store.attempts(callback, 10)).toEqual([attempt]);
      });

      it('that only puts it back counts as no try', async () => {
        const callback = await one();
        await store.settle([{ callback, state: 'waiting', dueAt: LATER, attempt: undefined, at: LATER }]);
        expect(await only()).toMatchObject({ state: 'waiting', attempts: 0, tries: 0, dueAt: LATER });
        expect(await store.attempts(callback, 10)).toEqual([]);
      });

      it('of a lease that ended is only logged, unless it was taken', async () => {
        const callback = await one();
        const next = claim({ now: LATER + LEASE_MS, leaseUntil: LATER + 2 * LEASE_MS });
        expect(await store.claimDue(next)).toHaveLength(1);
        await store.settle([{ callback, state: 'failed', dueAt: undefined, attempt, at: LATER }]);
        expect(await only()).toMatchObject({ state: 'waiting', attempts: 0, dueAt: LATER + 2 * LEASE_MS });
        expect(await store.attempts(callback, 10)).toEqual([attempt]);
        const taken = { ...attempt, at: LATER + 1, status: 200 };
        await store.settle([{ callback, state: 'delivered', dueAt: undefined, attempt: taken, at: LATER }]);
        expect(await only()).toMatchObject({ state: 'delivered', attempts: 1, dueAt: undefined });
        // What the second claimer says afterwards changes nothing.
        const [second] = [{ ...callback, ...next, leaseOwner: next.leaseOwner }];
        await store.settle([{ callback: second, state: 'waiting', dueAt: LATER, attempt: undefined, at: LATER }]);
        expect(await only()).toMatchObject({ state: 'delivered' });
      });

      it('can be replayed, with the whole schedule before it', async () => {
        const callback = await one();
        await store.settle([{ callback, state: 'failed', dueAt: undefined, attempt, at: LATER }]);
        expect(await store.backlog(LATER)).toEqual({ due: 0, oldest: undefined });
        expect(await store.replay(callback, LATER)).toBe(true);
        expect(await only()).toMatchObject({
          state: 'waiting',
          attempts: 1,
          tries: 0,
          scheduledAt: LATER,
          dueAt: LATER,
        });
        expect(await store.backlog(LATER + 5)).toEqual({ due: 1, oldest: LATER });
        expect(await store.replay({ ...callback, seq: 9 }, LATER)).toBe(false);
      });
    });

    it('lists by order, state and page', async () => {
      const records = Array.from({ length: 5 }, () => calledOrder(both, NOW));
      await approved(...records);
      const ids = records.map(({ order }) => order.orderId);
      const page = (query: object, limit = 100, after?: CallbackPlace) =>
        store.search({ merchantIds: [1, 2], search: { ...ANY, ...query }, after, limit });
      const list = async (...asked: Parameters<typeof page>) =>
        (await page(...asked)).found.map(({ orderId }) => orderId);
      expect(await list({ orderId: ids[2] })).toEqual([ids[2], ids[2]]);
      expect(await list({}, 3)).toEqual([ids[4], ids[4], ids[3]]);
      const { next } = await page({}, 8);
      expect(await list({}, 100, next)).toEqual([ids[0], ids[0]]);
      expect(await page({}, 10)).toMatchObject({ next: undefined });
      expect(await list({ from: NOW + 60_000 })).toEqual([]);
      expect(await list({ to: NOW })).toEqual([]);
      expect(await list({ state: 'failed' })).toEqual([]);
      expect(await store.search({ merchantIds: [2], search: ANY, limit: 100 })).toMatchObject({ found: [] });
    });
  });
}

describe.skipIf(!postgres.available)('the statements of callbacks', () => {
  let opened: OpenedDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    opened = await postgres.openMigrated();
    client = new pg.Client({ connectionString: opened.place.url as string });
    await client.connect();
    await client.query('set plan_cache_mode = force_generic_plan');
  });

  afterAll(async () => {
    await client?.end();
    await opened?.drop();
  });

  /** Fills the tables, and writes down what was asked on the way. */
  async function stepsOf(count: number): Promise<Map<string, Step<unknown>>> {
    const asked = new Map<string, Step<unknown>>();
    const heard = (step: Step<unknown>) => asked.set(step.statement.name, step);
    const database: Database = {
      ...opened.database,
      query: (statement, values = []) => {
        heard({ statement, values });
        return opened.database.query(statement, values);
      },
      flight: (steps) => {
        steps.forEach(heard);
        return opened.database.flight(steps);
      },
    };
    const [orders, store] = [orderStore(database), callbackStore(database)];
    const records = Array.from({ length: count }, (_, index) => calledOrder(shop(`d${index % 50}`), NOW));
    await orders.commit({ starts: records, changes: [] });
    await orders.commit({ starts: [], changes: records.map(({ order }) => changed(order, APPROVED, NOW)) });
    const claimed = await store.claimDue(claim({ room: 2 }));
    await orders.findOrderViews(claimed);
    await store.settle(
      claimed.map((callback) => ({ callback, state: 'delivered', dueAt: undefined, attempt, at: LATER })),
    );
    return asked;
  }

  /** A parameter as it would be written in SQL; whole columns travel in PostgreSQL's binary form. */
  async function literalOf({ statement }: Step, value: unknown, index: number): Promise<string> {
    if (value === null) return 'null';
    if (!Buffer.isBuffer(value)) return `'${encodeValue(value)}'`;
    const type = new RegExp(`\\$${index + 1}::(\\w+\\[\\])`).exec(statement.text)?.[1];
    const { rows } = await client.query(`select quote_literal($1::${type}::text) as literal`, [value]);
    return rows[0].literal;
  }

  async function planOf(step: Step): Promise<string> {
    const literals: string[] = [];
    for (const [index, value] of step.values.entries()) literals.push(await literalOf(step, value, index));
    await client.query(`prepare one as ${step.statement.text}`);
    try {
      const { rows } = await client.query(`explain execute one(${literals.join(', ')})`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await client.query('deallocate one');
    }
  }

  it('look everything up, whether the tables are empty, filled or analysed', async () => {
    const names = ['callbacks-insert', 'callbacks-claim', 'callbacks-settle', 'orders-view-many'];
    const steps = await stepsOf(60);
    const expectLookups = async () => {
      for (const name of names)
        expect(await planOf(steps.get(name) as Step)).not.toMatch(/Seq Scan on (callbacks|orders|transactions)/);
    };
    await opened.database.script(`truncate ${TABLES}`);
    await expectLookups();
    await stepsOf(3_000);
    await expectLookups();
    await client.query('analyze');
    await expectLookups();
  });
});
