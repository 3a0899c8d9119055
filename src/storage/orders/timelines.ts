// An order's story as an operator reads it: what was asked for and answered, how the order changed, what was booked,
// what was said to prove the payer, and what its merchant was told. And requests by their serial number, which is all a
// merchant has of one that was refused.

import type { OrderKey } from '../../domain/order/order.ts';
import type { AuthenticationLine } from '../../domain/three-d-secure/authentication-record.ts';
import { authentications } from '../authentications.ts';
import type { Database } from '../database.ts';
import { journal } from '../requests/journal.ts';
import { findRequests, findStrangers, type SoughtRequests, type SoughtStrangers } from '../requests/journal-search.ts';
import { COLUMNS, column, ofMerchant, statement } from '../tables/index.ts';
import { callbackAttempts } from './callbacks.ts';
import { ledgerEntries } from './ledger-rows.ts';
import { orderEvents, orders } from './order-rows.ts';
import { findOrders, type SoughtOrders } from './order-search.ts';

const OF_ORDER = orders.key.equal();
const IS_POLL = `coalesce(operation, '') = 'STATUS'`;

const statements = {
  merchant: statement('timelines-merchant', orders.pick('merchantId'))`
    select ${COLUMNS} from orders where merchant_id = any($1::bigint[]) and order_id = $2`,
  requests: statement('timelines-requests', journal)`
    select ${COLUMNS} from journal where ${OF_ORDER} and not ${IS_POLL} order by at desc, serial_number desc limit $3`,
  polls: statement('timelines-polls', {
    count: column.int('count(*)::int'),
    lastAt: column.moment('max(at)').optional(),
  })`
    select ${COLUMNS} from journal where ${OF_ORDER} and ${IS_POLL}`,
  changes: statement('timelines-changes', orderEvents.pick('at', 'version', 'event'))`
    select ${COLUMNS} from order_events where ${OF_ORDER} order by version desc limit $3`,
  said: statement('timelines-said', authentications.pick('seq', 'transcript'))`
    select ${COLUMNS} from authentications where ${OF_ORDER} order by seq desc`,
  told: statement('timelines-told', callbackAttempts.without('merchantId', 'orderId'))`
    select ${COLUMNS} from callback_attempts where ${OF_ORDER} order by at desc, seq desc, target desc limit $3`,
  bookings: statement('timelines-bookings', ledgerEntries.pick('seq', 'account', 'currency', 'amount'))`
    select ${COLUMNS} from ledger_entries where ${OF_ORDER} order by seq desc, line desc limit $3`,
  // What of the order may lie in files: months that ended after it was made.
  filed: statement('timelines-filed', { table: column.text('f.table_name'), file: column.text('f.file') })`
    select ${COLUMNS} from archives f
    where f.ended_at > (select o.created_at from orders o where ${ofMerchant('o')} and o.order_id = $2)
    order by f.ended_at, f.table_name`,
  request: statement('timelines-request', journal)`select ${COLUMNS} from journal where serial_number = $1`,
};

export type TimelineStore = ReturnType<typeof timelineStore>;
export type Timeline = Awaited<ReturnType<TimelineStore['read']>>;

export function timelineStore(database: Database) {
  return {
    /** Orders of these merchants, the newest first. */
    search: (sought: SoughtOrders) => findOrders(database, sought),
    /** Requests of these merchants, the newest first. */
    requests: (sought: SoughtRequests) => findRequests(database, sought),
    /** Requests whose sender is not known, the newest first. */
    strangers: (sought: SoughtStrangers) => findStrangers(database, sought),
    /** Order ids are unique among all merchants. */
    merchantOf: async (orderId: number, merchantIds: readonly number[]) =>
      (await database.query(statements.merchant, [merchantIds, orderId]))[0]?.merchantId,
    /** Each the latest first, and of each no more than the limit. */
    async read(order: OrderKey, limit: number) {
      const key = orders.key.values(order);
      const [requests, polls, changes, said, told, bookings, filed] = await database.flight([
        { statement: statements.requests, values: [...key, limit] },
        { statement: statements.polls, values: key },
        { statement: statements.changes, values: [...key, limit] },
        { statement: statements.said, values: key },
        { statement: statements.told, values: [...key, limit] },
        { statement: statements.bookings, values: [...key, limit] },
        { statement: statements.filed, values: key },
      ]);
      return {
        requests,
        /** Requests for the order's status. They are many and all alike. */
        polls: polls[0] ?? { count: 0, lastAt: undefined },
        changes,
        said: said.flatMap(saidIn).slice(0, limit),
        told,
        bookings,
        /** Archives that may hold more of it. */
        filed,
      };
    },
    findRequest: async (serialNumber: string) => (await database.query(statements.request, [serialNumber]))[0],
  };
}

/** A message of 3-D Secure, masked. */
export type Said = AuthenticationLine & { readonly seq: number };

function saidIn({ seq, transcript }: { seq: number; transcript: readonly AuthenticationLine[] }): Said[] {
  return transcript.map((line) => ({ ...line, seq })).reverse();
}
