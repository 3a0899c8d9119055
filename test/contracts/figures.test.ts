// Orders are counted into spans as a plain count over all of them would, whatever happened to them meanwhile, however
// late it became known, and wherever the counting was interrupted. Held on both databases.

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rangeBetween, SPAN_MS } from '../../src/domain/figures/spans.ts';
import { type Command, filtered } from '../../src/domain/order/decide.ts';
import { type Order, purposeOf } from '../../src/domain/order/order.ts';
import { isFinal, type Stage, stages } from '../../src/domain/order/stages.ts';
import { MIGRATIONS_FOLDER, migrate } from '../../src/storage/connection/migrate.ts';
import type { Database, Session } from '../../src/storage/database.ts';
import { figureCounts } from '../../src/storage/figures/counting.ts';
import { figureStore } from '../../src/storage/figures/figures.ts';
import { PIECE_ORDERS } from '../../src/storage/figures/pieces.ts';
import { findOrders } from '../../src/storage/orders/order-search.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { seedStore } from '../../src/storage/orders/seeded-orders.ts';
import { unfinishedStore } from '../../src/storage/orders/unfinished.ts';
import { APPROVED, calledOrder, changed } from './called-orders.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { EVERY_ORDER } from './sought-orders.ts';
import { storedCard } from './stored-card.ts';

const START = Date.UTC(2027, 0, 1, 23, 50);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MERCHANTS = [1, 2];

const NOTHING_KNOWN: Command = { ...APPROVED, answer: { word: 'unknown', reason: 'silence' } } as Command;
const DECLINED: Command = { ...APPROVED, answer: { word: 'declined', code: '116' } } as Command;
const inquired = (answer: object): Command =>
  ({ type: 'inquired', seq: 1, leg: 1, resendable: false, answer }) as unknown as Command;

/** What a bank says, depending on whether it is asked for the first time. */
const ANSWERS: Readonly<Record<string, (isFirst: boolean) => Command>> = {
  approved: (isFirst) => (isFirst ? APPROVED : inquired((APPROVED as { answer: object }).answer)),
  declined: (isFirst) => (isFirst ? DECLINED : inquired({ word: 'declined', code: '116' })),
  unknown: (isFirst) => (isFirst ? NOTHING_KNOWN : inquired({ word: 'unknown', reason: 'silence' })),
};

/** Like the database, until it is killed behind so many statements. */
function killedAfter(database: Database, most: number): Database {
  let left = most;
  const alive = () => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    ...database,
    query: async (...what) => {
      alive();
      return database.query(...what);
    },
    transaction: (work) =>
      database.transaction((session) => {
        const killed: Session = {
          ...session,
          query: async (...what) => {
            alive();
            return session.query(...what);
          },
          flight: async (steps) => {
            alive();
            return session.flight(steps);
          },
        };
        return work(killed);
      }),
  };
}

type Asked = { readonly name: string; readonly values: readonly unknown[]; readonly rows: readonly unknown[] };

/** Like the database, and each statement outside of a transaction is told when it was answered. */
function toldOf(database: Database, told: (asked: Asked) => unknown): Database {
  return {
    ...database,
    query: async (what: Parameters<Database['query']>[0], values = []) => {
      const rows = await database.query(what, values);
      await told({ name: what.name.replace(/-of-\d+$/, ''), values, rows });
      return rows;
    },
  } as Database;
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('new' as const), merchantId: fc.constantFrom(...MERCHANTS), late: fc.nat(9) }),
  fc.record({
    kind: fc.constant('answer' as const),
    which: fc.nat(30),
    answer: fc.constantFrom('approved', 'declined', 'unknown'),
  }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 4, 7, 90, 1500) }),
  fc.record({ kind: fc.constant('count' as const), lots: fc.nat(4) }),
  fc.record({ kind: fc.constant('kill' as const), after: fc.nat(12) }),
);

const same = (order: Order) => order;
const routed = (order: Order): Order => ({
  ...order,
  route: { terminals: ['demo-bank', 'second-bank'], reason: 'both' },
});
const standing = (stage: Stage) => (order: Order) => ({
  ...order,
  transactions: order.transactions.map((one) => ({ ...one, stage })),
});

/** Figures as they were while orders stood at one terminal each. */
const BY_TERMINAL = `
  insert into figures select 5, '2027-01-01', 1, 101, 'USD', terminal, 'sale', 'approved', '', 2, 1042
  from unnest(array['one', 'two']) terminal;
  update figures_counted set from_at = '2026-01-01', to_at = '2027-01-01 00:05'`;
const MIGRATED = `
  select sum(orders)::int as orders, count(*)::int as rows, bool_and(c.from_at = c.to_at) as "countsAgain"
  from figures, figures_counted c`;

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`figures, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let migrated: unknown;

    beforeAll(async () => {
      opened = await kind.open({ bare: true });
      database = opened.database;
      await migrate(database, MIGRATIONS_FOLDER, { upTo: 38 });
      await database.script(BY_TERMINAL);
      await migrate(database);
      await opened.spread?.();
      migrated = await database.query({ name: 'figures-migrated', text: MIGRATED });
      const rows = MERCHANTS.map((id) => `(${id}, 'shop${id}', 'Shop', true, now())`).join(', ');
      await database.script(`insert into merchants (merchant_id, login, name, enabled, created_at) values ${rows}`);
    });
    afterAll(() => opened?.drop());

    const TABLES = [
      'orders',
      'transactions',
      'order_events',
      'ledger_entries',
      'figures',
      'terminal_figures',
      'answer_times',
    ];
    const empty = () =>
      database.script(
        `${[...TABLES, 'recounted_spans'].map((table) => `delete from ${table}`).join('; ')};
         update figures_counted set from_at = null, to_at = null, at = null`,
      );
    beforeEach(empty);

    const write = async (merchantId: number, at: number, made: (order: Order) => Order = same): Promise<Order> => {
      const record = calledOrder({}, at);
      const order = made({ ...record.order, merchantId });
      await orderStore(database).commit({ starts: [{ ...record, order }], changes: [] });
      return order;
    };
    const tell = async (order: Order, command: Command, now: number): Promise<Order> => {
      const change = changed(order, command, now);
      await orderStore(database).commit({ starts: [], changes: [change] });
      return change.after;
    };
    const answer = (order: Order, word: string, now: number): Promise<Order> =>
      tell(order, ANSWERS[word]?.(purposeOf(order).stage === 'sending') as Command, now);
    const countAll = async (now: number, by = database) => {
      while (await figureCounts(by).countLot(now));
    };

    type Count = { readonly status: string; readonly at: Date; readonly merchant: number; readonly orders: number };
    const counted = async (minutes: number): Promise<string[]> => {
      const rows = (await database.query({
        name: `figures-test-${minutes}`,
        text: `select status, begins_at as at, merchant_id::int as merchant, sum(orders)::int as orders from figures
          where width = ${minutes} group by 1, 2, 3`,
      })) as Count[];
      return rows.map((one) => `${one.at.toISOString()} ${one.merchant} ${one.status} ${one.orders}`).toSorted();
    };
    const plainly = (orders: readonly Order[], minutes: number): string[] => {
      const counts = new Map<string, number>();
      for (const order of orders) {
        const begin = Math.floor(order.createdAt / (minutes * MINUTE)) * minutes * MINUTE;
        const name = `${new Date(begin).toISOString()} ${order.merchantId} ${stages[purposeOf(order).stage].status}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return [...counts].map(([name, count]) => `${name} ${count}`).toSorted();
    };

    async function play(steps: readonly Step[]): Promise<{ orders: Order[]; now: number }> {
      const orders: Order[] = [];
      let now = START;
      for (const one of steps) {
        if (one.kind === 'new') orders.push(await write(one.merchantId, now - one.late * MINUTE));
        if (one.kind === 'wait') now += one.minutes * MINUTE;
        if (one.kind === 'count') for (let lot = 0; lot < one.lots; lot++) await figureCounts(database).countLot(now);
        if (one.kind === 'kill') await countAll(now, killedAfter(database, one.after)).catch(() => {});
        const at = one.kind === 'answer' && orders.length > 0 ? one.which % orders.length : -1;
        const order = orders[at];
        if (one.kind !== 'answer' || !order || isFinal(purposeOf(order).stage)) continue;
        if (!['sending', 'asking'].includes(purposeOf(order).stage)) continue;
        orders[at] = await answer(order, one.answer, now);
      }
      return { orders, now };
    }

    it('stay to be seen after an upgrade, while all is counted again', () => {
      expect(migrated).toEqual([{ orders: 4, rows: 1, countsAgain: true }]);
    });

    it('are a plain count over the orders, after any history', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          await empty();
          const { orders, now } = await play(steps);
          await countAll(now + DAY);
          for (const minutes of [5, 60, 1440]) expect(await counted(minutes)).toEqual(plainly(orders, minutes));
        }),
        { numRuns: 25 },
      );
    });

    let seededIds = 1000;
    const seeded = (orders: number) =>
      seedStore(database).write(
        Array.from({ length: orders }, (_, index) => {
          const whose = { merchantId: (index % 2) + 1, endpointId: 101, currency: 'USD', payer: 1 };
          seededIds += 1;
          const orderId = seededIds;
          // Many were made in the same moment.
          const createdAt = START + (index % 3);
          return { ...whose, orderId, traceId: 1_000_000 + orderId, createdAt, card: storedCard(orderId) };
        }),
      );
    const SUMS = [
      'select sum(orders)::int as orders, sum(amount)::text as amount from figures where width = 1440',
      'select sum(orders)::int as orders from terminal_figures where width = 1440',
      'select sum(answers)::int as answers, max(slowest_ms)::int as slowest from answer_times where width = 1440',
    ];
    const PLAIN_SUMS = [
      'select count(*)::int as orders, sum(amount)::text as amount from transactions where original_seq is null',
      "select count(*)::int as orders from transactions where original_seq is null and stage <> 'filtered'",
      `select count(*)::int as answers, max(t.changed_at - o.created_at) from orders o join transactions t
         on t.shard = o.shard and t.merchant_id = o.merchant_id and t.order_id = o.order_id
       where t.original_seq is null and t.stage in ('approved', 'declined')`,
    ];
    const asked = (texts: readonly string[]) =>
      Promise.all(texts.map(async (text) => (await database.query({ name: `test-${text.length}`, text }))[0]));

    it('are counted in pieces of a few orders, of which every statement looks at no more', async () => {
      const all = 3 * PIECE_ORDERS + 7;
      await seeded(all);
      const looked: number[] = [];
      const pieces: number[] = [];
      const watched = toldOf(database, ({ name, values, rows }) => {
        if (name === 'figures-page') pieces.push(rows.length);
        if (name.startsWith('figures-count')) looked.push((values[1] as number[]).length);
      });
      expect(await figureCounts(watched).countLot(START + MINUTE)).toBe(true);
      expect(Math.max(...looked, ...pieces)).toBeLessThanOrEqual(PIECE_ORDERS);
      expect(pieces.reduce((sum, orders) => sum + orders, 0)).toBe(all);
      // Three are counted of each piece.
      expect(looked.reduce((sum, orders) => sum + orders, 0)).toBe(3 * all);
      const [figures, terminals, times] = await asked(SUMS);
      const [orders, tries, answers] = await asked(PLAIN_SUMS);
      expect([figures, terminals]).toEqual([orders, tries]);
      expect(times).toMatchObject({ answers: answers?.answers });
    });

    it('name orders in no statement but those of pieces', async () => {
      // Whatever else reads orders finds the first or the last of a time along the index.
      const texts = new Map<string, string>();
      const note = (what: { name: string; text: string }) => texts.set(what.name.replace(/-of-\d+$/, ''), what.text);
      await seeded(3);
      const session = (own: Session): Session => ({
        ...own,
        query: (what, values) => {
          note(what);
          return own.query(what, values);
        },
        flight: (steps) => {
          for (const one of steps) note(one.statement);
          return own.flight(steps);
        },
      });
      const noted: Database = {
        ...database,
        ...session(database),
        transaction: (work) => database.transaction((own) => work(session(own))),
      };
      await countAll(START + MINUTE, noted);
      await countAll(START + DAY, noted);
      const reading = [...texts].filter(([, text]) =>
        /\b(orders|transactions|order_events)\s/.test(text.replace(/sum\(orders\)/g, '')),
      );
      expect(reading.map(([name]) => name).toSorted()).toEqual([
        'figures-count',
        'figures-count-terminals',
        'figures-count-times',
        'figures-earliest',
        'figures-latest',
        'figures-page',
      ]);
    });

    it('are exact when orders change, come late or are counted by another between two pieces', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(12), fc.constantFrom('returned', 'made', 'other', 'answer')), { maxLength: 6 }),
          fc.constantFrom(MINUTE, DAY),
          async (meanwhile, later) => {
            await empty();
            await seeded(PIECE_ORDERS + 20);
            let open = await write(1, START);
            const events: Record<string, () => Promise<unknown>> = {
              // As a payout that came back: what is counted of an order that has ended becomes less.
              returned: async () => {
                await database.script(`update transactions set amount = amount + 1 where original_seq is null`);
                await figureCounts(database).countAgain(START, START + later);
              },
              made: () => seeded(5),
              other: () => countAll(START + later),
              answer: async () => {
                if (!isFinal(purposeOf(open).stage)) open = await answer(open, 'approved', START + later);
              },
            };
            let statements = 0;
            const busy = toldOf(database, async () => {
              const now = statements++;
              for (const [at, what] of meanwhile) if (at === now) await events[what]?.();
            });
            await countAll(START + later, busy);
            await countAll(START + 2 * DAY);
            const [figures, terminals] = await asked(SUMS);
            const [orders, tries] = await asked(PLAIN_SUMS);
            expect([figures, terminals]).toEqual([orders, tries]);
          },
        ),
        { numRuns: 12 },
      );
    });

    it('tell at once what was made in the present span, and of a late end when it is known', async () => {
      const order = await write(1, START);
      await countAll(START);
      expect(await counted(5)).toEqual(plainly([order], 5));
      const unknown = await answer(order, 'unknown', START + MINUTE);
      await countAll(START + DAY);
      const known = await answer(unknown, 'approved', START + 2 * DAY);
      await countAll(START + 2 * DAY + 1);
      expect(await counted(1440)).toEqual(plainly([known], 1440));
    });

    it('hold orders that are made up later, in time that was counted', async () => {
      const paid = async (at: number) => answer(await write(1, at), 'approved', at + 1);
      const own = [await paid(START - DAY), await paid(START - 2 * DAY), await write(1, START - 3 * DAY)];
      await countAll(START);
      const seeded = { merchantId: 2, endpointId: 102, currency: 'USD', payer: 1 };
      const days = [1, 2, 3].map((orderId) => ({
        ...{ ...seeded, orderId, traceId: 10 + orderId, card: storedCard(orderId) },
        createdAt: START - orderId * DAY,
      }));
      await seedStore(database).write(days);
      // The span with the unfinished order comes first, and moves no mark past the others.
      await countAll(START + 11 * MINUTE);
      for (const minutes of [5, 60, 1440]) {
        const all = await counted(minutes);
        expect(all.filter((one) => one.includes('Z 1 '))).toEqual(plainly(own, minutes));
        expect(all.filter((one) => / 2 \w+ 1$/.test(one))).toHaveLength(days.length);
      }
    });

    it('are counted by one node at a time', async () => {
      if (kind.kind === 'pglite') return expect(database.kind).toBe('pglite');
      await write(1, START);
      await database.transaction(async (session) => {
        await session.query({ name: 'hold-figures', text: 'select 1 from figures_counted for update' });
        expect(await figureCounts(database).countLot(START)).toBe(false);
      });
      expect(await figureCounts(database).countLot(START)).toBe(true);
    });

    it('are summed up along a range and the one before it, of those who are asked for', async () => {
      const paid = await answer(await write(1, START - 61 * MINUTE), 'approved', START - 61 * MINUTE + 700);
      await answer(await write(2, START), 'declined', START + 100);
      await countAll(START + MINUTE);
      const range = rangeBetween(START - 30 * MINUTE, START + 30 * MINUTE, START + 30 * MINUTE);
      const query = { merchantIds: MERCHANTS, endpointId: undefined, currency: undefined, range };
      const read = await figureStore(database).read(query);
      expect(read.points).toEqual([
        { at: START, status: 'declined', currency: 'USD', operation: 'sale', orders: 1, amount: 1042n },
      ]);
      expect(read.before).toMatchObject([{ status: 'approved', orders: 1, amount: paid.amount }]);
      expect(read.compared).toMatchObject([{ status: 'declined', orders: 1 }]);
      const underWay = rangeBetween(START - 30 * MINUTE, START + 30 * MINUTE, START + 2 * MINUTE);
      const { points, compared } = await figureStore(database).read({ ...query, range: underWay });
      expect([points.length, compared]).toEqual([1, []]);
      expect(read.reasons).toEqual([{ status: 'declined', reason: '116', orders: 1 }]);
      expect((await figureStore(database).read({ ...query, merchantIds: [1] })).points).toEqual([]);
      const { times } = await figureStore(database).terminals({
        ...query,
        range: rangeBetween(START - 90 * MINUTE, START, START),
      });
      expect(times).toEqual([{ terminal: 'demo-bank', cell: 8, answers: 1, slowestMs: 700 }]);
    });

    it('stand at every terminal that was asked, once and by the last try there, as lists by terminal do', async () => {
      const at = START + 1000;
      const said = (seq: number, answer: object) => ({ type: 'sent', seq, leg: 1, answer }) as unknown as Command;
      const yes = (seq: number) => ({ ...APPROVED, seq }) as Command;
      const declined = await tell(await write(1, START, routed), said(1, { word: 'declined', code: '120' }), at);
      await tell(declined, yes(2), at);
      const unsent = await tell(await write(1, START, routed), said(1, { word: 'unsent', reason: 'refused' }), at);
      await tell(unsent, yes(2), at);
      const less = await tell(await write(1, START, (order) => ({ ...order, alternatives: [500n] })), DECLINED, at);
      await tell(less, yes(2), at);
      await write(1, START);
      for (const stage of ['awaiting-payer', 'waiting', 'authenticating', 'expired', 'abandoned', 'given-up'] as const)
        await write(1, START, standing(stage));
      await write(1, START, (order) => filtered(order, 'card-blocked'));
      const refused = { type: 'authentication-refused', seq: 1, code: '190', reason: 'no' } as const;
      await tell(await write(1, START, standing('authenticating')), refused, at);
      await countAll(START + MINUTE);
      const range = rangeBetween(START - 30 * MINUTE, START + 30 * MINUTE, START + 30 * MINUTE);
      const query = { merchantIds: MERCHANTS, endpointId: undefined, currency: undefined, range };
      const { outcomes } = await figureStore(database).terminals(query);
      expect(outcomes.map((one) => `${one.terminal} ${one.status} ${one.orders}`).toSorted()).toEqual([
        'demo-bank approved 1',
        'demo-bank declined 1',
        'demo-bank error 1',
        'demo-bank processing 1',
        'second-bank approved 2',
      ]);
      for (const [terminal, orders] of [
        ['demo-bank', 4],
        ['second-bank', 2],
      ] as const) {
        const search = { ...EVERY_ORDER, terminal };
        const { found } = await findOrders(database, { merchantIds: MERCHANTS, search, after: undefined, limit: 100 });
        expect(found).toHaveLength(orders);
      }
      const { points } = await figureStore(database).read(query);
      expect(points.reduce((sum, { orders }) => sum + orders, 0)).toBe(12);
    });

    it('time answers of terminals alone, not what had none', async () => {
      await answer(await write(1, START), 'declined', START + 100);
      const silent = await answer(await write(1, START), 'unknown', START + 45_000);
      await answer(silent, 'approved', START + 60_000);
      await countAll(START + DAY);
      const range = rangeBetween(START - 30 * MINUTE, START + 30 * MINUTE, START + DAY);
      const query = { merchantIds: MERCHANTS, endpointId: undefined, currency: undefined, range };
      const { times } = await figureStore(database).terminals(query);
      expect(times).toMatchObject([{ terminal: 'demo-bank', answers: 1, slowestMs: 100 }]);
    });

    it('keep how long terminals took in time whose changes of orders are archived', async () => {
      await answer(await write(1, START), 'declined', START + 100);
      await countAll(START + DAY);
      const timed = {
        name: 'figures-test-times',
        text: 'select width, answers, slowest_ms from answer_times order by 1',
      };
      const before = await database.query(timed);
      expect(before.length).toBeGreaterThan(0);
      await database.script(
        `insert into archives values ('order_events', '2027-01', '2027-02-01', 1, 'x', 'x', now())`,
      );
      try {
        for (const events of ['as they were', 'gone']) {
          if (events === 'gone') await database.script('delete from order_events');
          await figureCounts(database).countAgain(START, START + DAY);
          await countAll(START + 2 * DAY);
          expect(await database.query(timed), events).toEqual(before);
        }
      } finally {
        await database.script('delete from archives');
      }
    });

    it('know how much is stuck, of those who are asked for', async () => {
      const first = await write(1, START);
      await write(1, START);
      const second = await write(2, START);
      const ids = `${first.orderId}, ${second.orderId}`;
      await database.script(`update transactions set stage = 'stuck' where order_id in (${ids})`);
      const { countStuck } = unfinishedStore(database);
      expect([await countStuck(), await countStuck([2]), await countStuck([])]).toEqual([2, 1, 0]);
    });

    it('know the oldest order that has not ended, as it is now', async () => {
      const first = await write(1, START);
      const second = await write(2, START + 2 * SPAN_MS);
      await countAll(START + 3 * SPAN_MS);
      const { unfinished } = figureStore(database);
      expect(await unfinished(MERCHANTS)).toMatchObject({ orders: 2, oldest: { orderId: first.orderId } });
      expect(await unfinished([2])).toMatchObject({ orders: 1, oldest: { orderId: second.orderId } });
      await answer(first, 'approved', START + 3 * SPAN_MS);
      expect(await unfinished(MERCHANTS)).toMatchObject({ oldest: { orderId: second.orderId, status: 'processing' } });
    });
  });
}
