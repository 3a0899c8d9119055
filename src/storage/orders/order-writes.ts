// How orders are written: the two hot statements and their columns. They write whole batches: every join with a table
// is on its full primary key, from rows that are complete before, so that the plan stays a lookup per row.

import { isCardAttempt } from '../../domain/card/network-limits.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import { CARD_ENDS_OF_ROW, insertCards, ORDER_CARD } from '../cards/card-rows.ts';
import type { Step } from '../database.ts';
import type { OrderChange, OrderRecord } from '../store.ts';
import { COLUMNS, statement } from '../tables/index.ts';
import { columnValues, parameterStarts, unnest } from '../wire/columns.ts';
import { ADD_TO_ACCOUNTS, ENTRY, ledgerEntries, type OrderEntry } from './ledger-rows.ts';
import {
  BEGUN_TRANSACTION,
  type BegunTransaction,
  CHANGED_ORDER,
  CHANGED_TRANSACTION,
  type ChangedTransaction,
  EVENT,
  START,
  type VersionedEvent,
} from './order-batches.ts';
import { orderEvents, orders } from './order-rows.ts';

/** What a write answers of each order it wrote. */
export type WrittenOrder = Pick<OrderKey, 'orderId'>;

/** True of every row; lets the planner expect few of them, so that it looks each one up however small the table is. */
export const FEW = 'r.order_id = r.order_id + 0';

/** Rows of an order that was written, and not of one that met a conflict. */
const ofWritten = (row: string) =>
  `join written w on w.merchant_id = ${row}.merchant_id and w.order_id = ${row}.order_id`;

/** The first event, of numbers and words of our own: as a text it costs half of `json_build_object`. */
const STARTED = `'{"type": "order-started", "amount": ' || r.amount || ', "serial": "' || r.request_serial
        || '", "stage": "' || r.stage || '"}'`;

/** Of a card that came with the order, or of one that was stored before. */
const CARD_ENDS = `coalesce(card_ends, (select ${CARD_ENDS_OF_ROW} from cards k
          where k.merchant_id = r.merchant_id and k.card_id = coalesce(r.card_id, r.target_card_id)))`;

/** `only` narrows rows to those of orders that were written. */
const orderInsertion = (onConflict: string, only: (row: string) => string) => `
    with rows as (
      select * from ${unnest('r', START)}
    ), written as (
      insert into orders (merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        alternatives, form, form_tries, unsigned, authorised, captured, released, reversed, version, control, card_id,
        target_card_id, card_ends, sealed_target, target_data_key_id, details, sealed_details, details_data_key_id,
        callbacks, route, receipt_id, created_at, changed_at)
      select merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        coalesce(alternatives::bigint[], '{}'), form, form_tries, unsigned, 0, 0, 0, 0, 1, control, card_id,
        target_card_id, ${CARD_ENDS}, sealed_target, target_data_key_id, details, sealed_details,
        details_data_key_id, callbacks, route, receipt_id, created_at, created_at
      from rows r
      ${onConflict}
    ), written_transactions as (
      insert into transactions (merchant_id, order_id, seq, type, amount, stage, leg, legs, terminal, due_at, lease_owner, attempts,
        sends, request_serial, filter_reason, fingerprint, idempotency_key, idempotency_until, sealed_cvv,
        card_fingerprint, created_at, changed_at)
      select r.merchant_id, r.order_id, 1, r.type, r.amount, r.stage, 1, r.legs, r.terminal, r.due_at, r.lease_owner, 0,
        0, r.request_serial, r.filter_reason, r.fingerprint, r.idempotency_key, r.idempotency_until, r.sealed_cvv,
        r.card_fingerprint, r.created_at, r.created_at
      from rows r ${only('r')}
    ), written_cards as (
      ${insertCards('c', 'c.card_id')}
      from ${unnest('c', ORDER_CARD, START.length + 1)} ${only('c')}
    ), written_events as (
      insert into order_events (merchant_id, order_id, version, at, event)
      select r.merchant_id, r.order_id, 1, r.created_at, (${STARTED})::json
      from rows r ${only('r')}
    )`;

/** Fails as a whole when an order meets a conflict. Looking for conflicts first costs a third of an order's insert. */
export const insertNewOrders = statement<never>('orders-insert-new')`
  ${orderInsertion('', () => '')} select 1 where false`;

/** Leaves out orders that meet a conflict, and answers the ids of the others. */
export const insertOrders = statement('orders-insert', orders.pick('orderId'))`
  ${orderInsertion('on conflict do nothing returning merchant_id, order_id', ofWritten)}
    select ${COLUMNS} from written`;

// The parameters of the update, set after set. Transactions that are begun come last: most batches begin none.
const FIRST_OF = parameterStarts(CHANGED_ORDER, CHANGED_TRANSACTION, EVENT, ENTRY, BEGUN_TRANSACTION);

/** The card of the order, on what has become an attempt on it. */
const ATTEMPT = `,
        card_fingerprint = case when r.is_attempt
          then (select (select k.fingerprint from cards k where k.merchant_id = o.merchant_id and k.card_id = o.card_id)
            from orders o where o.merchant_id = t.merchant_id and o.order_id = t.order_id)
          else t.card_fingerprint end`;

const BEGUN = `
    ), begun_transactions as (
      insert into transactions (merchant_id, order_id, seq, type, amount, stage, leg, legs, terminal, trace_id, original_seq, due_at,
        lease_owner, attempts, sends, request_serial, fingerprint, idempotency_key, idempotency_until, comment,
        card_fingerprint, sealed_cvv, card_given_at, approval_code, rrn, processor_tx_id, created_at, changed_at)
      select r.merchant_id, r.order_id, r.seq, r.type, r.amount, r.stage, r.leg, r.legs, r.terminal, r.trace_id, r.original_seq, r.due_at,
        r.lease_owner, 0, 0, r.request_serial, r.fingerprint, r.idempotency_key, r.idempotency_until, r.comment,
        case when r.is_attempt then (select t.card_fingerprint from transactions t
          where t.merchant_id = r.merchant_id and t.order_id = r.order_id and t.seq = 1) end,
        b.sealed_cvv, coalesce(b.card_given_at, b.created_at), r.approval_code, r.rrn, r.processor_tx_id, r.at, r.at
      from ${unnest('r', BEGUN_TRANSACTION, FIRST_OF[4])}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
        left join transactions b on r.keeps_code and b.merchant_id = r.merchant_id and b.order_id = r.order_id
          and b.seq = r.seq - 1`;

/** Answers the ids of the orders that still had the version they were decided on, and writes nothing of others. */
const orderUpdate = (name: string, { attempt, begun }: { attempt: string; begun: string }) =>
  statement(name, orders.pick('orderId'))`
    with rows as materialized (
      select * from ${unnest('r', CHANGED_ORDER, FIRST_OF[0])} where ${FEW}
    ), changed as (
      update orders o
      set version = r.version, alternatives = coalesce(r.alternatives::bigint[], o.alternatives), authorised = r.authorised, captured = r.captured, released = r.released,
        reversed = r.reversed, hold_until = r.hold_until, changed_at = r.at
      from rows r
      where o.merchant_id = r.merchant_id and o.order_id = r.order_id and o.version = r.version_before
      returning o.merchant_id, o.order_id
    ), moved as materialized (
      select r.* from ${unnest('r', CHANGED_TRANSACTION, FIRST_OF[1])}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
    ), changed_transactions as (
      update transactions t
      set stage = r.stage, leg = r.leg, due_at = r.due_at, attempts = r.attempts, sends = r.sends,
        approval_code = r.approval_code, rrn = r.rrn, processor_tx_id = r.processor_tx_id, terminal_id = r.terminal_id,
        decline_code = r.decline_code, eligibility = r.eligibility, told = r.told, challenge_url = r.challenge_url,
        changed_at = r.at,
        lease_owner = case when r.stage = 'sending' then t.lease_owner end,
        sealed_cvv = case when r.answered then null else t.sealed_cvv end${attempt}
      from moved r
      where t.merchant_id = r.merchant_id and t.order_id = r.order_id and t.seq = r.seq${begun}
    ), written_events as (
      insert into order_events (${orderEvents.names()})
      select ${orderEvents.names('r.')}
      from ${unnest('r', EVENT, FIRST_OF[2])}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
    ), entries as (
      insert into ledger_entries (${ledgerEntries.names()})
      select ${ledgerEntries.names('r.')}
      from ${unnest('r', ENTRY, FIRST_OF[3])}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
      returning merchant_id, account, currency, amount
    ), balances as (${ADD_TO_ACCOUNTS}
    )
    select ${COLUMNS} from changed`;

const updateOrders = orderUpdate('orders-update', { attempt: ATTEMPT, begun: BEGUN });

/** For batches in which nothing is begun and nothing becomes an attempt on its card: 16 orders cost a seventh less. */
const moveOrders = orderUpdate('orders-move', { attempt: '', begun: '' });

export function startValues(starts: readonly OrderRecord[]): (Buffer | null)[] {
  const cards = starts.flatMap(({ order, cards }) => cards.map((card) => ({ card, order })));
  return [...columnValues(START, starts), ...columnValues(ORDER_CARD, cards)];
}

export function changeStep(changes: readonly OrderChange[]): Step<WrittenOrder> {
  const changed: ChangedTransaction[] = [];
  const begun: BegunTransaction[] = [];
  const events: VersionedEvent[] = [];
  const entries: OrderEntry[] = [];
  for (const change of changes) {
    const { before, after: order } = change;
    for (const transaction of order.transactions) {
      const earlier = before.transactions[transaction.seq - 1];
      if (transaction === earlier) continue;
      const isAttempt = isCardAttempt(order, transaction) && !(earlier && isCardAttempt(order, earlier));
      if (earlier) changed.push({ transaction, order, isAttempt });
      else begun.push({ transaction, order, isAttempt, begin: change.begins.get(transaction.requestSerial) });
    }
    change.events.forEach((event, index) => {
      events.push({ order, version: before.version + 1 + index, event });
    });
    for (const entry of change.entries) entries.push({ entry, order });
  }
  const values = [
    ...columnValues(CHANGED_ORDER, changes),
    ...columnValues(CHANGED_TRANSACTION, changed),
    ...columnValues(EVENT, events),
    ...columnValues(ENTRY, entries),
  ];
  if (begun.length === 0 && !changed.some(({ isAttempt }) => isAttempt)) {
    return { statement: moveOrders, values };
  }
  return { statement: updateOrders, values: [...values, ...columnValues(BEGUN_TRANSACTION, begun)] };
}
