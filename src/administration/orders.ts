// Orders, as an operator sees them: a list, one with its whole story, and a request by the serial number its reply carried.

import { writeAmount } from '../domain/money/money.ts';
import { callbackId } from '../domain/order/callbacks.ts';
import {
  acquirerReference,
  MAX_CLIENT_ORDER_ID,
  type Order,
  purposeOf,
  type Transaction,
} from '../domain/order/order.ts';
import { type PublicStatus, stages } from '../domain/order/stages.ts';
import type { AuthenticationRecord } from '../domain/three-d-secure/authentication-record.ts';
import { UUID } from '../domain/uuid.ts';
import type { Configuration } from '../storage/configuration.ts';
import type { JournaledRequest, ListedOrder, Said, Timeline } from '../storage/orders/timelines.ts';
import type { OrderView as StoredView } from '../storage/store.ts';
import type { AdministrationParts } from './administration.ts';
import { type AttemptView, attemptView } from './callbacks.ts';
import { expiryOf, numberOf } from './cards.ts';
import { type Given, idOf, needed, shown, textOf, Unfit } from './given.ts';
import { loginOf, merchantIdsOf, merchantOf } from './merchants.ts';
import { written, writtenIfAny } from './verb/moments.ts';

const LIST_LIMIT = 100;
/** Of requests, changes, bookings and tries to tell the merchant, the latest so many of each. */
const STORY_LIMIT = 200;

export type OrderView = {
  readonly orderId: number;
  readonly login: string;
  readonly clientOrderId: string;
  readonly endpointId: number;
  readonly operation: string;
  /** In major units with a point, as are all amounts. */
  readonly amount: string;
  readonly currency: string;
  /** What its merchant is shown. */
  readonly status: PublicStatus;
  readonly createdAt: string;
};

export type TransactionView = {
  readonly seq: number;
  readonly type: string;
  readonly amount: string;
  readonly stage: string;
  /** The name the bank knows it by. */
  readonly reference: string;
  readonly rrn: string | null;
  readonly approvalCode: string | null;
  readonly declineCode: string | null;
  readonly filterReason: string | null;
  readonly comment: string | null;
  /** When the service looks at it again by itself. */
  readonly dueAt: string | null;
  readonly createdAt: string;
  readonly changedAt: string;
};

export type BookingView = { readonly transaction: number; readonly account: string; readonly amount: string };

export type RequestView = {
  readonly serialNumber: string;
  readonly at: string;
  readonly operation: string | null;
  readonly login: string | null;
  readonly orderId: number | null;
  readonly httpStatus: number;
  readonly errorCode: number | null;
  readonly milliseconds: number;
  /** Masked, as the journal keeps them. */
  readonly request: unknown;
  readonly reply: unknown;
};

export type Episode =
  | ({ readonly kind: 'request' } & Omit<RequestView, 'login' | 'orderId'>)
  | { readonly kind: 'change'; readonly at: string; readonly version: number; readonly event: unknown }
  | ({ readonly kind: '3ds'; readonly at: string; readonly transaction: number } & Pick<Said, 'from' | 'message'>)
  | ({ readonly kind: 'callback'; readonly callbackId: string } & AttemptView);

export type AuthenticationView = {
  readonly transaction: number;
  /** Where it stands; `over` when it has ended. */
  readonly step: string;
  /** In the protocol's own letter. */
  readonly status: string | null;
  readonly version: string | null;
  readonly eci: string | null;
  readonly reason: string | null;
};

export type WholeOrderView = OrderView & {
  readonly authorised: string;
  readonly captured: string;
  readonly released: string;
  readonly reversed: string;
  /** The ends of its number, brand and expiry. */
  readonly card: string | null;
  /** How the latest payer proved to be the cardholder; null where nobody had to. */
  readonly authentication: AuthenticationView | null;
  readonly transactions: readonly TransactionView[];
  readonly bookings: readonly BookingView[];
  /** What happened, the earliest first. */
  readonly story: readonly Episode[];
  /** Requests for its status, which the story leaves out. */
  readonly polls: { readonly count: number; readonly lastAt: string | null };
};

export function orderVerbs({ configuration, orders, timelines }: AdministrationParts) {
  return {
    /** The newest first, of the merchant `login` or of all. */
    async listOrders(given: Given): Promise<OrderView[]> {
      const all = await configuration.read();
      const query = { merchantIds: merchantIdsOf(given, all), before: idOf(given, 'before'), limit: LIST_LIMIT };
      return (await timelines.list(query)).map((order) => viewOf(order, order.stage, all));
    },

    /** By its id, or by the merchant `login` and its own id for it. */
    async showOrder(given: Given): Promise<WholeOrderView> {
      const all = await configuration.read();
      const orderId = idOf(given, 'orderId');
      const clientOrderId = textOf(given, 'clientOrderId', MAX_CLIENT_ORDER_ID);
      const name = orderId ?? needed(clientOrderId, 'orderId', 'the id of an order');
      const merchantId =
        orderId !== undefined && given.login === undefined
          ? await timelines.merchantOf(orderId, merchantIdsOf({}, all))
          : merchantOf(given, all).merchantId;
      const found =
        merchantId === undefined ? undefined : await orders.findOrderView({ merchantId, clientOrderId, orderId });
      if (!found) throw new Unfit(`there is no order ${shown(name)}; "tender order list" shows the newest`);
      return wholeView(found, await timelines.read(found.order, STORY_LIMIT), all);
    },

    /** Also one that was refused and made no order. */
    async showRequest(given: Given): Promise<RequestView> {
      const serialNumber = needed(given.serialNumber, 'serialNumber', 'the serial number of a reply');
      if (typeof serialNumber !== 'string' || !UUID.test(serialNumber)) {
        throw new Unfit(`serialNumber: the serial-number of a reply is needed, not ${shown(serialNumber)}`);
      }
      const request = await timelines.findRequest(serialNumber);
      if (request) return requestView(request, await configuration.read());
      throw new Unfit(`the journal has no request ${serialNumber.toLowerCase()}`);
    },
  };
}

function viewOf(order: Omit<ListedOrder, 'stage'>, stage: Transaction['stage'], all: Configuration): OrderView {
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

function wholeView(
  { order, card, authentication }: StoredView,
  timeline: Timeline,
  all: Configuration,
): WholeOrderView {
  const { currency } = order;
  const major = (minor: bigint) => writeAmount({ minor, currency }, 'major');
  return {
    ...viewOf(order, purposeOf(order).stage, all),
    authorised: major(order.authorised),
    captured: major(order.captured),
    released: major(order.released),
    reversed: major(order.reversed),
    card: card === undefined ? null : [numberOf(card), card.brand, expiryOf(card)].filter(Boolean).join(' '),
    authentication: authentication === undefined ? null : authenticationView(authentication),
    transactions: order.transactions.map((transaction) => transactionView(order, transaction, major)),
    bookings: timeline.bookings
      .map(({ seq, account, amount }) => ({ transaction: seq, account, amount: major(amount) }))
      .reverse(),
    story: storyOf(order, timeline, all),
    polls: { count: timeline.polls.count, lastAt: writtenIfAny(timeline.polls.lastAt) },
  };
}

function authenticationView({ seq, step }: AuthenticationRecord): AuthenticationView {
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

function transactionView(order: Order, transaction: Transaction, major: (minor: bigint) => string): TransactionView {
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

/** What came first stands first; at the same moment a request stands before what it did, and that before what was told of it. */
function storyOf(order: Order, { requests, changes, said, told }: Timeline, all: Configuration): Episode[] {
  const episodes: Episode[] = [
    ...requests.toReversed().map((line): Episode => {
      const { login: _login, orderId: _orderId, ...request } = requestView(line, all);
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

function requestView(line: JournaledRequest, all: Configuration): RequestView {
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
