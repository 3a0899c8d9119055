// Orders and requests as they are answered, out of what is stored.

import { Refusal } from '../../domain/errors.ts';
import { readMoney } from '../../domain/merchant/setting-kinds.ts';
import { callbackId } from '../../domain/order/callbacks.ts';
import { allowedFollowUp, type FollowUpAsked, mayComeBack } from '../../domain/order/follow-up.ts';
import { acquirerReference, type Order, purposeOf, type Transaction } from '../../domain/order/order.ts';
import { stages } from '../../domain/order/stages.ts';
import type { AuthenticationRecord } from '../../domain/three-d-secure/authentication-record.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { ListedOrder } from '../../storage/orders/order-search.ts';
import type { Timeline } from '../../storage/orders/timelines.ts';
import type { JournaledRequest } from '../../storage/requests/journal-search.ts';
import type { OrderView as StoredView } from '../../storage/store.ts';
import { endsOfNumber, writtenExpiry } from '../cards/cards.ts';
import { loginOf } from '../lookups.ts';
import { namesReference, withBankExchanges } from './bank-exchanges.ts';
import type { RawEpisode, SigningAnswer } from './order-answers.ts';
import { storyInOrder } from './order-story.ts';

type PlainOrder = Omit<ListedOrder, 'stage' | 'cardEnds' | 'email' | 'changedAt'>;

export function viewOfOrder<O extends PlainOrder>(order: O, stage: Transaction['stage'], all: Configuration) {
  const { merchantId, amount: minor, currency } = order;
  return { ...order, login: loginOf(merchantId, all), amount: { minor, currency }, status: stages[stage].status };
}

/** As a line of a list. */
export function lineOfOrder(order: ListedOrder, all: Configuration) {
  const { cardEnds, currency, reversed: minor } = order;
  const card = cardEnds?.replace('-', '...');
  return { ...viewOfOrder(order, order.stage, all), card, reversed: { minor, currency } };
}

export type BankMessageTold = Extract<RawEpisode, { readonly kind: 'bank' }>;

/** What is known of an order besides what is stored with it. */
export type AroundOrder = {
  readonly timeline: Timeline;
  readonly all: Configuration;
  readonly now: number;
  /** What people have moved of it without a second one. */
  readonly movedAlone: bigint;
  /** Messages with banks that this node still has; undefined when they are not told. */
  readonly messages: readonly BankMessageTold[] | undefined;
};

export function wholeViewOfOrder(stored: StoredView, { timeline, all, now, movedAlone, messages }: AroundOrder) {
  const { order, card = stored.targetCard, authentication, details } = stored;
  const money = (minor: bigint) => ({ minor, currency: order.currency });
  return {
    ...viewOfOrder(order, purposeOf(order).stage, all),
    unsigned: order.unsigned,
    description: details.description,
    payer: {
      name: [details.firstName, details.lastName].filter(Boolean).join(' ') || undefined,
      email: details.email,
      address: details.payerAddress ?? details.ipAddress,
      country: details.country,
    },
    holdUntil: order.holdUntil,
    possible: possibleFor(order, { all, now, movedAlone }),
    authorised: money(order.authorised),
    captured: money(order.captured),
    released: money(order.released),
    reversed: money(order.reversed),
    card: card && [endsOfNumber(card), card.brand, writtenExpiry(card)].filter(Boolean).join(' '),
    route: order.route && { terminals: [...order.route.terminals], reason: order.route.reason },
    authentication: authentication && viewOfAuthentication(authentication),
    transactions: order.transactions.map((transaction) => ({
      ...transaction,
      ...answerOf(transaction),
      amount: money(transaction.amount),
      reference: acquirerReference(order, transaction),
    })),
    bookings: timeline.bookings
      .map(({ seq, account, amount }) => ({ transaction: seq, account, amount: money(amount) }))
      .reverse(),
    story: storyOf(order, timeline, all, messages),
    polls: timeline.polls,
    archived: timeline.filed.map(({ file }) => file),
  };
}

function possibleFor(order: Order, { all, now, movedAlone }: Pick<AroundOrder, 'all' | 'now' | 'movedAlone'>) {
  const { currency, merchantId } = order;
  const { seq, amount } = purposeOf(order);
  const most = (asked: Omit<FollowUpAsked, 'amounts'>) => {
    const allowed = allowedFollowUp(order, { ...asked, amounts: [] }, now);
    return allowed instanceof Refusal ? undefined : { minor: allowed.amount, currency };
  };
  const { secondPersonAbove = [] } = all.merchants.find((one) => one.merchantId === merchantId) ?? {};
  const bounds = secondPersonAbove.flatMap((text) => {
    const bound = readMoney(text);
    return bound?.currency === currency ? [bound.minor] : [];
  });
  const [least] = bounds.toSorted((a, b) => (a < b ? -1 : 1));
  const left = least === undefined ? undefined : least > movedAlone ? least - movedAlone : 0n;
  return {
    capture: most({ kind: 'capture' }),
    void: most({ kind: 'void' }),
    return: most({ kind: 'return', from: 'payment' }),
    release: most({ kind: 'return', from: 'hold' }),
    payoutReturn: mayComeBack(order, seq) ? { minor: amount, currency } : undefined,
    alone: left === undefined ? undefined : { minor: left, currency },
  };
}

function viewOfAuthentication({ seq, step }: AuthenticationRecord) {
  const outcome = step.name === 'over' ? step.outcome : undefined;
  return { ...outcome, transaction: seq, step: step.name, version: outcome?.protocol };
}

function answerOf({ answer }: Transaction) {
  return {
    rrn: answer?.rrn,
    approvalCode: answer?.word === 'approved' ? answer.approvalCode : undefined,
    declineCode: answer?.word === 'declined' ? answer.code : undefined,
  };
}

function storyOf(
  order: Order,
  { requests, changes, said, told }: Timeline,
  all: Configuration,
  messages: AroundOrder['messages'],
): RawEpisode[] {
  const kept = (at: string, reference: string) =>
    messages?.filter(({ terminal, message }) => terminal === at && namesReference(message, reference)).length;
  return storyInOrder(withBankExchanges(order, changes.toReversed(), kept), [
    ...requests.toReversed().map((line) => ({ kind: 'request' as const, ...viewOfRequest(line, all) })),
    ...said.toReversed().map((one) => ({ kind: '3ds' as const, ...one, transaction: one.seq })),
    ...told.toReversed().map((one) => {
      return { kind: 'callback' as const, ...one, callbackId: callbackId({ ...order, ...one }) };
    }),
    ...(messages ?? []),
  ]);
}

export function viewOfRequest(line: JournaledRequest, all: Configuration) {
  const { signing, ...reply } = line.reply as { readonly signing?: SigningAnswer; readonly status?: unknown };
  const login = line.merchantId === undefined ? undefined : loginOf(line.merchantId, all);
  // Lines of versions that explained controls only do not say of what they are.
  return {
    ...line,
    reply,
    login,
    status: textOf(reply.status),
    signing: signing && { ...signing, scheme: signing.scheme ?? 'control' },
  };
}

/** A request whose sender is not known, or the line about all that got none. */
export function viewOfStranger(line: JournaledRequest) {
  // The journal keeps objects only.
  const reply = line.reply as Readonly<Record<string, unknown>>;
  const { from, 'error-message': message, 'requests-left-out': leftOut } = reply;
  const says = leftOut === undefined ? message : `${leftOut} more requests came, which have no line of their own`;
  return { ...line, from: textOf(from), says: textOf(says) };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
