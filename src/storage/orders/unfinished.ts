// Transactions that have not ended: those that wait for a person, and how old the oldest of all is.

import { ENDED_BY_SERVICE } from '../../domain/order/stages.ts';
import { overShards } from '../cluster/over-shards.ts';
import type { Database } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';
import { orders, transactions } from './order-rows.ts';
import { operationIs, stageIn, stageIs } from './order-words.ts';

/** The longest pause between two tries; a hold that only has to run out is mostly due later than that. */
const LONGEST_PAUSE_MS = 6 * 60 * 60 * 1000;

/** Of the last event about the transaction. */
const lastReason = column.text(`(
     select e.event->>'reason' from order_events e
     where ${orders.key.match('e', 'o')} and e.event->>'seq' = t.seq::text
     order by e.version desc limit 1)`);

/** A transaction nobody could find out about: an operator asks the bank and settles it. */
const stuckColumns = {
  ...orders.pick('merchantId', 'orderId', 'endpointId', 'clientOrderId', 'currency').of('o').parts,
  ...transactions.pick('seq', 'type', 'leg', 'legs', 'amount', 'createdAt').of('t').parts,
  orderedAt: orders.parts.createdAt.of('o'),
  /** Since when it waits. */
  stuckAt: transactions.parts.changedAt.of('t'),
  /** Why the last try had no answer. */
  reason: lastReason.optional(),
};

/** A payout that its merchant, or a person, has to confirm. */
const waitingColumns = {
  ...orders.pick('merchantId', 'orderId', 'endpointId', 'clientOrderId', 'currency', 'cardEnds').of('o').parts,
  ...transactions.pick('amount', 'createdAt').of('t').parts,
  payeeAccount: column.text(`(o.details ->> 'payeeAccount')`).optional(),
};

const stuck = (columns: string) => `
  select ${columns} from transactions t join orders o on ${orders.key.match('o', 't')}
  where ${stageIs('stuck', 't')}`;

const statements = {
  list: statement('unfinished-list', stuckColumns)`
    ${stuck} and t.changed_at > $1 and ($3::bigint is null or t.merchant_id = $3)
    order by t.changed_at, t.order_id, t.seq limit $2`,
  // Locked, so that of two who settle it at once the second finds that it waits no longer.
  find: statement('unfinished-find', stuckColumns)`${stuck} and t.order_id = $1 and t.seq = $2 for update of t`,
  waiting: statement('unfinished-waiting', waitingColumns)`
    select ${COLUMNS} from transactions t join orders o on ${orders.key.match('o', 't')}
    where ${stageIs('waiting', 't')} and ${operationIs('payout', 'o')} and t.merchant_id = any($1::bigint[])
    order by t.created_at, t.order_id limit $2`,
  count: statement('unfinished-count', { stuck: column.int('count(*)::int') })`
    select ${COLUMNS} from transactions
    where ${stageIs('stuck')} and ($1::bigint[] is null or merchant_id = any($1::bigint[]))`,
  // Two indexes, each over what is unfinished alone.
  oldest: statement('unfinished-oldest', {
    since: column
      .moment(`least(
       (select min(created_at) from transactions where due_at <= $1
         and ${stageIn(ENDED_BY_SERVICE)}),
       (select min(created_at) from transactions where ${stageIs('stuck')}))`)
      .optional(),
  })`select ${COLUMNS}`,
};

export type StuckQuery = {
  readonly after: number | undefined;
  readonly merchantId?: number | undefined;
  readonly limit: number;
};

export type UnfinishedStore = ReturnType<typeof unfinishedStore>;

export function unfinishedStore(database: Database) {
  return {
    /** Those that wait longest first, of one merchant or of all; `after` is where the last list ended. */
    listStuck: async ({ after = 0, merchantId, limit }: StuckQuery) =>
      (await overShards(database, statements.list, [new Date(after), limit, merchantId]))
        .toSorted((one, other) => one.stuckAt - other.stuckAt || one.orderId - other.orderId || one.seq - other.seq)
        .slice(0, limit),
    /** Keeps it from others until the transaction this is asked in is over. */
    lockStuck: async (orderId: number, seq: number) =>
      (await overShards(database, statements.find, [orderId, seq], { enough: 1 }))[0],
    /** Payouts of these merchants that wait for a confirmation, the longest first. */
    listWaitingPayouts: async (merchantIds: readonly number[], limit: number) =>
      (await overShards(database, statements.waiting, [merchantIds, limit]))
        .toSorted((one, other) => one.createdAt - other.createdAt || one.orderId - other.orderId)
        .slice(0, limit),
    /** Of all merchants, or of these. */
    countStuck: async (merchantIds?: readonly number[]) =>
      (await database.query(statements.count, [merchantIds ?? null]))[0]?.stuck ?? 0,
    /** When the oldest transaction began that the service or a person still has to end. */
    oldestSince: async (now: number) =>
      (await database.query(statements.oldest, [new Date(now + LONGEST_PAUSE_MS)]))[0]?.since,
  };
}
