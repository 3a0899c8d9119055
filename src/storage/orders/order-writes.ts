// How orders are written: the two hot statements and their columns. They write whole batches: every join with a table
// is on its full primary key, from rows that are complete before, so that the plan stays a lookup per row.

import { isCardAttempt } from '../../domain/card/card-attempts.ts';
import type { OrderEvent } from '../../domain/order/decide.ts';
import type { Order, Transaction } from '../../domain/order/order.ts';
import { isFinal } from '../../domain/order/stages.ts';
import { insertCards, ORDER_CARD } from '../cards/card-rows.ts';
import type { Statement, Step } from '../database.ts';
import type { BeginMarks, OrderChange, OrderRecord } from '../store.ts';
import { numbers } from '../wire/arrays.ts';
import { type Column, columnValues, parameterStarts, unnest } from '../wire/columns.ts';
import { ADD_TO_ACCOUNTS, ENTRY, type OrderEntry } from './ledger-rows.ts';

/** How long an Idempotency-Key is kept. */
export const IDEMPOTENCY_MS = 7 * 24 * 60 * 60 * 1000;

/** True of every row; lets the planner expect few of them, so that it looks each one up however small the table is. */
export const FEW = 'r.order_id = r.order_id + 0';

const firstOf = ({ order }: OrderRecord) => order.transactions[0] as Transaction;

// Everything an accepted order writes, its first transaction included, in one row per order.
const START: readonly Column<OrderRecord>[] = [
  ['merchant_id', 'bigint', ({ order }) => order.merchantId],
  ['order_id', 'bigint', ({ order }) => order.orderId],
  ['endpoint_id', 'bigint', ({ order }) => order.endpointId],
  ['client_order_id', 'text', ({ order }) => order.clientOrderId],
  ['operation', 'text', ({ order }) => order.operation],
  ['currency', 'text', ({ order }) => order.currency],
  ['notation', 'text', ({ order }) => order.notation],
  ['amount', 'bigint', ({ order }) => order.amount],
  ['alternatives', 'text', ({ order }) => (order.alternatives.length === 0 ? undefined : numbers(order.alternatives))],
  ['form', 'text', ({ order }) => order.form],
  ['control', 'bytea', ({ control }) => control],
  ['card_id', 'bigint', ({ cardId }) => cardId],
  ['target_card_id', 'bigint', ({ targetCardId }) => targetCardId],
  ['sealed_target', 'bytea', ({ sealedTarget }) => sealedTarget?.bytes],
  ['target_data_key_id', 'int', ({ sealedTarget }) => sealedTarget?.dataKeyId],
  ['details', 'json', ({ details }) => JSON.stringify(details)],
  ['callbacks', 'jsonb', ({ order }) => order.callbacks && JSON.stringify(order.callbacks)],
  ['receipt_id', 'uuid', ({ receiptId }) => receiptId],
  ['created_at', 'timestamptz', ({ order }) => order.createdAt],
  ['type', 'text', (record) => firstOf(record).type],
  ['stage', 'text', (record) => firstOf(record).stage],
  ['legs', 'int', (record) => firstOf(record).legs],
  ['due_at', 'timestamptz', (record) => firstOf(record).dueAt],
  ['lease_owner', 'uuid', (record) => (firstOf(record).stage === 'sending' ? record.leaseOwner : undefined)],
  ['request_serial', 'uuid', (record) => firstOf(record).requestSerial],
  ['filter_reason', 'text', (record) => firstOf(record).filterReason],
  ['fingerprint', 'bytea', ({ fingerprint }) => fingerprint],
  ['idempotency_key', 'text', ({ idempotencyKey }) => idempotencyKey],
  [
    'idempotency_until',
    'timestamptz',
    ({ idempotencyKey, order }) => (idempotencyKey ? order.createdAt + IDEMPOTENCY_MS : undefined),
  ],
  ['sealed_cvv', 'bytea', ({ sealedCvv }) => sealedCvv?.bytes],
  ['cvv_data_key_id', 'int', ({ sealedCvv }) => sealedCvv?.dataKeyId],
  ['card_fingerprint', 'bytea', ({ attemptedCard }) => attemptedCard],
];

/** Rows of an order that was written, and not of one that met a conflict. */
const ofWritten = (row: string) =>
  `join written w on w.merchant_id = ${row}.merchant_id and w.order_id = ${row}.order_id`;

/**
 * The first event. Of numbers and words of our own, so it is put together as a text, at half the cost of
 * `json_build_object`.
 */
const STARTED = `'{"type": "order-started", "amount": ' || r.amount || ', "serial": "' || r.request_serial
        || '", "stage": "' || r.stage || '"}'`;

/** `only` narrows rows to those of orders that were written. */
const orderInsertion = (onConflict: string, only: (row: string) => string) => `
    with rows as (
      select * from ${unnest('r', START)}
    ), written as (
      insert into orders (merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        alternatives, form, authorised, captured, released, reversed, version, control, card_id, target_card_id, sealed_target,
        target_data_key_id, details, callbacks, receipt_id, created_at, changed_at)
      select merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        coalesce(alternatives::bigint[], '{}'), form, 0, 0, 0, 0, 1, control, card_id, target_card_id, sealed_target,
        target_data_key_id, details, callbacks, receipt_id, created_at, created_at
      from rows
      ${onConflict}
    ), written_transactions as (
      insert into transactions (merchant_id, order_id, seq, type, amount, stage, leg, legs, due_at, lease_owner, attempts,
        sends, request_serial, filter_reason, fingerprint, idempotency_key, idempotency_until, sealed_cvv,
        cvv_data_key_id, card_fingerprint, created_at, changed_at)
      select r.merchant_id, r.order_id, 1, r.type, r.amount, r.stage, 1, r.legs, r.due_at, r.lease_owner, 0,
        0, r.request_serial, r.filter_reason, r.fingerprint, r.idempotency_key, r.idempotency_until, r.sealed_cvv,
        r.cvv_data_key_id, r.card_fingerprint, r.created_at, r.created_at
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
export const insertNewOrders: Statement = {
  name: 'orders-insert-new',
  text: `${orderInsertion('', () => '')} select 1 where false`,
};

/** Leaves out orders that meet a conflict, and answers the ids of the others. */
export const insertOrders: Statement = {
  name: 'orders-insert',
  text: `${orderInsertion('on conflict do nothing returning merchant_id, order_id', ofWritten)}
    select order_id from written`,
};

const CHANGED_ORDER: readonly Column<OrderChange>[] = [
  ['merchant_id', 'bigint', ({ after }) => after.merchantId],
  ['order_id', 'bigint', ({ after }) => after.orderId],
  ['version_before', 'int', ({ before }) => before.version],
  ['version', 'int', ({ after }) => after.version],
  [
    'alternatives',
    'text',
    ({ before, after }) => (after.alternatives === before.alternatives ? undefined : numbers(after.alternatives)),
  ],
  ['authorised', 'bigint', ({ after }) => after.authorised],
  ['captured', 'bigint', ({ after }) => after.captured],
  ['released', 'bigint', ({ after }) => after.released],
  ['reversed', 'bigint', ({ after }) => after.reversed],
  ['hold_until', 'timestamptz', ({ after }) => after.holdUntil],
  ['at', 'timestamptz', ({ events }) => events.at(-1)?.at],
];

type OfOrder<T> = T & { readonly order: Order };
/** `isAttempt`: it has become an attempt on its card, which is marked on it. */
type ChangedTransaction = OfOrder<{ readonly transaction: Transaction; readonly isAttempt: boolean }>;

const approvalOf = ({ answer }: Transaction) => (answer?.word === 'approved' ? answer : undefined);
const declineOf = ({ answer }: Transaction) => (answer?.word === 'declined' ? answer : undefined);
const eligibilityOf = ({ transaction }: ChangedTransaction) => {
  const eligibility = approvalOf(transaction)?.eligibility;
  return eligibility && JSON.stringify(eligibility);
};

const CHANGED_TRANSACTION: readonly Column<ChangedTransaction>[] = [
  ['merchant_id', 'bigint', ({ order }) => order.merchantId],
  ['order_id', 'bigint', ({ order }) => order.orderId],
  ['seq', 'int', ({ transaction }) => transaction.seq],
  ['stage', 'text', ({ transaction }) => transaction.stage],
  ['leg', 'int', ({ transaction }) => transaction.leg],
  ['due_at', 'timestamptz', ({ transaction }) => transaction.dueAt],
  ['attempts', 'int', ({ transaction }) => transaction.attempts],
  ['sends', 'int', ({ transaction }) => transaction.sends],
  ['approval_code', 'text', ({ transaction }) => approvalOf(transaction)?.approvalCode],
  ['rrn', 'text', ({ transaction }) => transaction.answer?.rrn],
  ['processor_tx_id', 'text', ({ transaction }) => transaction.answer?.processorTxId],
  ['terminal_id', 'text', ({ transaction }) => approvalOf(transaction)?.terminalId],
  ['decline_code', 'text', ({ transaction }) => declineOf(transaction)?.code],
  ['eligibility', 'jsonb', eligibilityOf],
  ['at', 'timestamptz', ({ transaction }) => transaction.changedAt],
  // The second leg of a transfer sends money on; the security code was for the first.
  ['answered', 'boolean', ({ transaction }) => isFinal(transaction.stage) || transaction.leg > 1],
  ['is_attempt', 'boolean', ({ isAttempt }) => isAttempt || undefined],
];

type Begun = ChangedTransaction & { readonly begin: BeginMarks | undefined };

const BEGUN_TRANSACTION: readonly Column<Begun>[] = [
  ['merchant_id', 'bigint', ({ order }) => order.merchantId],
  ['order_id', 'bigint', ({ order }) => order.orderId],
  ['seq', 'int', ({ transaction }) => transaction.seq],
  ['type', 'text', ({ transaction }) => transaction.type],
  ['amount', 'bigint', ({ transaction }) => transaction.amount],
  ['stage', 'text', ({ transaction }) => transaction.stage],
  ['leg', 'int', ({ transaction }) => transaction.leg],
  ['legs', 'int', ({ transaction }) => transaction.legs],
  ['original_seq', 'int', ({ transaction }) => transaction.originalSeq],
  ['due_at', 'timestamptz', ({ transaction }) => transaction.dueAt],
  ['lease_owner', 'uuid', ({ begin }) => begin?.leaseOwner],
  ['request_serial', 'uuid', ({ transaction }) => transaction.requestSerial],
  ['fingerprint', 'bytea', ({ begin }) => begin?.fingerprint ?? Buffer.alloc(0)],
  ['idempotency_key', 'text', ({ begin }) => begin?.idempotencyKey],
  [
    'idempotency_until',
    'timestamptz',
    ({ begin, transaction }) => (begin?.idempotencyKey ? transaction.createdAt + IDEMPOTENCY_MS : undefined),
  ],
  ['comment', 'text', ({ transaction }) => transaction.comment],
  ['at', 'timestamptz', ({ transaction }) => transaction.createdAt],
  ['is_attempt', 'boolean', ({ isAttempt }) => isAttempt || undefined],
];

const EVENT: readonly Column<OfOrder<{ version: number; event: OrderEvent }>>[] = [
  ['merchant_id', 'bigint', ({ order }) => order.merchantId],
  ['order_id', 'bigint', ({ order }) => order.orderId],
  ['version', 'int', ({ version }) => version],
  ['at', 'timestamptz', ({ event }) => event.at],
  ['event', 'json', ({ event }) => eventText(event)],
];

/** Only a transaction has an amount. A replacer for the events of every sale would cost more than the rest of them. */
function eventText(event: OrderEvent): string {
  if (event.type !== 'transaction-begun') return JSON.stringify(event);
  const { transaction } = event;
  return JSON.stringify({ ...event, transaction: { ...transaction, amount: transaction.amount.toString() } });
}

// The parameters of the update, one set after the other. Transactions that are begun come last: most batches begin
// none.
const FIRST_OF = parameterStarts(CHANGED_ORDER, CHANGED_TRANSACTION, EVENT, ENTRY, BEGUN_TRANSACTION);

/** The card of the order, on what has become an attempt on it. */
const ATTEMPT = `,
        card_fingerprint = case when r.is_attempt
          then (select (select k.fingerprint from cards k where k.merchant_id = o.merchant_id and k.card_id = o.card_id)
            from orders o where o.merchant_id = t.merchant_id and o.order_id = t.order_id)
          else t.card_fingerprint end`;

const BEGUN = `
    ), begun_transactions as (
      insert into transactions (merchant_id, order_id, seq, type, amount, stage, leg, legs, original_seq, due_at,
        lease_owner, attempts, sends, request_serial, fingerprint, idempotency_key, idempotency_until, comment,
        card_fingerprint, created_at, changed_at)
      select r.merchant_id, r.order_id, r.seq, r.type, r.amount, r.stage, r.leg, r.legs, r.original_seq, r.due_at,
        r.lease_owner, 0, 0, r.request_serial, r.fingerprint, r.idempotency_key, r.idempotency_until, r.comment,
        case when r.is_attempt then (select t.card_fingerprint from transactions t
          where t.merchant_id = r.merchant_id and t.order_id = r.order_id and t.seq = 1) end, r.at, r.at
      from ${unnest('r', BEGUN_TRANSACTION, FIRST_OF[4])}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id`;

const orderUpdate = ({ attempt, begun }: { attempt: string; begun: string }) => `
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
        decline_code = r.decline_code, eligibility = r.eligibility, changed_at = r.at,
        lease_owner = case when r.stage = 'sending' then t.lease_owner end,
        sealed_cvv = case when r.answered then null else t.sealed_cvv end,
        cvv_data_key_id = case when r.answered then null else t.cvv_data_key_id end${attempt}
      from moved r
      where t.merchant_id = r.merchant_id and t.order_id = r.order_id and t.seq = r.seq${begun}
    ), written_events as (
      insert into order_events (merchant_id, order_id, version, at, event)
      select r.merchant_id, r.order_id, r.version, r.at, r.event
      from ${unnest('r', EVENT, FIRST_OF[2])}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
    ), entries as (
      insert into ledger_entries (merchant_id, order_id, seq, line, account, currency, amount, at)
      select r.merchant_id, r.order_id, r.seq, r.line, r.account, r.currency, r.amount, r.at
      from ${unnest('r', ENTRY, FIRST_OF[3])}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
      returning merchant_id, account, currency, amount
    ), balances as (${ADD_TO_ACCOUNTS}
    )
    select order_id from changed`;

/** Both answer the ids of the orders that still had the version they were decided on, and write nothing of others. */
export const updateOrders: Statement = {
  name: 'orders-update',
  text: orderUpdate({ attempt: ATTEMPT, begun: BEGUN }),
};

/**
 * For batches in which nothing is begun and nothing becomes an attempt on its card, by far the most: a batch of 16
 * costs a seventh less.
 */
export const moveOrders: Statement = {
  name: 'orders-move',
  text: orderUpdate({ attempt: '', begun: '' }),
};

export function startValues(starts: readonly OrderRecord[]): (Buffer | null)[] {
  const cards = starts.flatMap(({ order, cards }) => cards.map((card) => ({ card, order })));
  return [...columnValues(START, starts), ...columnValues(ORDER_CARD, cards)];
}

export function changeStep(changes: readonly OrderChange[]): Step {
  const changed: ChangedTransaction[] = [];
  const begun: Begun[] = [];
  const events: OfOrder<{ version: number; event: OrderEvent }>[] = [];
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
