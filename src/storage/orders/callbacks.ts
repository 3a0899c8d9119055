// Callbacks: due in the transaction that makes theirs final, claimed by destination, settled in batches with a log of
// every try. A claim takes a few of every destination at once, so that whoever has thousands waiting is not in front.

import type { CallbackName, CallbackTarget, DueCallback } from '../../domain/order/callbacks.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import type { Database, Row, Statement, Step } from '../database.ts';
import { numbers, texts } from '../wire/arrays.ts';
import { type Column, columnValues, unnest } from '../wire/columns.ts';

export type CallbackState = 'waiting' | 'delivered' | 'failed';

export type CallbackKey = OrderKey & CallbackName;

export type Callback = CallbackKey & {
  readonly destination: string;
  readonly state: CallbackState;
  /** Tries made in all, and since the schedule began. */
  readonly attempts: number;
  readonly tries: number;
  readonly scheduledAt: number;
  readonly dueAt: number | undefined;
  readonly createdAt: number;
  readonly changedAt: number;
};

/** One try to tell: what was called and what it answered, or why it did not. */
export type CallbackAttempt = {
  readonly at: number;
  readonly address: string | undefined;
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly fault: string | undefined;
  /** The beginning of the answer, masked. */
  readonly answer: string | undefined;
};

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

export type CallbackQuery = {
  readonly merchantIds: readonly number[];
  readonly orderId?: number | undefined;
  readonly state?: CallbackState | undefined;
  /** Only those of orders before this one. */
  readonly before?: number | undefined;
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
  list(query: CallbackQuery): Promise<Callback[]>;
  attempts(key: CallbackKey, limit: number): Promise<CallbackAttempt[]>;
  /** Makes one due now with its whole schedule before it; false when there is none. */
  replay(key: CallbackKey, now: number): Promise<boolean>;
};

const KEY = 'merchant_id, order_id, seq, target';

/** True of every row; lets the planner expect few of them, so that it looks each one up however small the table is. */
const FEW = (rows: string) => `${rows}.order_id = ${rows}.order_id + 0`;

const DUE: readonly Column<DueCallback>[] = [
  ['merchant_id', 'bigint', ({ order }) => order.merchantId],
  ['order_id', 'bigint', ({ order }) => order.orderId],
  ['seq', 'int', ({ seq }) => seq],
  ['stage', 'text', ({ stage }) => stage],
  ['target', 'text', ({ target }) => target],
  ['destination', 'text', ({ destination }) => destination],
  ['at', 'timestamptz', ({ at }) => at],
];

// What counts is what is written: whoever made the transaction final, its callback is due, and it is due once.
const insertDue: Statement = {
  name: 'callbacks-insert',
  text: `
    insert into callbacks (merchant_id, order_id, seq, target, destination, state, attempts, tries, scheduled_at, due_at,
      created_at, changed_at)
    select r.merchant_id, r.order_id, r.seq, r.target, r.destination, 'waiting', 0, 0, r.at, r.at, r.at, r.at
    from ${unnest('r', DUE)}
    join transactions t on t.merchant_id = r.merchant_id and t.order_id = r.order_id and t.seq = r.seq
      and t.stage = r.stage
    where ${FEW('r')}
    on conflict do nothing`,
};

/** Written behind what makes the transactions final, in the same transaction; nothing when nobody is to be told. */
export function callbackSteps(due: readonly DueCallback[]): Step[] {
  return due.length === 0 ? [] : [{ statement: insertDue, values: columnValues(DUE, due) }];
}

// Goes from destination to destination through the index, and takes what is due of each as far as there is room for it.
const claimDue: Statement = {
  name: 'callbacks-claim',
  text: `
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
    where c.merchant_id = d.merchant_id and c.order_id = d.order_id and c.seq = d.seq and c.target = d.target
      and ${FEW('d')}
    returning c.*`,
};

const SETTLED: readonly Column<SettledCallback>[] = [
  ['merchant_id', 'bigint', ({ callback }) => callback.merchantId],
  ['order_id', 'bigint', ({ callback }) => callback.orderId],
  ['seq', 'int', ({ callback }) => callback.seq],
  ['target', 'text', ({ callback }) => callback.target],
  ['lease_owner', 'uuid', ({ callback }) => callback.leaseOwner],
  ['lease_until', 'timestamptz', ({ callback }) => callback.leaseUntil],
  ['state', 'text', ({ state }) => state],
  ['due_at', 'timestamptz', ({ dueAt }) => dueAt],
  ['settled_at', 'timestamptz', ({ at }) => at],
  ['at', 'timestamptz', ({ attempt }) => attempt?.at],
  ['address', 'text', ({ attempt }) => attempt?.address],
  ['http_status', 'int', ({ attempt }) => attempt?.status],
  ['milliseconds', 'int', ({ attempt }) => attempt?.milliseconds],
  ['fault', 'text', ({ attempt }) => attempt?.fault],
  ['answer', 'text', ({ attempt }) => attempt?.answer],
];

// Somebody whose lease ran out may still report that it was taken; anything else he says is too late.
const settle: Statement = {
  name: 'callbacks-settle',
  text: `
    with rows as materialized (
      select * from ${unnest('r', SETTLED)} where ${FEW('r')}
    ), logged as (
      insert into callback_attempts (${KEY}, at, address, http_status, milliseconds, fault, answer)
      select ${KEY}, at, address, http_status, milliseconds, fault, answer from rows where at is not null
      on conflict do nothing
    )
    update callbacks c
    set state = r.state, due_at = r.due_at, lease_owner = null, changed_at = r.settled_at,
      attempts = c.attempts + (r.at is not null)::int, tries = c.tries + (r.at is not null)::int
    from rows r
    where c.merchant_id = r.merchant_id and c.order_id = r.order_id and c.seq = r.seq and c.target = r.target
      and c.state = 'waiting'
      and (r.state = 'delivered' or c.lease_owner = r.lease_owner and c.due_at = r.lease_until)`,
};

const releaseLeases: Statement = {
  name: 'callbacks-release',
  text: `update callbacks set due_at = $1, lease_owner = null where due_at > $1 and lease_owner is not null`,
};

const backlog: Statement = {
  name: 'callbacks-backlog',
  text: `select count(*)::int as due, min(due_at) as oldest from callbacks where due_at <= $1`,
};

// One merchant after the other, each by its key.
const list: Statement = {
  name: 'callbacks-list',
  text: `
    select c.* from unnest($1::bigint[]) as m(merchant_id)
    cross join lateral (
      select * from callbacks c
      where c.merchant_id = m.merchant_id and ($2::bigint is null or c.order_id = $2)
        and ($3::text is null or c.state = $3) and ($4::bigint is null or c.order_id < $4)
      order by c.order_id desc, c.seq desc, c.target desc limit $5
    ) c
    order by c.order_id desc, c.seq desc, c.target desc limit $5`,
};

const listAttempts: Statement = {
  name: 'callbacks-attempts',
  text: `
    select at, address, http_status, milliseconds, fault, answer from callback_attempts
    where merchant_id = $1 and order_id = $2 and seq = $3 and target = $4 order by at desc limit $5`,
};

const replay: Statement = {
  name: 'callbacks-replay',
  text: `
    update callbacks set state = 'waiting', tries = 0, scheduled_at = $5, due_at = $5, lease_owner = null, changed_at = $5
    where merchant_id = $1 and order_id = $2 and seq = $3 and target = $4 returning 1`,
};

export function callbackStore(database: Database): CallbackStore {
  return {
    async claimDue({ now, leaseUntil, leaseOwner, limit, room, rooms }) {
      const [places, sizes] = [texts([...rooms.keys()]), numbers([...rooms.values()])];
      const values = [new Date(now), new Date(leaseUntil), leaseOwner, places, sizes, room, limit];
      const rows = await database.query(claimDue, values);
      return rows.map((row) => ({ ...callbackFrom(row), leaseOwner, leaseUntil }));
    },

    async settle(settled) {
      await database.query(settle, columnValues(SETTLED, settled));
    },

    async releaseLeases(now) {
      await database.query(releaseLeases, [new Date(now)]);
    },

    async backlog(now) {
      const [row] = await database.query(backlog, [new Date(now)]);
      return { due: Number(row?.due ?? 0), oldest: (row?.oldest as Date | null)?.getTime() };
    },

    async list({ merchantIds, orderId, state, before, limit }) {
      return (await database.query(list, [numbers(merchantIds), orderId, state, before, limit])).map(callbackFrom);
    },

    async attempts({ merchantId, orderId, seq, target }, limit) {
      return (await database.query(listAttempts, [merchantId, orderId, seq, target, limit])).map(attemptFrom);
    },

    async replay({ merchantId, orderId, seq, target }, now) {
      return (await database.query(replay, [merchantId, orderId, seq, target, new Date(now)])).length > 0;
    },
  };
}

function callbackFrom(row: Row): Callback {
  return {
    merchantId: Number(row.merchant_id),
    orderId: Number(row.order_id),
    seq: Number(row.seq),
    target: row.target as CallbackTarget,
    destination: row.destination as string,
    state: row.state as CallbackState,
    attempts: Number(row.attempts),
    tries: Number(row.tries),
    scheduledAt: (row.scheduled_at as Date).getTime(),
    dueAt: (row.due_at as Date | null)?.getTime(),
    createdAt: (row.created_at as Date).getTime(),
    changedAt: (row.changed_at as Date).getTime(),
  };
}

export function attemptFrom(row: Row): CallbackAttempt {
  return {
    at: (row.at as Date).getTime(),
    address: (row.address as string | null) ?? undefined,
    status: row.http_status === null ? undefined : Number(row.http_status),
    milliseconds: Number(row.milliseconds),
    fault: (row.fault as string | null) ?? undefined,
    answer: (row.answer as string | null) ?? undefined,
  };
}
