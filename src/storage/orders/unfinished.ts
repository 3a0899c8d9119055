// Transactions that have not ended: those that wait for a person, and how old the oldest of all is.

import type { Order, OrderKey, Transaction } from '../../domain/order/order.ts';
import type { Database, Row, Statement } from '../database.ts';

/** A transaction nobody could find out about: an operator asks the bank and settles it. */
export type StuckTransaction = OrderKey &
  Pick<Order, 'endpointId' | 'clientOrderId' | 'currency'> &
  Pick<Transaction, 'seq' | 'type' | 'leg' | 'legs' | 'amount' | 'createdAt'> & {
    /** Since when it waits. */
    readonly stuckAt: number;
    /** Why the last try had no answer. */
    readonly reason: string | undefined;
  };

export type UnfinishedStore = {
  /** Those that wait longest first; `after` is where the last list ended. */
  listStuck(query: { after: number | undefined; limit: number }): Promise<StuckTransaction[]>;
  /** Keeps it from others until the transaction this is asked in is over. */
  lockStuck(orderId: number, seq: number): Promise<StuckTransaction | undefined>;
  countStuck(): Promise<number>;
  /** When the oldest transaction began that the service or a person still has to end. */
  oldestSince(now: number): Promise<number | undefined>;
};

/** The longest pause between two tries; a hold that only has to run out is mostly due later than that. */
const LONGEST_PAUSE_MS = 6 * 60 * 60 * 1000;

const sql = (name: string, text: string): Statement => ({ name: `unfinished-${name}`, text });

const STUCK = `
  select o.merchant_id, o.order_id, o.endpoint_id, o.client_order_id, o.currency, t.seq, t.type, t.leg, t.legs, t.amount,
    t.created_at, t.changed_at,
    (select e.event->>'reason' from order_events e
     where e.merchant_id = o.merchant_id and e.order_id = o.order_id and e.event->>'seq' = t.seq::text
     order by e.version desc limit 1) as reason
  from transactions t join orders o on o.merchant_id = t.merchant_id and o.order_id = t.order_id
  where t.stage = 'stuck'`;

const statements = {
  list: sql('list', `${STUCK} and t.changed_at > $1 order by t.changed_at, t.order_id, t.seq limit $2`),
  // Locked, so that of two who settle it at once the second finds that it waits no longer.
  find: sql('find', `${STUCK} and t.order_id = $1 and t.seq = $2 for update of t`),
  count: sql('count', `select count(*)::int as stuck from transactions where stage = 'stuck'`),
  // Two indexes, each over what is unfinished alone.
  oldest: sql(
    'oldest',
    `select least(
       (select min(created_at) from transactions where due_at <= $1
         and stage in ('authenticating', 'sending', 'asking', 'undoing')),
       (select min(created_at) from transactions where stage = 'stuck')) as since`,
  ),
};

export function unfinishedStore(database: Database): UnfinishedStore {
  return {
    async listStuck({ after = 0, limit }) {
      return (await database.query(statements.list, [new Date(after), limit])).map(stuckFrom);
    },
    async lockStuck(orderId, seq) {
      const [row] = await database.query(statements.find, [orderId, seq]);
      return row && stuckFrom(row);
    },
    async countStuck() {
      return (await database.query(statements.count))[0]?.stuck as number;
    },
    async oldestSince(now) {
      const [row] = await database.query(statements.oldest, [new Date(now + LONGEST_PAUSE_MS)]);
      return (row?.since as Date | null)?.getTime();
    },
  };
}

function stuckFrom(row: Row): StuckTransaction {
  return {
    merchantId: Number(row.merchant_id),
    orderId: Number(row.order_id),
    endpointId: Number(row.endpoint_id),
    clientOrderId: row.client_order_id as string,
    currency: row.currency as string,
    seq: Number(row.seq),
    type: row.type as Transaction['type'],
    leg: Number(row.leg),
    legs: Number(row.legs),
    amount: BigInt(row.amount as string),
    createdAt: (row.created_at as Date).getTime(),
    stuckAt: (row.changed_at as Date).getTime(),
    reason: (row.reason as string | null) ?? undefined,
  };
}
