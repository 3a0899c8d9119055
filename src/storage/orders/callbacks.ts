// Callbacks: due in the transaction that makes theirs final, claimed by destination, settled in batches with a log of
// every try. A claim takes a few of every destination at once, so that whoever has thousands waiting is not in front.

import type { CallbackName, CallbackTarget, DueCallback } from '../../domain/order/callbacks.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import type { CallbackSearch } from '../../domain/search/request-search.ts';
import type { Database, Step } from '../database.ts';
import {
  COLUMNS,
  Columns,
  column,
  type RowOf,
  statement,
  table,
  type WalkedPage,
  walk,
  walkOn,
} from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';
import { transactions } from './order-rows.ts';

export type CallbackState = 'waiting' | 'delivered' | 'failed';

export type CallbackKey = OrderKey & CallbackName;

const callbacks = table('callbacks', ['merchantId', 'orderId', 'seq', 'target'], {
  ...transactions.key.parts,
  target: column.text<CallbackTarget>('target'),
  destination: column.text('destination'),
  state: column.text<CallbackState>('state'),
  /** Tries made in all, and since the schedule began. */
  attempts: column.int('attempts'),
  tries: column.int('tries'),
  scheduledAt: column.moment('scheduled_at'),
  dueAt: column.moment('due_at').optional(),
  createdAt: column.moment('created_at'),
  changedAt: column.moment('changed_at'),
  leaseOwner: column.uuid('lease_owner').optional(),
});

const callbackColumns = callbacks.without('leaseOwner');
export type Callback = RowOf<typeof callbackColumns.parts>;

export const callbackAttempts = table('callback_attempts', ['merchantId', 'orderId', 'seq', 'target', 'at'], {
  ...callbacks.key.parts,
  at: column.moment('at'),
  address: column.text('address').optional(),
  status: column.int('http_status').optional(),
  milliseconds: column.int('milliseconds'),
  fault: column.text('fault').optional(),
  /** The beginning of the answer, masked. */
  answer: column.text('answer').optional(),
});

/** What a try is read from, apart from the callback it is of. */
const attemptColumns = callbackAttempts.without('merchantId', 'orderId', 'seq', 'target');
/** One try to tell: what was called and what it answered, or why it did not. */
export type CallbackAttempt = RowOf<typeof attemptColumns.parts>;

export type ClaimedCallback = Callback & { readonly leaseOwner: string; readonly leaseUntil: number };

/** What becomes of a claimed callback; without an attempt it is only put back. */
export type SettledCallback = {
  readonly callback: ClaimedCallback;
  readonly state: CallbackState;
  readonly dueAt: number | undefined;
  readonly attempt: CallbackAttempt | undefined;
  readonly at: number;
};

export type CallbackClaim = {
  readonly now: number;
  readonly leaseUntil: number;
  readonly leaseOwner: string;
  readonly limit: number;
  /** How many are taken of a destination; those that are not listed have `room`. */
  readonly room: number;
  readonly rooms: ReadonlyMap<string, number>;
};

export type SoughtCallbacks = {
  readonly merchantIds: readonly number[];
  readonly search: CallbackSearch<CallbackState>;
  readonly after?: CallbackPlace | undefined;
  readonly limit: number;
};

export type CallbackStore = {
  claimDue(claim: CallbackClaim): Promise<ClaimedCallback[]>;
  settle(settled: readonly SettledCallback[]): Promise<void>;
  /** Makes every claimed callback due now: for a node that knows no other one lives. */
  releaseLeases(now: number): Promise<void>;
  /** How many are due, and since when the first of them. */
  backlog(now: number): Promise<{ due: number; oldest: number | undefined }>;
  /** The newest first. */
  search(sought: SoughtCallbacks): Promise<WalkedPage<CallbackPlace, Callback>>;
  attempts(key: CallbackKey, limit: number): Promise<CallbackAttempt[]>;
  /** Makes one due now with its whole schedule before it; false when there is none. */
  replay(key: CallbackKey, now: number): Promise<boolean>;
};

const KEY = callbacks.key.names();

/** True of every row; lets the planner expect few of them, so that it looks each one up however small the table is. */
const FEW = (rows: string) => `${rows}.order_id = ${rows}.order_id + 0`;

const DUE = new Columns({
  ...callbacks.key.parts,
  stage: transactions.parts.stage,
  destination: callbacks.parts.destination,
  at: column.moment('at'),
}).batchOfRows();

// What counts is what is written: whoever made the transaction final, its callback is due, and it is due once.
const insertDue = statement<never>('callbacks-insert')`
    insert into callbacks (${callbackColumns.names()})
    select r.merchant_id, r.order_id, r.seq, r.target, r.destination, 'waiting', 0, 0, r.at, r.at, r.at, r.at
    from ${unnest('r', DUE)}
    join transactions t on ${transactions.key.match('t', 'r')} and t.stage = r.stage
    where ${FEW('r')}
    on conflict do nothing`;

/** Written behind what makes the transactions final, in the same transaction; nothing when nobody is to be told. */
export function callbackSteps(due: readonly DueCallback[]): Step<never>[] {
  const rows = due.map(({ order, ...row }) => ({ ...row, merchantId: order.merchantId, orderId: order.orderId }));
  return rows.length === 0 ? [] : [{ statement: insertDue, values: columnValues(DUE, rows) }];
}

// Goes from destination to destination through the index, and takes what is due of each as far as there is room for it.
const claimDue = statement(
  'callbacks-claim',
  callbackColumns.of('c').with({ leaseOwner: column.uuid('c.lease_owner'), leaseUntil: column.moment('c.due_at') }),
)`
    with recursive waiting as (
      (select destination from callbacks where due_at is not null order by destination limit 1)
      union all
      select (select c.destination from callbacks c
        where c.due_at is not null and c.destination > w.destination order by c.destination limit 1)
      from waiting w where w.destination is not null
    ), taken as materialized (
      select d.* from waiting w
      left join unnest($4::text[], $5::int[]) as k(destination, room) on k.destination = w.destination
      cross join lateral (
        select ${KEY} from callbacks c
        where c.destination = w.destination and c.due_at <= $1
        order by c.due_at limit coalesce(k.room, $6) for update skip locked
      ) as d
      limit $7
    )
    update callbacks c set due_at = $2, lease_owner = $3
    from taken d
    where ${callbacks.key.match('c', 'd')} and ${FEW('d')}
    returning ${COLUMNS}`;

const SETTLED = new Columns({
  ...callbacks.pick('merchantId', 'orderId', 'seq', 'target', 'leaseOwner', 'state', 'dueAt').parts,
  leaseUntil: column.moment('lease_until'),
  settledAt: column.moment('settled_at'),
  attempt: attemptColumns.optional(),
}).batchOfRows();

// Somebody whose lease ran out may still report that it was taken; anything else he says is too late.
const settle = statement('callbacks-settle')`
    with rows as materialized (
      select * from ${unnest('r', SETTLED)} where ${FEW('r')}
    ), logged as (
      insert into callback_attempts (${callbackAttempts.names()})
      select ${callbackAttempts.names()} from rows where at is not null
      on conflict do nothing
    )
    update callbacks c
    set state = r.state, due_at = r.due_at, lease_owner = null, changed_at = r.settled_at,
      attempts = c.attempts + (r.at is not null)::int, tries = c.tries + (r.at is not null)::int
    from rows r
    where ${callbacks.key.match('c', 'r')} and c.state = 'waiting'
      and (r.state = 'delivered' or c.lease_owner = r.lease_owner and c.due_at = r.lease_until)`;

const releaseLeases = statement('callbacks-release')`
  update callbacks set due_at = $1, lease_owner = null where due_at > $1 and lease_owner is not null`;

const backlog = statement('callbacks-backlog', {
  due: column.int('count(*)::int'),
  oldest: column.moment('min(due_at)').optional(),
})`
  select ${COLUMNS} from callbacks where due_at <= $1`;

const byTime = new Columns({
  createdAt: column.moment('created_at'),
  ...callbacks.pick('orderId', 'seq', 'target').parts,
});
/** Where a page of callbacks ended. */
export type CallbackPlace = RowOf<typeof byTime.parts>;

const MERCHANT = 'c.merchant_id + 0 = m.merchant_id';

// Parameters: the first moment, the order, the state.
const walkCallbacks = (name: string, leading: (first: number) => string) =>
  walk(`callbacks-by-${name}`, {
    table: 'callbacks',
    key: byTime,
    rows: ({ behind, limit, first }) => `
          select c.* from callbacks c
          where ${leading(first)} and c.created_at >= $${first}::timestamptz
            and (c.created_at, c.order_id, c.seq, c.target) < (${behind})
          order by c.created_at desc, c.order_id desc, c.seq desc, c.target desc limit ${limit}`,
    fits: (first) =>
      `($${first + 1}::bigint is null or x.order_id = $${first + 1}) and ($${first + 2}::text is null or x.state = $${first + 2})`,
    joined: callbacks.key.match('o', 'f'),
    answers: callbackColumns.of('o'),
  });

export const callbackWalks = {
  order: walkCallbacks('order', (first) => `c.merchant_id = m.merchant_id and c.order_id = $${first + 1}`),
  failed: walkCallbacks('failure', () => `${MERCHANT} and c.state = 'failed'`),
  time: walkCallbacks('time', () => MERCHANT),
};

/** Later than any callback. */
const FAR = Date.UTC(9999, 0, 1);

async function findCallbacks(database: Database, { merchantIds, search, after, limit }: SoughtCallbacks) {
  const { orderId, state, from = 0, to = FAR } = search;
  const lead = orderId !== undefined ? 'order' : state === 'failed' ? 'failed' : 'time';
  return walkOn(database, callbackWalks[lead], {
    merchantIds,
    behind: after ?? ({ createdAt: to, orderId: 0, seq: 0, target: 'notify' } satisfies CallbackPlace),
    limit,
    values: [new Date(from), orderId, state],
    isNarrowed: lead !== 'failed' && state !== undefined,
    keyOf: ({ createdAt, orderId, seq, target }) => ({ createdAt, orderId, seq, target }),
  });
}

const listAttempts = statement('callbacks-attempts', attemptColumns)`
    select ${COLUMNS} from callback_attempts where ${callbacks.key.equal()} order by at desc limit $5`;

const replay = statement('callbacks-replay')`
    update callbacks set state = 'waiting', tries = 0, scheduled_at = $5, due_at = $5, lease_owner = null, changed_at = $5
    where ${callbacks.key.equal()} returning 1`;

export function callbackStore(database: Database): CallbackStore {
  return {
    claimDue({ now, leaseUntil, leaseOwner, limit, room, rooms }) {
      const places = [[...rooms.keys()], [...rooms.values()], room];
      return database.query(claimDue, [new Date(now), new Date(leaseUntil), leaseOwner, ...places, limit]);
    },

    async settle(settled) {
      const rows = settled.map(({ callback, at, ...outcome }) => ({ ...callback, ...outcome, settledAt: at }));
      await database.query(settle, columnValues(SETTLED, rows));
    },

    async releaseLeases(now) {
      await database.query(releaseLeases, [new Date(now)]);
    },

    async backlog(now) {
      const [row] = await database.query(backlog, [new Date(now)]);
      return row ?? { due: 0, oldest: undefined };
    },

    search: (sought) => findCallbacks(database, sought),

    attempts: (key, limit) => database.query(listAttempts, [...callbacks.key.values(key), limit]),

    replay: async (key, now) =>
      (await database.query(replay, [...callbacks.key.values(key), new Date(now)])).length > 0,
  };
}
