// An order's story as an operator reads it: what was asked for and answered, how the order changed, what was booked, what was said
// to prove the payer, and what its merchant was told. And requests by their serial number, which is all a merchant has of one that was refused.

import type { CallbackTarget } from '../../domain/order/callbacks.ts';
import type { Order, OrderKey } from '../../domain/order/order.ts';
import type { Stage } from '../../domain/order/stages.ts';
import type { AuthenticationLine } from '../../domain/three-d-secure/authentication-record.ts';
import type { Database, Row, Statement } from '../database.ts';
import { JOURNAL_LINE, type JournalLine } from '../journal.ts';
import { numbers } from '../wire/arrays.ts';
import { names } from '../wire/columns.ts';
import { attemptFrom, type CallbackAttempt } from './callbacks.ts';

export type ListedOrder = OrderKey &
  Pick<Order, 'endpointId' | 'clientOrderId' | 'operation' | 'currency' | 'amount' | 'createdAt'> & {
    /** Of the latest try at what the order is for. */
    readonly stage: Stage;
  };

/** A line of the journal, its texts read. */
export type JournaledRequest = Omit<JournalLine, 'pathId' | 'request' | 'reply'> & {
  readonly request: unknown;
  readonly reply: unknown;
};

export type Change = { readonly at: number; readonly version: number; readonly event: Row };

export type Booking = {
  readonly seq: number;
  readonly account: string;
  readonly currency: string;
  readonly amount: bigint;
};

/** A message of 3-D Secure, masked. */
export type Said = AuthenticationLine & { readonly seq: number };

export type Told = CallbackAttempt & { readonly seq: number; readonly target: CallbackTarget };

/** Each the latest first, and of each no more than the limit. */
export type Timeline = {
  readonly requests: readonly JournaledRequest[];
  readonly changes: readonly Change[];
  readonly said: readonly Said[];
  readonly told: readonly Told[];
  readonly bookings: readonly Booking[];
  /** Requests for the order's status. They are many and all alike. */
  readonly polls: { readonly count: number; readonly lastAt: number | undefined };
};

export type TimelineStore = {
  /** Of these merchants, the newest first; `before` is where the last list ended. */
  list(query: { merchantIds: readonly number[]; before: number | undefined; limit: number }): Promise<ListedOrder[]>;
  /** Order ids are unique among all merchants. */
  merchantOf(orderId: number, merchantIds: readonly number[]): Promise<number | undefined>;
  read(key: OrderKey, limit: number): Promise<Timeline>;
  findRequest(serialNumber: string): Promise<JournaledRequest | undefined>;
};

const sql = (name: string, text: string): Statement => ({ name: `timelines-${name}`, text });

const LINE = names(JOURNAL_LINE);
const OF_ORDER = 'merchant_id = $1 and order_id = $2';
const IS_POLL = `coalesce(operation, '') = 'STATUS'`;

const statements = {
  list: sql(
    'list',
    `select o.*, (
       select t.stage from transactions t
       where t.merchant_id = o.merchant_id and t.order_id = o.order_id and t.original_seq is null
       order by t.seq desc limit 1) as stage
     from unnest($1::bigint[]) as m(merchant_id)
     cross join lateral (
       select merchant_id, order_id, endpoint_id, client_order_id, operation, currency, amount, created_at from orders o
       where o.merchant_id = m.merchant_id and ($2::bigint is null or o.order_id < $2)
       order by o.order_id desc limit $3
     ) o
     order by o.order_id desc limit $3`,
  ),
  merchant: sql('merchant', 'select merchant_id from orders where merchant_id = any($1::bigint[]) and order_id = $2'),
  requests: sql(
    'requests',
    `select ${LINE} from journal where ${OF_ORDER} and not ${IS_POLL} order by at desc limit $3`,
  ),
  polls: sql(
    'polls',
    `select count(*)::int as count, max(at) as last_at from journal where ${OF_ORDER} and ${IS_POLL}`,
  ),
  changes: sql(
    'changes',
    `select at, version, event from order_events where ${OF_ORDER} order by version desc limit $3`,
  ),
  said: sql('said', `select seq, transcript from authentications where ${OF_ORDER} order by seq desc`),
  told: sql(
    'told',
    `select seq, target, at, address, http_status, milliseconds, fault, answer from callback_attempts
     where ${OF_ORDER} order by at desc limit $3`,
  ),
  bookings: sql(
    'bookings',
    `select seq, account, currency, amount::text from ledger_entries where ${OF_ORDER} order by seq desc, line desc limit $3`,
  ),
  request: sql('request', `select ${LINE} from journal where serial_number = $1`),
};

export function timelineStore(database: Database): TimelineStore {
  return {
    async list({ merchantIds, before, limit }) {
      return (await database.query(statements.list, [numbers(merchantIds), before, limit])).map(listedFrom);
    },
    async merchantOf(orderId, merchantIds) {
      const [row] = await database.query(statements.merchant, [numbers(merchantIds), orderId]);
      return row && Number(row.merchant_id);
    },
    async read({ merchantId, orderId }, limit) {
      const key = [merchantId, orderId];
      const [requests = [], polls = [], changes = [], said = [], told = [], bookings = []] = await database.flight([
        { statement: statements.requests, values: [...key, limit] },
        { statement: statements.polls, values: key },
        { statement: statements.changes, values: [...key, limit] },
        { statement: statements.said, values: key },
        { statement: statements.told, values: [...key, limit] },
        { statement: statements.bookings, values: [...key, limit] },
      ]);
      return {
        requests: requests.map(requestFrom),
        polls: { count: Number(polls[0]?.count), lastAt: (polls[0]?.last_at as Date | null)?.getTime() },
        changes: changes.map((row) => ({ at: momentOf(row), version: Number(row.version), event: row.event as Row })),
        said: said.flatMap(saidIn).slice(0, limit),
        told: told.map((row) => ({
          ...attemptFrom(row),
          seq: Number(row.seq),
          target: row.target as CallbackTarget,
        })),
        bookings: bookings.map((row) => ({
          seq: Number(row.seq),
          account: row.account as string,
          currency: row.currency as string,
          amount: BigInt(row.amount as string),
        })),
      };
    },
    async findRequest(serialNumber) {
      const [row] = await database.query(statements.request, [serialNumber]);
      return row && requestFrom(row);
    },
  };
}

function listedFrom(row: Row): ListedOrder {
  return {
    merchantId: Number(row.merchant_id),
    orderId: Number(row.order_id),
    endpointId: Number(row.endpoint_id),
    clientOrderId: row.client_order_id as string,
    operation: row.operation as Order['operation'],
    currency: row.currency as string,
    amount: BigInt(row.amount as string),
    createdAt: (row.created_at as Date).getTime(),
    stage: row.stage as Stage,
  };
}

function saidIn({ seq, transcript }: Row): Said[] {
  return (transcript as AuthenticationLine[]).map((line) => ({ ...line, seq: Number(seq) })).reverse();
}

function requestFrom(row: Row): JournaledRequest {
  const numberOf = (value: unknown) => (value === null ? undefined : Number(value));
  return {
    serialNumber: row.serial_number as string,
    at: momentOf(row),
    operation: (row.operation as string | null) ?? undefined,
    merchantId: numberOf(row.merchant_id),
    orderId: numberOf(row.order_id),
    httpStatus: Number(row.http_status),
    errorCode: numberOf(row.error_code),
    milliseconds: Number(row.milliseconds),
    request: row.request,
    reply: row.reply,
  };
}

const momentOf = (row: Row) => (row.at as Date).getTime();
