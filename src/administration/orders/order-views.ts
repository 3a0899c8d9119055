// Orders and requests as they are answered, out of what is stored.

import { writeAmount } from '../../domain/money/money.ts';
import { callbackId } from '../../domain/order/callbacks.ts';
import { acquirerReference, type Order, purposeOf, type Transaction } from '../../domain/order/order.ts';
import { stages } from '../../domain/order/stages.ts';
import type { AuthenticationRecord } from '../../domain/three-d-secure/authentication-record.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { JournaledRequest, ListedOrder, Timeline } from '../../storage/orders/timelines.ts';
import type { OrderView as StoredView } from '../../storage/store.ts';
import { attemptView } from '../callbacks.ts';
import { endsOfNumber, writtenExpiry } from '../cards.ts';
import { loginOf } from '../lookups.ts';
import { written, writtenIfAny } from '../verb/moments.ts';
import type {
  AuthenticationAnswer,
  Episode,
  OrderAnswer,
  RequestAnswer,
  TransactionAnswer,
  WholeOrderAnswer,
} from './order-answers.ts';

export function viewOfOrder(
  order: Omit<ListedOrder, 'stage'>,
  stage: Transaction['stage'],
  all: Configuration,
): OrderAnswer {
  const { merchantId, orderId, clientOrderId, endpointId, operation, amount, currency, createdAt } = order;
  return {
    orderId,
    login: loginOf(merchantId, all),
    clientOrderId,
    endpointId,
    operation,
    amount: writeAmount({ minor: amount, currency }, 'major'),
    currency,
    status: stages[stage].status,
    createdAt: written(createdAt),
  };
}

export function wholeViewOfOrder(
  { order, card, authentication }: StoredView,
  timeline: Timeline,
  all: Configuration,
): WholeOrderAnswer {
  const { currency } = order;
  const major = (minor: bigint) => writeAmount({ minor, currency }, 'major');
  return {
    ...viewOfOrder(order, purposeOf(order).stage, all),
    authorised: major(order.authorised),
    captured: major(order.captured),
    released: major(order.released),
    reversed: major(order.reversed),
    card: card === undefined ? null : [endsOfNumber(card), card.brand, writtenExpiry(card)].filter(Boolean).join(' '),
    authentication: authentication === undefined ? null : viewOfAuthentication(authentication),
    transactions: order.transactions.map((transaction) => viewOfTransaction(order, transaction, major)),
    bookings: timeline.bookings
      .map(({ seq, account, amount }) => ({ transaction: seq, account, amount: major(amount) }))
      .reverse(),
    story: storyOf(order, timeline, all),
    polls: { count: timeline.polls.count, lastAt: writtenIfAny(timeline.polls.lastAt) },
  };
}

function viewOfAuthentication({ seq, step }: AuthenticationRecord): AuthenticationAnswer {
  const outcome = step.name === 'over' ? step.outcome : undefined;
  return {
    transaction: seq,
    step: step.name,
    status: outcome?.status ?? null,
    version: outcome?.protocol ?? null,
    eci: outcome?.eci ?? null,
    reason: outcome?.reason ?? null,
  };
}

function viewOfTransaction(
  order: Order,
  transaction: Transaction,
  major: (minor: bigint) => string,
): TransactionAnswer {
  const { seq, type, amount, stage, answer, filterReason, comment, dueAt, createdAt, changedAt } = transaction;
  return {
    seq,
    type,
    amount: major(amount),
    stage,
    reference: acquirerReference(order, transaction),
    rrn: answer?.rrn ?? null,
    approvalCode: answer?.word === 'approved' ? answer.approvalCode : null,
    declineCode: answer?.word === 'declined' ? answer.code : null,
    filterReason: filterReason ?? null,
    comment: comment ?? null,
    dueAt: writtenIfAny(dueAt),
    createdAt: written(createdAt),
    changedAt: written(changedAt),
  };
}

/**
 * What came first stands first; at the same moment a request stands before what it did, and that before what was told
 * of it.
 */
function storyOf(order: Order, { requests, changes, said, told }: Timeline, all: Configuration): Episode[] {
  const episodes: Episode[] = [
    ...requests.toReversed().map((line): Episode => {
      const { login: _login, orderId: _orderId, ...request } = viewOfRequest(line, all);
      return { kind: 'request', ...request };
    }),
    ...changes
      .toReversed()
      .map(({ at, version, event }): Episode => ({ kind: 'change', at: written(at), version, event })),
    ...said.toReversed().map(({ at, seq, from, message }): Episode => {
      return { kind: '3ds', at: written(at), transaction: seq, from, message };
    }),
    ...told.toReversed().map((one): Episode => {
      return { kind: 'callback', callbackId: callbackId({ ...order, ...one }), ...attemptView(one) };
    }),
  ];
  return episodes.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

export function viewOfRequest(line: JournaledRequest, all: Configuration): RequestAnswer {
  const { serialNumber, at, operation, merchantId, orderId, httpStatus, errorCode, milliseconds, request, reply } =
    line;
  return {
    serialNumber,
    at: written(at),
    operation: operation ?? null,
    login: merchantId === undefined ? null : loginOf(merchantId, all),
    orderId: orderId ?? null,
    httpStatus,
    errorCode: errorCode ?? null,
    milliseconds,
    request,
    reply,
  };
}
