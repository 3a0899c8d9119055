// What a batch of orders holds, column by column: all that new orders write, and all that changes write.

import { keepsSecurityCode } from '../../domain/order/cascade.ts';
import type { OrderEvent } from '../../domain/order/decide.ts';
import type { Order, Transaction } from '../../domain/order/order.ts';
import { isFinal } from '../../domain/order/stages.ts';
import { present } from '../../domain/present.ts';
import { cardEnds } from '../cards/card-rows.ts';
import type { BeginMarks, OrderChange, OrderRecord, StoredCard } from '../store.ts';
import { column } from '../tables/index.ts';
import { answerColumns, orderEvents, orders, toldIn, transactions } from './order-rows.ts';

/** How long an Idempotency-Key is kept. */
export const IDEMPOTENCY_MS = 7 * 24 * 60 * 60 * 1000;

const firstOf = ({ order }: OrderRecord) => present(order.transactions[0]);

/** Of a card that is stored with its order; the ends of one that was stored before are in its row. */
function endsOf(cards: readonly StoredCard[], cardId: number | undefined): string | undefined {
  const card = cards.find((one) => one.cardId === cardId);
  return card && cardEnds(card);
}

/** Everything an accepted order writes, its first transaction included, in one row per order. */
export const START = [
  ...orders.batch<OrderRecord>({
    merchantId: ({ order }) => order.merchantId,
    orderId: ({ order }) => order.orderId,
    endpointId: ({ order }) => order.endpointId,
    clientOrderId: ({ order }) => order.clientOrderId,
    operation: ({ order }) => order.operation,
    currency: ({ order }) => order.currency,
    notation: ({ order }) => order.notation,
    amount: ({ order }) => order.amount,
    alternatives: ({ order }) => (order.alternatives.length === 0 ? undefined : order.alternatives),
    form: ({ order }) => order.form,
    formTries: ({ order }) => order.formTries,
    unsigned: ({ order }) => order.unsigned,
    control: ({ control }) => control,
    cardId: ({ cardId }) => cardId,
    targetCardId: ({ targetCardId }) => targetCardId,
    cardEnds: ({ cards, cardId, targetCardId }) => endsOf(cards, cardId ?? targetCardId),
    sealedTarget: ({ sealedTarget }) => sealedTarget,
    details: ({ details }) => details,
    sealedDetails: ({ sealedDetails }) => sealedDetails,
    callbacks: ({ order }) => order.callbacks,
    route: ({ order }) => order.route,
    receiptId: ({ receiptId }) => receiptId,
    createdAt: ({ order }) => order.createdAt,
  }),
  ...transactions.batch<OrderRecord>({
    type: (record) => firstOf(record).type,
    stage: (record) => firstOf(record).stage,
    legs: (record) => firstOf(record).legs,
    terminal: (record) => firstOf(record).terminal,
    dueAt: (record) => firstOf(record).dueAt,
    leaseOwner: (record) => (firstOf(record).stage === 'sending' ? record.leaseOwner : undefined),
    requestSerial: (record) => firstOf(record).requestSerial,
    filterReason: (record) => firstOf(record).filterReason,
    fingerprint: ({ fingerprint }) => fingerprint,
    idempotencyKey: ({ idempotencyKey }) => idempotencyKey,
    idempotencyUntil: ({ idempotencyKey, order }) => (idempotencyKey ? order.createdAt + IDEMPOTENCY_MS : undefined),
    sealedCvv: ({ sealedCvv }) => sealedCvv,
    cardFingerprint: ({ attemptedCard }) => attemptedCard,
  }),
];

/** What a batch says of a row beside the columns it has in its table. */
const marks = {
  versionBefore: column.int('version_before'),
  at: column.moment('at'),
  answered: column.boolean('answered'),
  isAttempt: column.boolean('is_attempt'),
  keepsCode: column.boolean('keeps_code'),
};

export const CHANGED_ORDER = orders.with(marks).batch<OrderChange>({
  merchantId: ({ after }) => after.merchantId,
  orderId: ({ after }) => after.orderId,
  versionBefore: ({ before }) => before.version,
  version: ({ after }) => after.version,
  alternatives: ({ before, after }) => (after.alternatives === before.alternatives ? undefined : after.alternatives),
  authorised: ({ after }) => after.authorised,
  captured: ({ after }) => after.captured,
  released: ({ after }) => after.released,
  reversed: ({ after }) => after.reversed,
  holdUntil: ({ after }) => after.holdUntil,
  at: ({ events }) => events.at(-1)?.at,
});

type OfOrder<T> = T & { readonly order: Order };
/** `isAttempt`: it has become an attempt on its card, which is marked on it. */
export type ChangedTransaction = OfOrder<{ readonly transaction: Transaction; readonly isAttempt: boolean }>;

const approvalOf = ({ answer }: Transaction) => (answer?.word === 'approved' ? answer : undefined);
const declineOf = ({ answer }: Transaction) => (answer?.word === 'declined' ? answer : undefined);

// An answer's columns stand one by one, because taken as a whole it would be taken apart once for each of them.
export const CHANGED_TRANSACTION = transactions.with({ ...answerColumns.parts, ...marks }).batch<ChangedTransaction>({
  merchantId: ({ order }) => order.merchantId,
  orderId: ({ order }) => order.orderId,
  seq: ({ transaction }) => transaction.seq,
  stage: ({ transaction }) => transaction.stage,
  leg: ({ transaction }) => transaction.leg,
  dueAt: ({ transaction }) => transaction.dueAt,
  attempts: ({ transaction }) => transaction.attempts,
  sends: ({ transaction }) => transaction.sends,
  approvalCode: ({ transaction }) => approvalOf(transaction)?.approvalCode,
  rrn: ({ transaction }) => transaction.answer?.rrn,
  processorTxId: ({ transaction }) => transaction.answer?.processorTxId,
  terminalId: ({ transaction }) => approvalOf(transaction)?.terminalId,
  declineCode: ({ transaction }) => declineOf(transaction)?.code,
  eligibility: ({ transaction }) => approvalOf(transaction)?.eligibility,
  told: ({ transaction }) => toldIn(transaction.answer),
  challengeUrl: ({ transaction }) => transaction.challengeUrl,
  at: ({ transaction }) => transaction.changedAt,
  // The second leg of a transfer sends money on; the security code was for the first.
  answered: ({ transaction }) => isFinal(transaction.stage) || transaction.leg > 1,
  isAttempt: ({ isAttempt }) => isAttempt || undefined,
});

export type BegunTransaction = ChangedTransaction & { readonly begin: BeginMarks | undefined };

const { approvalCode, rrn, processorTxId } = answerColumns.parts;
const begunMarks = { ...marks, approvalCode, rrn, processorTxId };

export const BEGUN_TRANSACTION = transactions.with(begunMarks).batch<BegunTransaction>({
  merchantId: ({ order }) => order.merchantId,
  orderId: ({ order }) => order.orderId,
  seq: ({ transaction }) => transaction.seq,
  type: ({ transaction }) => transaction.type,
  amount: ({ transaction }) => transaction.amount,
  stage: ({ transaction }) => transaction.stage,
  leg: ({ transaction }) => transaction.leg,
  legs: ({ transaction }) => transaction.legs,
  terminal: ({ transaction }) => transaction.terminal,
  traceId: ({ transaction }) => transaction.traceId,
  originalSeq: ({ transaction }) => transaction.originalSeq,
  dueAt: ({ transaction }) => transaction.dueAt,
  leaseOwner: ({ begin }) => begin?.leaseOwner,
  // What comes back of a payout is approved when it is begun.
  approvalCode: ({ transaction }) => approvalOf(transaction)?.approvalCode,
  rrn: ({ transaction }) => transaction.answer?.rrn,
  processorTxId: ({ transaction }) => transaction.answer?.processorTxId,
  requestSerial: ({ transaction }) => transaction.requestSerial,
  fingerprint: ({ begin }) => begin?.fingerprint ?? Buffer.alloc(0),
  idempotencyKey: ({ begin }) => begin?.idempotencyKey,
  idempotencyUntil: ({ begin, transaction }) =>
    begin?.idempotencyKey ? transaction.createdAt + (begin.keyKeptMs ?? IDEMPOTENCY_MS) : undefined,
  comment: ({ transaction }) => transaction.comment,
  at: ({ transaction }) => transaction.createdAt,
  isAttempt: ({ isAttempt }) => isAttempt || undefined,
  keepsCode: ({ order, transaction }) => keepsSecurityCode(order, transaction) || undefined,
});

export type VersionedEvent = OfOrder<{ readonly version: number; readonly event: OrderEvent }>;

export const EVENT = orderEvents.batch<VersionedEvent>({
  merchantId: ({ order }) => order.merchantId,
  orderId: ({ order }) => order.orderId,
  version: ({ version }) => version,
  at: ({ event }) => event.at,
  event: ({ event }) => eventText(event),
});

/** Only a transaction has an amount. A replacer for the events of every sale would cost more than the rest of them. */
function eventText(event: OrderEvent): string {
  if (event.type !== 'transaction-begun') return JSON.stringify(event);
  const { transaction } = event;
  return JSON.stringify({ ...event, transaction: { ...transaction, amount: transaction.amount.toString() } });
}
