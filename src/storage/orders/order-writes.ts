// How orders are written: the two hot statements and their columns. They write whole batches: every join with a table
// is on its full primary key, from rows that are complete before, so that the plan stays a lookup per row.

import { isCardAttempt } from '../../domain/card/card-attempts.ts';
import { keepsSecurityCode } from '../../domain/order/cascade.ts';
import type { Order, OrderKey } from '../../domain/order/order.ts';
import { CARD_ENDS_OF_ROW, cardInsertion, ORDER_CARD } from '../cards/card-rows.ts';
import { doAll, insertion } from '../cluster/insertion.ts';
import type { Session, Step } from '../database.ts';
import type { OrderChange, OrderRecord, StoredCard } from '../store.ts';
import { COLUMNS, Columns, column, ofRow, type RowOf, shardOfBatch, statement } from '../tables/index.ts';
import { type Column, columnValues, parameterStarts, unnest } from '../wire/columns.ts';
import { ADD_TO_ACCOUNTS, bookingSteps, ENTRY, entryInsertion, type OrderEntry } from './ledger-rows.ts';
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
import { orderEvents, orders, transactions } from './order-rows.ts';
import { stageIs } from './order-words.ts';

/** What a write answers of each order it wrote. */
export type WrittenOrder = Pick<OrderKey, 'orderId'>;

/** All orders of a batch are of merchants of one shard: the first rows of both statements are of orders. */
const SHARD = shardOfBatch('$1');

/**
 * True of every row; lets the planner expect few of them, so that it looks each one up however small the table is, and
 * keeps one plan for batches of all sizes: otherwise it makes a new one for each small batch, which takes longer than
 * the writing.
 */
export const FEW = 'r.order_id = r.order_id + 0';

/** Rows of an order that was written, and not of one that met a conflict. */
const ofWritten = (row: string) =>
  `join written w on w.merchant_id = ${row}.merchant_id and w.order_id = ${row}.order_id`;

/** A text that is read so by functions alone whose answers never change, as Citus wants of them in a condition. */
const ALTERNATIVES = `string_to_array(btrim(r.alternatives, '{}'), ',')::bigint[]`;

/** The first event, of numbers and words of our own: as a text it costs half of `json_build_object`. */
const STARTED = `'{"type": "order-started", "amount": ' || r.amount || ', "serial": "' || r.request_serial
        || '", "stage": "' || r.stage || '"}'`;

/** Of the card that pays, or of the one that is paid, which was stored before. */
const endsOfStored = (row: string) => `(select ${CARD_ENDS_OF_ROW} from cards k
          where ${ofRow('k', row)} and k.card_id = coalesce(${row}.card_id, ${row}.target_card_id))`;

/** A row of `orders`, of one that came; `cardEnds` also of a card that was stored before. */
const orderRows = (name: string, cardEnds: string, conflict = '') =>
  insertion(name, {
    into: 'orders',
    names: `merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        alternatives, form, form_tries, unsigned, authorised, captured, released, reversed, version, control, card_id,
        target_card_id, card_ends, sealed_target, target_data_key_id, details, sealed_details, details_data_key_id,
        callbacks, route, receipt_id, created_at, changed_at`,
    batch: START,
    values: `r.merchant_id, r.order_id, r.endpoint_id, r.client_order_id, r.operation, r.currency, r.notation, r.amount,
        coalesce(${ALTERNATIVES}, '{}'), r.form, r.form_tries, r.unsigned, 0, 0, 0, 0, 1, r.control, r.card_id,
        r.target_card_id, ${cardEnds}, r.sealed_target, r.target_data_key_id, r.details, r.sealed_details,
        r.details_data_key_id, r.callbacks, r.route, r.receipt_id, r.created_at, r.created_at`,
    conflict,
    answers: orders.pick('orderId'),
  });

const wholeOrders = orderRows('orders-new', `coalesce(r.card_ends, ${endsOfStored('r')})`);
const newOrders = orderRows('orders-new', 'r.card_ends');
const unlessThere = orderRows('orders-insert', 'r.card_ends', 'on conflict do nothing');

const firstTransactions = insertion('transactions-first', {
  into: 'transactions',
  names: `merchant_id, order_id, seq, type, amount, stage, leg, legs, terminal, due_at, lease_owner, attempts,
        sends, request_serial, filter_reason, fingerprint, idempotency_key, idempotency_until, sealed_cvv,
        card_fingerprint, created_at, changed_at`,
  batch: START,
  values: `r.merchant_id, r.order_id, 1, r.type, r.amount, r.stage, 1, r.legs, r.terminal, r.due_at, r.lease_owner, 0,
        0, r.request_serial, r.filter_reason, r.fingerprint, r.idempotency_key, r.idempotency_until, r.sealed_cvv,
        r.card_fingerprint, r.created_at, r.created_at`,
});

const firstEvents = insertion('order-events-first', {
  into: 'order_events',
  names: 'merchant_id, order_id, version, at, event',
  batch: START,
  values: `r.merchant_id, r.order_id, 1, r.created_at, (${STARTED})::json`,
});

const cardsOfOrders = insertion('cards-of-orders', cardInsertion(ORDER_CARD, 'card_id'));

/** `only` narrows rows to those of orders that were written. */
const orderInsertion = (onConflict: string, only: (row: string) => string) => `
    with rows as (
      select * from ${unnest('r', START)} where ${FEW}
    ), written as (
      ${wholeOrders.text('rows r')}
      ${onConflict}
    ), written_transactions as (
      ${firstTransactions.text('rows r')} ${only('r')}
    ), written_cards as (
      ${cardsOfOrders.text(unnest('r', ORDER_CARD, START.length + 1))} ${only('r')}
    ), written_events as (
      ${firstEvents.text('rows r')} ${only('r')}
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
const attempt = (same: (table: string, row: string) => string) => `,
        card_fingerprint = case when r.is_attempt
          then (select (select k.fingerprint from cards k where ${same('k', 'o')} and k.card_id = o.card_id)
            from orders o where ${same('o', 't')} and o.order_id = t.order_id)
          else t.card_fingerprint end`;

/** What a transaction that is begun takes from others of its order, as they were before the change. */
const TAKEN = {
  fingerprint: `case when r.is_attempt then (select t.card_fingerprint from transactions t
          where ${ofRow('t', 'r')} and t.order_id = r.order_id and t.seq = 1) end`,
  sealedCvv: 'b.sealed_cvv',
  cardGivenAt: 'coalesce(b.card_given_at, b.created_at)',
};

const begunTransactions = <T extends BegunTransaction>(
  name: string,
  batch: readonly Column<T>[],
  taken: typeof TAKEN,
) =>
  insertion(name, {
    into: 'transactions',
    names: `merchant_id, order_id, seq, type, amount, stage, leg, legs, terminal, trace_id, original_seq, due_at,
        lease_owner, attempts, sends, request_serial, fingerprint, idempotency_key, idempotency_until, comment,
        card_fingerprint, sealed_cvv, card_given_at, approval_code, rrn, processor_tx_id, created_at, changed_at`,
    batch,
    values: `r.merchant_id, r.order_id, r.seq, r.type, r.amount, r.stage, r.leg, r.legs, r.terminal, r.trace_id, r.original_seq, r.due_at,
        r.lease_owner, 0, 0, r.request_serial, r.fingerprint, r.idempotency_key, r.idempotency_until, r.comment,
        ${taken.fingerprint}, ${taken.sealedCvv}, ${taken.cardGivenAt}, r.approval_code, r.rrn, r.processor_tx_id, r.at, r.at`,
  });

const BEGUN = `
    ), begun_transactions as (
      ${begunTransactions('transactions-begun', BEGUN_TRANSACTION, TAKEN).text(unnest('r', BEGUN_TRANSACTION, FIRST_OF[4]))}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
        left join transactions b on r.keeps_code and ${ofRow('b', 'r')} and b.order_id = r.order_id
          and b.seq = r.seq - 1`;

const eventInsertion = insertion('order-events', {
  into: 'order_events',
  names: orderEvents.names(),
  batch: EVENT,
  values: orderEvents.names('r.'),
});

/** Both updates; the merchant's rows of a table are found by their row of the batch, or in the shard of all of them. */
const changing = (same: (table: string, row: string) => string, attempt = '') => `
    with rows as materialized (
      select * from ${unnest('r', CHANGED_ORDER, FIRST_OF[0])} where ${FEW}
    ), changed as (
      update orders o
      set version = r.version, alternatives = coalesce(${ALTERNATIVES}, o.alternatives), authorised = r.authorised, captured = r.captured, released = r.released,
        reversed = r.reversed, hold_until = r.hold_until, changed_at = r.at
      from rows r
      where ${same('o', 'r')} and o.order_id = r.order_id and o.version = r.version_before
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
        lease_owner = case when ${stageIs('sending', 'r')} then t.lease_owner end,
        sealed_cvv = case when r.answered then null else t.sealed_cvv end${attempt}
      from moved r
      where ${same('t', 'r')} and t.order_id = r.order_id and t.seq = r.seq`;

/** Answers the ids of the orders that still had the version they were decided on, and writes nothing of others. */
const orderUpdate = (name: string, { attempt, begun }: { attempt: string; begun: string }) =>
  statement(name, orders.pick('orderId'))`${changing(ofRow, attempt)}${begun}
    ), written_events as (
      ${eventInsertion.text(unnest('r', EVENT, FIRST_OF[2]))}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
    ), entries as (
      ${entryInsertion.text(unnest('r', ENTRY, FIRST_OF[3]))}
        join changed c on c.merchant_id = r.merchant_id and c.order_id = r.order_id
      returning merchant_id, account, currency, amount
    ), balances as (${ADD_TO_ACCOUNTS}
    )
    select ${COLUMNS} from changed`;

const updateOrders = orderUpdate('orders-update', { attempt: attempt(ofRow), begun: BEGUN });

/** For batches in which nothing is begun and nothing becomes an attempt on its card: 16 orders cost a seventh less. */
const moveOrders = orderUpdate('orders-move', { attempt: '', begun: '' });

type OrderCard = { readonly card: StoredCard; readonly order: Order };

const cardsOf = (starts: readonly OrderRecord[]): OrderCard[] =>
  starts.flatMap(({ order, cards }) => cards.map((card) => ({ card, order })));

function startValues(starts: readonly OrderRecord[]): (Buffer | null)[] {
  return [...columnValues(START, starts), ...columnValues(ORDER_CARD, cardsOf(starts))];
}

/** Fails as a whole when an order meets a conflict, unless it `leavesOut` those that do. */
export function startStep(
  starts: readonly OrderRecord[],
  { leavesOut }: { readonly leavesOut: boolean },
): Step<WrittenOrder> {
  return {
    statement: leavesOut ? insertOrders : insertNewOrders,
    values: startValues(starts),
    apart: (session) => startApart(session, starts, leavesOut),
  };
}

const setCardEnds = statement<never>('orders-card-ends')`
    with rows as materialized (select * from unnest($1::bigint[], $2::bigint[]) as r(merchant_id, order_id) where ${FEW})
    update orders o set card_ends = ${CARD_ENDS_OF_ROW} from rows r, cards k
    where o.shard = ${SHARD} and o.merchant_id = r.merchant_id and o.order_id = r.order_id
      and k.shard = ${SHARD} and k.merchant_id = r.merchant_id and k.card_id = coalesce(o.card_id, o.target_card_id)`;

async function startApart(session: Session, starts: readonly OrderRecord[], leavesOut: boolean) {
  const rest = (written: readonly OrderRecord[]): Step<never>[] => {
    const ofStored = written.filter(
      ({ cards, cardId, targetCardId }) =>
        (cardId ?? targetCardId) !== undefined && !cards.some((card) => card.cardId === (cardId ?? targetCardId)),
    );
    return [
      ...firstTransactions.apart(written),
      ...cardsOfOrders.apart(cardsOf(written)),
      ...firstEvents.apart(written),
      ...(ofStored.length > 0 ? [{ statement: setCardEnds, values: keysOf(ofStored.map(({ order }) => order)) }] : []),
    ];
  };
  if (!leavesOut) {
    await session.flight([...newOrders.apart(starts), ...rest(starts)]);
    return [];
  }
  const written = await doAll(session, unlessThere.apart(starts));
  const ids = new Set(written.map(({ orderId }) => orderId));
  await doAll(session, rest(starts.filter(({ order }) => ids.has(order.orderId))));
  return written;
}

const keysOf = (keys: readonly OrderKey[]) => [
  keys.map(({ merchantId }) => merchantId),
  keys.map(({ orderId }) => orderId),
];

type Changes = {
  readonly changes: readonly OrderChange[];
  readonly changed: ChangedTransaction[];
  readonly begun: BegunTransaction[];
  readonly events: VersionedEvent[];
  readonly entries: OrderEntry[];
};

export function changeStep(changes: readonly OrderChange[]): Step<WrittenOrder> {
  const all: Changes = { changes, changed: [], begun: [], events: [], entries: [] };
  const { changed, begun, events, entries } = all;
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
  const apart = (session: Session) => changeApart(session, all);
  const values = [...changingValues(all), ...columnValues(EVENT, events), ...columnValues(ENTRY, entries)];
  if (begun.length === 0 && !changed.some(({ isAttempt }) => isAttempt)) {
    return { statement: moveOrders, values, apart };
  }
  return { statement: updateOrders, values: [...values, ...columnValues(BEGUN_TRANSACTION, begun)], apart };
}

const changingValues = ({ changes, changed }: Changes) => [
  ...columnValues(CHANGED_ORDER, changes),
  ...columnValues(CHANGED_TRANSACTION, changed),
];

const ofShard = (table: string, row: string) =>
  `${table}.shard = ${SHARD} and ${table}.merchant_id = ${row}.merchant_id`;

const changeOrders = (name: string, attempt: string) =>
  statement(name, orders.pick('orderId'))`${changing(ofShard, attempt)} returning 1
    )
    select ${COLUMNS} from changed`;

const updateAlone = changeOrders('orders-update-apart', attempt(ofShard));
const moveAlone = changeOrders('orders-move-apart', '');

const takenColumns = new Columns({
  fingerprint: column.bytea('taken_fingerprint').optional(),
  sealedCvv: column.bytea('taken_cvv').optional(),
  cardGivenAt: column.moment('taken_given_at').optional(),
});
type Taken = RowOf<typeof takenColumns.parts>;
type TakingTransaction = BegunTransaction & { readonly taken: Taken | undefined };

const TAKING_TRANSACTION = [
  ...(BEGUN_TRANSACTION as readonly Column<TakingTransaction>[]),
  ...takenColumns.optional().batchOfRows<TakingTransaction>(({ taken }) => taken),
];

const begunAlone = begunTransactions('transactions-begun', TAKING_TRANSACTION, {
  fingerprint: 'r.taken_fingerprint',
  sealedCvv: 'r.taken_cvv',
  cardGivenAt: 'r.taken_given_at',
});

const selectEarlier = statement('transactions-earlier', {
  ...transactions.pick('orderId', 'seq', 'sealedCvv', 'cardFingerprint').of('t').parts,
  givenAt: column.moment('coalesce(t.card_given_at, t.created_at)'),
})`
    select ${COLUMNS} from unnest($1::bigint[], $2::bigint[]) as r(merchant_id, order_id) cross join lateral (
      select * from transactions t where ${orders.key.among('t', 'r', SHARD)} offset 0) t
    where ${FEW}`;

/** What is taken is read first: the changes may remove a security code from where it was. */
async function taking(session: Session, begun: readonly BegunTransaction[]): Promise<TakingTransaction[]> {
  const takers = begun.filter((one) => one.isAttempt || keepsSecurityCode(one.order, one.transaction));
  const earlier =
    takers.length === 0 ? [] : await session.query(selectEarlier, keysOf(takers.map(({ order }) => order)));
  const find = (orderId: number, seq: number) => earlier.find((one) => one.orderId === orderId && one.seq === seq);
  return begun.map((one) => {
    const { order, transaction, isAttempt } = one;
    const before = keepsSecurityCode(order, transaction) ? find(order.orderId, transaction.seq - 1) : undefined;
    const fingerprint = isAttempt ? find(order.orderId, 1)?.cardFingerprint : undefined;
    return { ...one, taken: { fingerprint, sealedCvv: before?.sealedCvv, cardGivenAt: before?.givenAt } };
  });
}

async function changeApart(session: Session, all: Changes): Promise<WrittenOrder[]> {
  const begun = await taking(session, all.begun);
  const change = all.changed.some(({ isAttempt }) => isAttempt) ? updateAlone : moveAlone;
  const written = await session.query(change, changingValues(all));
  const ids = new Set(written.map(({ orderId }) => orderId));
  const isWritten = ({ order }: { readonly order: Order }) => ids.has(order.orderId);
  await doAll(session, [
    ...begunAlone.apart(begun.filter(isWritten)),
    ...eventInsertion.apart(all.events.filter(isWritten)),
    ...bookingSteps(all.entries.filter(isWritten)),
  ]);
  return written;
}
