// Callbacks: due in the transaction that makes theirs final, claimed by destination, settled in batches with a log of
// every try. A claim takes a few of every destination at once, so that whoever has thousands waiting is not in front.

import type { CallbackName, CallbackTarget, DueCallback } from '../../domain/order/callbacks.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import type { CallbackSearch } from '../../domain/search/request-search.ts';
import { claimByShard, FIRST_SHARD, type ListShards } from '../claims.ts';
import { doAll, insertion } from '../cluster/insertion.ts';
import type { Database, Session, Step } from '../database.ts';
import {
  COLUMNS,
  Columns,
  column,
  type RowOf,
  shardOfBatch,
  shardOfId,
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

const due = new Columns({
  ...callbacks.key.parts,
  stage: transactions.parts.stage,
  destination: callbacks.parts.destination,
  at: column.moment('at'),
});
type DueRow = RowOf<typeof due.parts>;
const DUE = due.batchOfRows();

// What counts is what is written: whoever made the transaction final, its callback is due, and it is due once.
const dueInsertion = insertion('callbacks-insert', {
  into: 'callbacks',
  names: callbackColumns.names(),
  batch: DUE,
  values: "r.merchant_id, r.order_id, r.seq, r.target, r.destination, 'waiting', 0, 0, r.at, r.at, r.at, r.at",
  conflict: 'on conflict do nothing',
});

const insertDue = statement<never>('callbacks-insert')`
    ${dueInsertion.text()}
    join transactions t on ${transactions.key.among('t', 'r', shardOfId('r.merchant_id'))} and t.stage = r.stage
    where ${FEW('r')}
    on conflict do nothing`;

const selectStages = statement('callbacks-stages', transactions.pick('orderId', 'seq', 'stage').of('t'))`
    select ${COLUMNS} from unnest($1::bigint[], $2::bigint[], $3::int[]) as r(${transactions.key.names()})
    cross join lateral (
      select * from transactions t where ${transactions.key.among('t', 'r', shardOfBatch())} offset 0) t
    where ${FEW('r')}`;

async function insertApart(session: Session, rows: readonly DueRow[]): Promise<never[]> {
  const keys = [rows.map((row) => row.merchantId), rows.map((row) => row.orderId), rows.map(({ seq }) => seq)];
  const nameOf = ({ orderId, seq, stage }: Pick<DueRow, 'orderId' | 'seq' | 'stage'>) => `${orderId} ${seq} ${stage}`;
  const reached = new Set((await session.query(selectStages, keys)).map(nameOf));
  return doAll(session, dueInsertion.apart(rows.filter((row) => reached.has(nameOf(row)))));
}

/** Written behind what makes the transactions final, in the same transaction; nothing when nobody is to be told. */
export function callbackSteps(due: readonly DueCallback[]): Step<never>[] {
  const rows = due.map(({ order, ...row }) => ({ ...row, merchantId: order.merchantId, orderId: order.orderId }));
  if (rows.length === 0) return [];
  return [{ statement: insertDue, values: columnValues(DUE, rows), apart: (session) => insertApart(session, rows) }];
}

// Goes from destination to destination through the index, and takes what is due of each as far as there is room for it.
const claimDue = statement(
  'callbacks-claim',
  callbackColumns.of('c').with({ leaseOwner: column.uuid('c.lease_owner'), leaseUntil: column.moment('c.due_at') }),
)`
    with recursive waiting as (
      (select destination from callbacks where shard = $8 and due_at is not null order by destination limit 1)
      union all
      select (select c.destination from callbacks c
        where c.shard = $8 and c.due_at is not null and c.destination > w.destination order by c.destination limit 1)
      from waiting w where w.destination is not null
    ), taken as materialized (
      select d.* from waiting w
      left join unnest($4::text[], $5::int[]) as k(destination, room) on k.destination = w.destination
      cross join lateral (
        select ${KEY} from callbacks c
        where c.shard = $8 and c.destination = w.destination and c.due_at <= $1
        order by c.due_at limit coalesce(k.room, $6) for update skip locked
      ) as d
      limit $7
    )
    update callbacks c set due_at = $2, lease_owner = $3
    from taken d
    where ${callbacks.key.among('c', 'd', '$8')} and ${FEW('d')}
    returning ${COLUMNS}`;

const settledColumns = new Columns({
  ...callbacks.pick('merchantId', 'orderId', 'seq', 'target', 'leaseOwner', 'state', 'dueAt').parts,
  leaseUntil: column.moment('lease_until'),
  settledAt: column.moment('settled_at'),
  attempt: attemptColumns.optional(),
});
type SettledRow = RowOf<typeof settledColumns.parts>;
const SETTLED = settledColumns.batchOfRows();

const attemptInsertion = insertion('callback-attempts-insert', {
  into: 'callback_attempts',
  names: callbackAttempts.names(),
  batch: SETTLED,
  values: callbackAttempts.names('r.'),
  conflict: 'on conflict do nothing',
});

// Somebody whose lease ran out may still report that it was taken; anything else he says is too late.
const settling = (logged: string, shard: string) => `
    with rows as materialized (
      select * from ${unnest('r', SETTLED)} where ${FEW('r')}
    )${logged}
    update callbacks c
    set state = r.state, due_at = r.due_at, lease_owner = null, changed_at = r.settled_at,
      attempts = c.attempts + (r.at is not null)::int, tries = c.tries + (r.at is not null)::int
    from rows r
    where ${callbacks.key.among('c', 'r', shard)} and c.state = 'waiting'
      and (r.state = 'delivered' or c.lease_owner = r.lease_owner and c.due_at = r.lease_until)`;

const LOGGED = `, logged as (
      ${attemptInsertion.text('rows r')} where r.at is not null
      on conflict do nothing
    )`;

const settle = statement<never>('callbacks-settle')`${settling(LOGGED, shardOfId('r.merchant_id'))}`;
const settleAlone = statement<never>('callbacks-settle-apart')`${settling('', shardOfBatch())}`;

function settleStep(rows: readonly SettledRow[]): Step<never> {
  const values = columnValues(SETTLED, rows);
  const logged = rows.filter(({ attempt }) => attempt !== undefined);
  const apart = (session: Session) =>
    doAll(session, [...attemptInsertion.apart(logged), { statement: settleAlone, values }]);
  return { statement: settle, values, apart };
}

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

export function callbackStore(database: Database, shards: ListShards = FIRST_SHARD): CallbackStore {
  const claimEach = claimByShard(shards);
  return {
    claimDue({ now, leaseUntil, leaseOwner, limit, room, rooms }) {
      const left = new Map(rooms);
      return claimEach(limit, async (shard, most) => {
        const lease = [new Date(now), new Date(leaseUntil), leaseOwner];
        const places = [[...left.keys()], [...left.values()], room];
        const claimed = await database.query(claimDue, [...lease, ...places, most, shard]);
        // Merchants of several shards may have one destination.
        for (const { destination } of claimed) left.set(destination, (left.get(destination) ?? room) - 1);
        return claimed;
      });
    },

    async settle(settled) {
      const rows = settled.map(({ callback, at, ...outcome }) => ({ ...callback, ...outcome, settledAt: at }));
      await database.flight([settleStep(rows)]);
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
