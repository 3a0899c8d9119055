// `tender order`: what became of an order, step by step.

import type { Command } from 'commander';
import type {
  AuthenticationView,
  Episode,
  OrderView,
  TransactionView,
  WholeOrderView,
} from '../administration/orders.ts';
import { millisecond, minute, properties, table } from '../administration/verb/table.ts';
import {
  administrationCommand,
  answerWith,
  type CommonValues,
  given,
  nounCommand,
  withExample,
} from './administration-command.ts';
import { heard } from './callback.ts';
import { Complaint } from './complaint.ts';
import { idOf } from './option-values.ts';
import { answerTo } from './request.ts';

type ListValues = CommonValues & { readonly merchant?: string; readonly before?: number };

export function addOrder(program: Command): void {
  const noun = nounCommand(program, 'order', 'list orders and show everything that happened to one');

  const list = administrationCommand(noun, 'list', 'list orders, the newest first, 100 at a time')
    .option('--merchant <login>', 'only those of this merchant')
    .option('--before <id>', 'only those older than this one', idOf)
    .action(({ merchant, before, ...values }: ListValues) =>
      answerWith(values, ({ ask }) => ask('listOrders', given({ login: merchant, before })), listed),
    );
  withExample(list, 'tender order list --merchant shop');

  const show = administrationCommand(
    noun,
    'show',
    'show an order and its story, and write into the audit chain who looked',
  )
    .argument('<order>', 'its id; with --merchant, the id the merchant gave it')
    .option('--merchant <login>', 'whose order it is')
    .action((order: string, { merchant, ...values }: CommonValues & { readonly merchant?: string }) => {
      const asked = merchant === undefined ? { orderId: orderIdOf(order) } : { login: merchant, clientOrderId: order };
      return answerWith(values, ({ ask }) => ask('showOrder', asked), whole);
    });
  withExample(show, 'tender order show 225233353367552\n  tender order show invoice-1 --merchant shop');
}

function orderIdOf(text: string): number {
  try {
    return idOf(text);
  } catch {
    throw new Complaint("an order's id is a whole number; for the id its merchant gave it, add --merchant <login>");
  }
}

function listed(orders: readonly OrderView[]): string {
  if (orders.length === 0) return 'There are no such orders.';
  return table(
    ['ORDER', 'MERCHANT', "MERCHANT'S ID", 'OPERATION', 'AMOUNT', 'STATUS', 'MADE'],
    orders.map((one) => [
      String(one.orderId),
      one.login,
      one.clientOrderId,
      one.operation,
      `${one.amount} ${one.currency}`,
      one.status,
      minute(one.createdAt),
    ]),
  );
}

function whole(order: WholeOrderView): string {
  return [facts(order), transactions(order), bookings(order), story(order)].filter(Boolean).join('\n\n');
}

function facts(order: WholeOrderView): string {
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
    ['Amount', `${order.amount} ${currency}`],
    ...sums.filter(([, sum]) => /[1-9]/.test(sum)),
    ...(order.card === null ? [] : [['Card', order.card] as const]),
    ...(order.authentication === null ? [] : [['3-D Secure', proofOf(order.authentication)] as const]),
    ['Made', minute(order.createdAt)],
  ]);
}

function proofOf({ step, status, version, eci, reason }: AuthenticationView): string {
  if (status === null) return step;
  const facts = [version === null ? undefined : `version ${version}`, eci === null ? undefined : `ECI ${eci}`, reason];
  return [status, ...facts].filter(Boolean).join(', ');
}

function transactions({ transactions: all, currency }: WholeOrderView): string {
  return table(
    ['TRANSACTION', 'TYPE', 'AMOUNT', 'STAGE', "BANK'S REFERENCE", 'RRN', 'ANSWER', 'DUE'],
    all.map((one) => [
      String(one.seq),
      one.type,
      `${one.amount} ${currency}`,
      one.stage,
      one.reference,
      one.rrn ?? '-',
      answerOf(one),
      minute(one.dueAt),
    ]),
  );
}

function answerOf({ approvalCode, declineCode, filterReason }: TransactionView): string {
  if (approvalCode !== null) return `approval ${approvalCode}`;
  return declineCode === null ? (filterReason ?? '-') : `decline ${declineCode}`;
}

function bookings({ bookings: all, currency }: WholeOrderView): string {
  if (all.length === 0) return '';
  return table(
    ['BOOKED FOR', 'ACCOUNT', 'AMOUNT'],
    all.map(({ transaction, account, amount }) => [String(transaction), account, `${amount} ${currency}`]),
  );
}

function story({ story: episodes, polls }: WholeOrderView): string {
  const lines = table(
    ['WHEN', 'WHAT', ''],
    episodes.map((episode) => [millisecond(episode.at), episode.kind, told(episode)]),
  );
  if (polls.count === 0) return lines;
  const times = polls.count === 1 ? 'once' : `${polls.count} times`;
  return `${lines}\n\nIts status was asked for ${times}, last ${millisecond(polls.lastAt)}.`;
}

function told(episode: Episode): string {
  switch (episode.kind) {
    case 'request':
      return `${episode.operation ?? 'unknown operation'}, answered ${answerTo(episode)}, serial number ${episode.serialNumber}`;
    case 'change':
      return changeLine(episode.event as Changed);
    case '3ds':
      return saidLine(episode.from, episode.message);
    case 'callback':
      return `${episode.callbackId}: ${heard(episode)} (${episode.milliseconds} ms)`;
  }
}

/** What a message of 3-D Secure came to, where it says so. */
const TELLING = ['transStatus', 'transStatusReason', 'eci', 'resultsStatus', 'enrolled', 'status', 'errorDescription'];

function saidLine(from: string, message: Readonly<Record<string, unknown>>): string {
  const facts = TELLING.filter((name) => message[name] !== undefined).map((name) => `${name} ${message[name]}`);
  return [`${from}: ${message.messageType ?? 'a message'}`, ...facts].join(', ');
}

/** An event as it is kept, in every shape it ever had. */
type Changed = {
  readonly type: string;
  readonly stage?: string;
  readonly seq?: number;
  readonly from?: string;
  readonly to?: string;
  readonly leg?: number;
  readonly fromLeg?: number;
  readonly reason?: string;
  readonly answer?: { readonly approvalCode?: string; readonly code?: string };
  readonly transaction?: { readonly seq: number; readonly type: string; readonly stage: string };
};

function changeLine(event: Changed): string {
  switch (event.type) {
    case 'order-started':
      return `started: ${event.stage}`;
    case 'transaction-begun':
      return `transaction ${event.transaction?.seq} begun, a ${event.transaction?.type}: ${event.transaction?.stage}`;
    case 'transaction-moved':
      return `transaction ${event.seq}: ${event.from} → ${event.to}${because(event)}`;
    case 'hold-ended':
      return `transaction ${event.seq}: its hold has ended`;
    default:
      return event.type;
  }
}

function because({ reason, answer, leg, fromLeg }: Changed): string {
  const parts = [
    answer?.approvalCode === undefined ? undefined : `approval ${answer.approvalCode}`,
    answer?.code === undefined ? undefined : `decline ${answer.code}`,
    leg === fromLeg ? undefined : `instruction ${leg}`,
    reason,
  ].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
