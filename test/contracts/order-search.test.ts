// Searches for orders, requests and callbacks, on both databases: whatever is asked for, the pages together are what a
// filter over all rows finds, and on PostgreSQL every walk is along its index.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serialNumbersSince } from '../../src/domain/ids/serial-times.ts';
import { type Stage, stages } from '../../src/domain/order/stages.ts';
import { isListedById } from '../../src/domain/search/order-lead.ts';
import type { OrderSearch } from '../../src/domain/search/order-search.ts';
import { ofShard } from '../../src/storage/cluster/over-shards.ts';
import type { Database, Row, Statement } from '../../src/storage/database.ts';
import { callbackStore, callbackWalks } from '../../src/storage/orders/callbacks.ts';
import { type OrderPlace, orderWalks } from '../../src/storage/orders/order-search.ts';
import { type SeededOrder, seedStore } from '../../src/storage/orders/seeded-orders.ts';
import { timelineStore } from '../../src/storage/orders/timelines.ts';
import { journalWalks } from '../../src/storage/requests/journal-search.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { EVERY_ORDER } from './sought-orders.ts';
import { storedCard } from './stored-card.ts';

const NOW = Date.UTC(2027, 0, 1);
const ORDERS = 1_500;
const MERCHANTS = [1, 2, 3];
const MINUTE = 60_000;

function seeded(index: number): SeededOrder {
  // Ids alone do not tell which is newer: nodes take them in blocks.
  const orderId = 1 + (index % 2 === 0 ? index : index + 10_000);
  const merchantId = index % 10 === 0 ? 2 : index % 7 === 0 ? 3 : 1;
  const lastFour = String(1000 + (index % 40)).padStart(4, '0');
  return {
    merchantId,
    orderId,
    endpointId: merchantId * 100 + (index % 2),
    currency: index % 3 === 0 ? 'EUR' : 'USD',
    payer: index % 50,
    traceId: 100_000 + orderId,
    createdAt: NOW + Math.floor(index / 2) * MINUTE,
    card: { ...storedCard(orderId), bin: index % 4 === 0 ? '411111' : '555555', lastFour },
  };
}

/** What a person could know of an order. */
type Known = Row & { readonly transactions: readonly Row[] };

const everything = {
  name: 'everything-known',
  text: `select o.order_id::int as id, o.merchant_id::int as merchant, o.client_order_id, o.operation, o.currency,
      o.amount::int as amount, o.endpoint_id::int as endpoint, o.card_ends, o.created_at, o.details,
      (select json_agg(t order by t.seq) from transactions t where t.shard = o.shard and t.order_id = o.order_id) as transactions
    from orders o`,
};

/** What made an order end without money. */
function reasonOf(own: Row | undefined): string | undefined {
  const { stage, decline_code, filter_reason } = own ?? {};
  if (stage === 'declined') return String(decline_code);
  if (stage === 'filtered') return String(filter_reason);
  return stage === 'error' ? 'error' : undefined;
}

/** What a filter over all rows finds, in no way as the store does it. */
function fits(one: Known, search: OrderSearch): boolean {
  const at = (one.created_at as Date).getTime();
  const details = one.details as Record<string, string>;
  const own = one.transactions.filter(({ original_seq }) => original_seq === null).at(-1);
  const has = (name: string, value: unknown) => one.transactions.some((t) => t[name] === value);
  const { card, amounts } = search;
  return [
    search.from === undefined || at >= search.from,
    search.to === undefined || at < search.to,
    search.orderId === undefined || one.id === search.orderId,
    search.clientOrderId === undefined || one.client_order_id === search.clientOrderId,
    search.rrn === undefined || has('rrn', search.rrn),
    search.approvalCode === undefined || has('approval_code', search.approvalCode),
    search.email === undefined || details.email?.toLowerCase() === search.email.toLowerCase(),
    search.address === undefined || details.ipAddress === search.address,
    card === undefined || String(one.card_ends).endsWith(card.lastFour),
    card?.bin === undefined || String(one.card_ends).startsWith(card.bin),
    amounts === undefined || (Number(one.amount) >= amounts.least && Number(one.amount) <= amounts.most),
    search.currency === undefined || one.currency === search.currency,
    search.status === undefined || stages[own?.stage as Stage].status === search.status,
    search.reason === undefined || reasonOf(own) === search.reason,
    search.operation === undefined || one.operation === search.operation,
    search.endpointId === undefined || one.endpoint === search.endpointId,
    // What a rule has stopped went to no terminal.
    search.terminal === undefined || (has('terminal', search.terminal) && own?.stage !== 'filtered'),
  ].every(Boolean);
}

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`searches, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let database: Database;
    let known: readonly Known[];

    beforeAll(async () => {
      opened = await kind.openMigrated();
      database = opened.database;
      const all = Array.from({ length: ORDERS }, (_, index) => seeded(index));
      for (let from = 0; from < ORDERS; from += 1_000) await seedStore(database).write(all.slice(from, from + 1_000));
      await database.script('analyze');
      known = (await database.query(everything)) as Known[];
    });
    afterAll(() => opened?.drop());

    async function pagesOf(merchantIds: readonly number[], search: OrderSearch, limit: number): Promise<number[]> {
      const { search: find } = timelineStore(database);
      const found: number[] = [];
      for (let after: OrderPlace | undefined; ; ) {
        const page = await find({ merchantIds, search, after, limit });
        expect(page.found.length).toBeLessThanOrEqual(limit);
        found.push(...page.found.map(({ orderId }) => orderId));
        if (page.next === undefined) return found;
        expect(page.next).not.toEqual(after);
        after = page.next;
      }
    }

    function expected(merchantIds: readonly number[], search: OrderSearch): number[] {
      const time = (one: Known) => (isListedById(search) ? 0 : (one.created_at as Date).getTime());
      return known
        .filter((one) => merchantIds.includes(Number(one.merchant)) && fits(one, search))
        .toSorted((a, b) => time(b) - time(a) || Number(b.id) - Number(a.id))
        .map(({ id }) => Number(id));
    }

    /** Something of one order, so that most searches find it; and now and then something of another. */
    function searchFor(one: Known, names: readonly (keyof OrderSearch)[]): OrderSearch {
      const [first] = one.transactions as [Row];
      const at = (one.created_at as Date).getTime();
      const amount = BigInt(one.amount as number);
      const details = one.details as Record<string, string>;
      const ends = String(one.card_ends);
      const all: OrderSearch = {
        orderId: one.id as number,
        clientOrderId: one.client_order_id as string,
        rrn: (first.rrn as string | null) ?? 'none',
        approvalCode: (first.approval_code as string | null) ?? 'none',
        card: { bin: amount % 2n === 0n ? ends.slice(0, 6) : undefined, lastFour: ends.slice(-4) },
        email: details.email?.toUpperCase(),
        address: details.ipAddress,
        amounts: { least: amount - 500n, most: amount + 500n },
        currency: one.currency as string,
        status: stages[first.stage as Stage].status,
        reason: reasonOf(first) ?? '116',
        operation: one.operation as OrderSearch['operation'],
        endpointId: one.endpoint as number,
        terminal: 'demo-bank',
        from: at - 600 * MINUTE,
        to: at + 600 * MINUTE,
      };
      return { ...EVERY_ORDER, ...Object.fromEntries(names.map((name) => [name, all[name]])) };
    }

    it('finds what a filter over all rows finds, whatever is combined', async () => {
      const names = fc.subarray(Object.keys(EVERY_ORDER) as (keyof OrderSearch)[], { maxLength: 4 });
      const whose = fc.subarray(MERCHANTS, { minLength: 1 });
      await fc.assert(
        fc.asyncProperty(
          fc.nat(ORDERS - 1),
          names,
          whose,
          fc.integer({ min: 5, max: 200 }),
          async (at, used, ids, limit) => {
            const search = searchFor(known[at] as Known, used);
            expect(await pagesOf(ids, search, limit)).toEqual(expected(ids, search));
          },
        ),
        { numRuns: 40 },
      );
    });

    it.each(Object.keys(EVERY_ORDER) as (keyof OrderSearch)[])(
      'finds orders by %s alone',
      async (name) => {
        for (const at of [0, 1, 777]) {
          const search = searchFor(known[at] as Known, [name]);
          expect(await pagesOf(MERCHANTS, search, 400)).toEqual(expected(MERCHANTS, search));
        }
      },
      120_000,
    );

    it.each(['filtered', 'error', 'unknown', 'declined'] as const)(
      'finds orders that are %s',
      async (status) => {
        const search = { ...EVERY_ORDER, status };
        expect(await pagesOf(MERCHANTS, search, 50)).toEqual(expected(MERCHANTS, search));
      },
      120_000,
    );

    it('stays where it was while new orders come', async () => {
      const { search: find } = timelineStore(database);
      const asked = { merchantIds: MERCHANTS, search: EVERY_ORDER, limit: 10 };
      const first = await find({ ...asked, after: undefined });
      const second = await find({ ...asked, after: first.next });
      const newer = { ...seeded(ORDERS), orderId: 900_000, traceId: 900_001 };
      await seedStore(database).write([newer]);
      expect(await find({ ...asked, after: first.next })).toEqual(second);
      await database.script(
        `${['orders', 'transactions', 'order_events', 'ledger_entries', 'callbacks', 'journal']
          .map((table) => `delete from ${table} where order_id = 900000`)
          .join('; ')}; delete from cards where card_id = 900000`,
      );
    });

    it('finds nothing of merchants that were not asked for', async () => {
      const theirs = known.find(({ merchant }) => merchant === 2) as Known;
      for (const name of ['orderId', 'clientOrderId', 'rrn', 'email', 'card'] as const) {
        const found = await pagesOf([1, 3], searchFor(theirs, [name]), 500);
        const own = new Set(known.filter(({ merchant }) => merchant !== 2).map(({ id }) => id));
        expect(found.filter((id) => !own.has(id))).toEqual([]);
      }
    });

    it('finds requests by everything they can be found by', async () => {
      const { requests } = timelineStore(database);
      const lines = (await database.query({
        name: 'every-line',
        text: 'select serial_number, merchant_id::int as merchant, order_id::int as id, operation, http_status, error_code from journal',
      })) as Row[];
      const nothing = { orderId: undefined, operation: undefined, httpStatus: undefined, errorCode: undefined };
      const any = { ...nothing, refused: undefined, pathId: undefined, from: undefined, to: undefined };
      const cases = [
        [{}, () => true],
        [{ refused: true }, (one: Row) => one.error_code !== null],
        [{ refused: false, operation: 'RETURN' }, (one: Row) => one.error_code === null && one.operation === 'RETURN'],
        [{ errorCode: 2 }, (one: Row) => one.error_code === 2],
        [{ httpStatus: 400 }, (one: Row) => one.http_status === 400],
        [{ orderId: known[4]?.id as number }, (one: Row) => one.id === known[4]?.id],
      ] as const;
      for (const [search, isSought] of cases) {
        const found: string[] = [];
        for (let before: string | undefined = serialNumbersSince(NOW * 2); before !== undefined; ) {
          const asked = { merchantIds: [1, 2], search: { ...any, ...search }, limit: 150 };
          const page: Awaited<ReturnType<typeof requests>> = await requests({
            ...asked,
            from: serialNumbersSince(0),
            before,
          });
          found.push(...page.found.map(({ serialNumber }) => serialNumber));
          before = page.next;
        }
        const sought = lines.filter((one) => Number(one.merchant) < 3 && isSought(one)).map((one) => one.serial_number);
        expect(found).toEqual((sought as string[]).toSorted().toReversed());
      }
    });

    // Whatever the planner is told, it walks along the index, and never through the table.
    if (kind.kind === 'postgres') {
      const values = (count: number, more: Readonly<Record<number, unknown>>) =>
        Array.from({ length: count }, (_, index) => more[index + 1] ?? null);
      const far = new Date(NOW * 2);

      it.each([
        ['orderId', 'orders_pkey'],
        ['clientOrderId', 'orders_client_order_id'],
        ['email', 'orders_by_email'],
        ['card', 'orders_by_card'],
        ['address', 'orders_by_address'],
        ['time', 'orders_by_time'],
        ['rrn', 'transactions_by_rrn'],
        ['approvalCode', 'transactions_by_approval_code'],
        ['status', 'transactions_unusual'],
      ] as const)('orders by %s are on %s', async (lead, index) => {
        const sought = searchFor(known[5] as Known, [lead === 'time' ? 'currency' : lead]);
        const isById = ['rrn', 'approvalCode', 'status'].includes(lead);
        const key = isById ? { 2: 10 ** 9, 3: 4_000, 4: 101 } : { 2: far, 3: 0, 4: 4_000, 5: 101 };
        const first = isById ? 5 : 6;
        const { orderId, clientOrderId, rrn, approvalCode, email, card, address } = sought;
        const asked = [
          new Date(0),
          orderId,
          clientOrderId,
          rrn,
          approvalCode,
          email,
          card?.lastFour,
          card?.bin,
          address,
        ];
        const filters = Object.fromEntries(asked.map((value, at) => [first + at, value]));
        const status = lead === 'status' ? { [first + 12]: 'filtered' } : {};
        await expectPlan(
          orderWalks[lead].statement,
          values(first + 17, { 1: [1], ...key, ...filters, ...status }),
          index,
        );
      });

      it.each([
        ['order', 'journal_order'],
        ['refused', 'journal_refused'],
        ['merchant', 'journal_by_merchant'],
      ] as const)('requests by %s are on %s', async (lead, index) => {
        const bounds = { 2: serialNumbersSince(NOW * 2), 3: 4_000, 4: 101, 5: serialNumbersSince(0) };
        const order = lead === 'order' ? { 6: 1 } : {};
        await expectPlan(journalWalks[lead].statement, values(11, { 1: [1], ...bounds, ...order }), index);
      });

      it.each([
        ['order', 'callbacks_pkey'],
        ['failed', 'callbacks_failed'],
        ['time', 'callbacks_by_time'],
      ] as const)('callbacks by %s are on %s', async (lead, index) => {
        const place = { 2: far, 3: 0, 4: 0, 5: 'notify', 6: 4_000, 7: 101, 8: new Date(0) };
        const order = lead === 'order' ? { 9: 1 } : {};
        await expectPlan(callbackWalks[lead].statement, values(10, { 1: [1], ...place, ...order }), index);
      });
    }

    /** In a small table the server reads all rows rather than an index, unless it is told that this is dear. */
    async function expectPlan(whole: Statement<unknown>, asked: readonly unknown[], index: string): Promise<void> {
      const { text } = database.isCluster ? ofShard(whole, 0) : whole;
      const rows = await database.transaction(async (session) => {
        if (database.isCluster) await session.script("set local citus.propagate_set_commands = 'local'");
        await session.script('set local enable_seqscan = off; set local enable_bitmapscan = off');
        return session.query({ name: `explain-${index}`, text: `explain ${text}` }, asked);
      });
      let plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      for (const { part, whole } of await partsOfIndexes()) {
        plan = plan.replace(new RegExp(`\\b${part}(_\\d+)?\\b`, 'g'), whole);
      }
      expect(plan).toMatch(new RegExp(`${index}(_\\d+)?\\b`));
      expect(plan).not.toMatch(/Seq Scan on (orders|transactions|journal|callbacks)/);
    }

    /** The index of a month, and the one of all months that it is a part of. */
    async function partsOfIndexes(): Promise<{ part: string; whole: string }[]> {
      const text = `select part.relname::text as part, whole.relname::text as whole
        from pg_inherits i join pg_class part on part.oid = i.inhrelid join pg_class whole on whole.oid = i.inhparent
        where part.relkind = 'i'`;
      return (await database.query({ name: 'parts-of-indexes', text })) as { part: string; whole: string }[];
    }

    it('finds callbacks by state', async () => {
      const { search } = callbackStore(database);
      const any = { orderId: undefined, state: undefined, from: undefined, to: undefined };
      for (const state of ['delivered', 'failed', 'waiting'] as const) {
        const { found } = await search({ merchantIds: MERCHANTS, search: { ...any, state }, limit: 500 });
        const [row] = await database.query(
          { name: 'so-many', text: 'select count(*)::int as n from callbacks where state = $1' },
          [state],
        );
        expect(found.length).toBe(Math.min(500, Number(row?.n)));
        expect(found.every((one) => one.state === state)).toBe(true);
      }
    });
  });
}
