// An order and everything that happened to it, and a request and what it was told, in words.

import { KEY_PLACEHOLDER } from '../../signing/control.ts';
import { percentEncode } from '../../signing/oauth1.ts';
import { heard } from '../callbacks.ts';
import { millisecond, minute, properties, textTable } from '../verb/table.ts';
import type {
  AuthenticationAnswer,
  Episode,
  RequestAnswer,
  SigningAnswer,
  TransactionAnswer,
  WholeOrderAnswer,
} from './order-answers.ts';

export function orderText(order: WholeOrderAnswer): string {
  return [facts(order), transactions(order), bookings(order), story(order)].filter(Boolean).join('\n\n');
}

function facts(order: WholeOrderAnswer): string {
  const { currency } = order;
  const sums = [
    ['Authorised', `${order.authorised} ${currency}`],
    ['Captured', `${order.captured} ${currency}`],
    ['Released', `${order.released} ${currency}`],
    ['Reversed', `${order.reversed} ${currency}`],
  ] as const;
  return properties([
    ['Order', String(order.orderId)],
    ['Merchant', order.login],
    ["Merchant's id", order.clientOrderId],
    ['Endpoint', String(order.endpointId)],
    ['Operation', order.operation],
    ['Status', order.status],
    ['Amount', `${order.amount} ${currency}${order.unsigned ? ', which nobody signed' : ''}`],
    ...sums.filter(([, sum]) => /[1-9]/.test(sum)),
    ...(order.payer.email === null ? [] : [['Payer', order.payer.email] as const]),
    ...(order.card === null ? [] : [['Card', order.card] as const]),
    ...(order.route === null
      ? []
      : [['Route', `${order.route.terminals.join(', ')}, by ${order.route.reason}`] as const]),
    ...(order.authentication === null ? [] : [['3-D Secure', proofOf(order.authentication)] as const]),
    ['Made', minute(order.createdAt)],
  ]);
}

function proofOf({ step, status, version, eci, reason }: AuthenticationAnswer): string {
  if (status === null) return step;
  const facts = [version === null ? undefined : `version ${version}`, eci === null ? undefined : `ECI ${eci}`, reason];
  return [status, ...facts].filter(Boolean).join(', ');
}

function transactions({ transactions: all, currency }: WholeOrderAnswer): string {
  return textTable(
    ['TRANSACTION', 'TYPE', 'AMOUNT', 'STAGE', 'TERMINAL', "BANK'S REFERENCE", 'RRN', 'ANSWER', 'DUE'],
    all.map((one) => [
      String(one.seq),
      one.type,
      `${one.amount} ${currency}`,
      one.stage,
      one.terminal,
      one.reference,
      one.rrn ?? '-',
      answerOf(one),
      minute(one.dueAt),
    ]),
  );
}

function answerOf({ approvalCode, declineCode, filterReason }: TransactionAnswer): string {
  if (approvalCode !== null) return `approval ${approvalCode}`;
  return declineCode === null ? (filterReason ?? '-') : `decline ${declineCode}`;
}

function bookings({ bookings: all, currency }: WholeOrderAnswer): string {
  if (all.length === 0) return '';
  return textTable(
    ['BOOKED FOR', 'ACCOUNT', 'AMOUNT'],
    all.map(({ transaction, account, amount }) => [String(transaction), account, `${amount} ${currency}`]),
  );
}

function story({ story: episodes, polls, archived }: WholeOrderAnswer): string {
  const lines = textTable(
    ['WHEN', 'WHAT', ''],
    episodes.map((episode) => [millisecond(episode.at), episode.kind, told(episode)]),
  );
  const times = polls.count === 1 ? 'once' : `${polls.count} times`;
  return [
    lines,
    ...(polls.count === 0 ? [] : [`Its status was asked for ${times}, last ${millisecond(polls.lastAt)}.`]),
    ...(archived.length === 0 ? [] : [`What happened earlier was archived in ${archived.join(', ')}.`]),
  ].join('\n\n');
}

function told(episode: Episode): string {
  switch (episode.kind) {
    case 'request':
      return `${episode.operation ?? 'unknown operation'}, answered ${answerTo(episode)}, serial number ${episode.serialNumber}`;
    case 'change':
      // Events are kept as JSON, in the shapes that the type names.
      return changeLine(episode.event as ChangedOrder);
    case '3ds':
      return saidLine(episode.from, episode.message);
    case 'exchange':
      return exchangeLine(episode);
    case 'bank':
      return `${episode.direction === 'out' ? '->' : '<-'} ${episode.terminal}: ${episode.message}`;
    case 'callback':
      return `${episode.callbackId}: ${heard(episode)} (${episode.milliseconds} ms)`;
  }
}

function exchangeLine(exchange: Extract<Episode, { readonly kind: 'exchange' }>): string {
  const { terminal, asked, type, reference, amount, answer, approvalCode, declineCode, milliseconds } = exchange;
  const what = asked === 'instruction' ? `${type} of ${amount}` : `${asked} about the ${type} of ${amount}`;
  const code = approvalCode === null ? declineCode : approvalCode;
  const after = milliseconds === null ? undefined : `after ${Math.round(milliseconds)} ms`;
  return `${terminal}: ${what}, ${reference}: ${[answer, code, after].filter(Boolean).join(', ')}`;
}

/** What a message of 3-D Secure came to, where it says so. */
const TELLING = ['transStatus', 'transStatusReason', 'eci', 'resultsStatus', 'enrolled', 'status', 'errorDescription'];

function saidLine(from: string, message: Readonly<Record<string, unknown>>): string {
  const facts = TELLING.filter((name) => message[name] !== undefined).map((name) => `${name} ${message[name]}`);
  return [`${from}: ${message.messageType ?? 'a message'}`, ...facts].join(', ');
}

/** An event as it is kept, in every shape it ever had. */
export type ChangedOrder = {
  readonly type: string;
  readonly stage?: string;
  readonly seq?: number;
  readonly from?: string;
  readonly to?: string;
  readonly leg?: number;
  readonly fromLeg?: number;
  readonly reason?: string;
  readonly filterReason?: string;
  readonly terminal?: string;
  /** People who did it in the place of the merchant. */
  readonly by?: { readonly asked: string; readonly approved?: string };
  readonly answer?: { readonly approvalCode?: string; readonly code?: string; readonly rrn?: string };
  readonly route?: { readonly terminals: readonly string[]; readonly reason: string };
  readonly transaction?: {
    readonly seq: number;
    readonly type: string;
    readonly stage: string;
    readonly terminal?: string;
    readonly filterReason?: string;
  };
};

function changeLine(event: ChangedOrder): string {
  switch (event.type) {
    case 'order-started':
      return `started: ${event.stage}`;
    case 'transaction-begun':
      return `${begunLine(event.transaction)}${because(event)}`;
    case 'transaction-moved':
      return `transaction ${event.seq}: ${event.from} → ${event.to}${because(event)}`;
    case 'hold-ended':
      return `transaction ${event.seq}: its hold has ended`;
    default:
      return event.type;
  }
}

function begunLine(begun: ChangedOrder['transaction']): string {
  const where = begun?.terminal === undefined ? '' : ` at ${begun.terminal}`;
  return `transaction ${begun?.seq} begun${where}, a ${begun?.type}: ${begun?.stage}`;
}

function because({ reason, answer, leg, fromLeg, route, by }: ChangedOrder): string {
  const parts = [
    answer?.approvalCode === undefined ? undefined : `approval ${answer.approvalCode}`,
    answer?.code === undefined ? undefined : `decline ${answer.code}`,
    leg === fromLeg ? undefined : `instruction ${leg}`,
    route && `for ${route.terminals.join(', ')}, by ${route.reason}`,
    by && `by ${by.asked}`,
    by?.approved && `approved by ${by.approved}`,
    reason,
  ].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

export function requestText(request: RequestAnswer): string {
  const facts = properties([
    ['Serial number', request.serialNumber],
    ['Came', millisecond(request.at)],
    ['Operation', request.operation ?? '-'],
    ['Merchant', request.login ?? '-'],
    ['Order', request.orderId === null ? '-' : String(request.orderId)],
    ['Answered', answerTo(request)],
  ]);
  const told = `${facts}\n\nAsked:\n${members(request.request)}\n\nTold:\n${members(request.reply)}`;
  return request.signing === null ? told : `${told}\n\nSigning:\n${members(signingFacts(request.signing))}`;
}

function signingFacts({ scheme, expected, came, instead }: SigningAnswer) {
  const isControl = scheme === 'control';
  const written = (parts: SigningAnswer['expected'], between = '') =>
    isControl ? parts.map(({ value }) => value).join(between) : writtenBase(parts);
  const right = `${written(expected)}${isControl ? KEY_PLACEHOLDER : ''}`;
  const signed = instead && written(instead.parts, instead.between);
  // Where only the way of encoding or signing differs, the mistake says all.
  const found = instead && { ...(signed !== right && { signed }), mistake: instead.mistake };
  return { 'expected-string': right, came, ...found };
}

/** As it is signed: verb, URL and joined parameters, each encoded. What is masked stays readable. */
function writtenBase([verb, url, ...parameters]: SigningAnswer['expected']): string {
  const joined = parameters.map(({ name, value }) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
  const encoded = percentEncode(joined).replaceAll(percentEncode(percentEncode('***')), '***');
  return [verb?.value ?? '', percentEncode(url?.value ?? ''), encoded].join('&');
}

function answerTo({
  httpStatus,
  errorCode,
  milliseconds,
}: Pick<RequestAnswer, 'httpStatus' | 'errorCode' | 'milliseconds'>): string {
  const code = errorCode === null ? '' : ` with error ${errorCode}`;
  return `${httpStatus}${code} in ${Math.round(milliseconds)} ms`;
}

/** Name and value, one below the other. */
function members(value: unknown): string {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  if (entries.length === 0) return '  nothing';
  return properties(entries.map(([name, one]) => [`  ${name}`, typeof one === 'string' ? one : JSON.stringify(one)]));
}
