// The rules, pure: `startOrder` makes an order, `decide` turns a finding into events, `evolve` applies an event.
// Everything that changes an order passes through here, and nothing here knows a database, a clock or a network.

import type { Answer, Approval, Decline, InquiryAnswer, ReversalAnswer } from '../acquirer-answer.ts';
import { invariant } from '../errors.ts';
import type { Order, Transaction } from './order.ts';
import { transactionOf } from './order.ts';
import { INQUIRY_PAUSES_MS, MAX_SENDS, REVERSAL_PAUSES_MS } from './retry-schedule.ts';
import { isFinal, type Stage } from './stages.ts';
import { type Finding, nextStage } from './transitions.ts';

/** What a node reports to the order machine. */
export type Command =
  /** The acquirer answered an instruction that was sent. */
  | { readonly type: 'sent'; readonly seq: number; readonly answer: Answer }
  /** The acquirer answered an inquiry. `resendable` says whether everything needed to send again is still at hand. */
  | { readonly type: 'inquired'; readonly seq: number; readonly answer: InquiryAnswer; readonly resendable: boolean }
  | { readonly type: 'reversal-answered'; readonly seq: number; readonly answer: ReversalAnswer };

export type OrderEvent = {
  readonly type: 'transaction-moved';
  readonly seq: number;
  readonly from: Stage;
  readonly to: Stage;
  readonly finding: Finding;
  readonly at: number;
  readonly dueAt: number | undefined;
  readonly attempts: number;
  readonly sends: number;
  readonly answer: Approval | Decline | undefined;
  /** Why there is no usable answer, for the timeline and the operator. */
  readonly reason: string | undefined;
};

export type Moment = { readonly now: number; readonly leaseMs: number };

export type NewOrder = Omit<
  Order,
  'authorised' | 'captured' | 'reversed' | 'version' | 'createdAt' | 'transactions'
> & {
  readonly requestSerial: string;
};

/** An accepted order: written down, its first transaction leased to the node that goes on to the acquirer. */
export function startOrder(intent: NewOrder, { now, leaseMs }: Moment): Order {
  const { requestSerial, ...order } = intent;
  invariant(order.amount > 0n, 'an order moves a positive amount');
  const transaction: Transaction = {
    seq: 1,
    type: order.operation,
    amount: order.amount,
    stage: 'sending',
    dueAt: now + leaseMs,
    attempts: 0,
    sends: 0,
    requestSerial,
    answer: undefined,
    createdAt: now,
    changedAt: now,
  };
  return {
    ...order,
    authorised: 0n,
    captured: 0n,
    reversed: 0n,
    version: 1,
    createdAt: now,
    transactions: [transaction],
  };
}

/** The events that follow from a command; none when it changes nothing. */
export function decide(order: Order, command: Command, moment: Moment): OrderEvent[] {
  const transaction = transactionOf(order, command.seq);
  const finding = findingOf(transaction, command);
  const to = nextStage(transaction.stage, finding);
  if (to === undefined) return [];
  const sameStage = to === transaction.stage;
  const sends = transaction.sends + (command.type === 'sent' ? 1 : 0);
  const attempts = sameStage ? transaction.attempts + 1 : 0;
  const { answer } = command;
  return [
    {
      type: 'transaction-moved',
      seq: command.seq,
      from: transaction.stage,
      to,
      finding,
      at: moment.now,
      dueAt: dueAt(to, attempts, moment),
      attempts,
      sends,
      answer: answer.word === 'approved' || answer.word === 'declined' ? answer : undefined,
      reason: answer.word === 'unknown' ? answer.reason : undefined,
    },
  ];
}

/** The acquirer's word, sharpened by how often we have tried already. */
function findingOf(transaction: Transaction, command: Command): Finding {
  const { answer } = command;
  switch (answer.word) {
    case 'approved':
    case 'declined':
    case 'reversed':
      return answer.word;
    case 'not-found':
      if (command.type === 'reversal-answered') return 'reversed';
      return command.type === 'inquired' && command.resendable && transaction.sends < MAX_SENDS
        ? 'not-found'
        : 'not-found-for-good';
    case 'pending':
    case 'unknown':
      return triesUsedUp(transaction, command) ? 'tries-used-up' : 'no-answer';
  }
}

function triesUsedUp({ stage, attempts }: Transaction, command: Command): boolean {
  if (stage === 'asking' && command.type === 'inquired') return attempts + 1 >= INQUIRY_PAUSES_MS.length;
  if (stage === 'undoing' && command.type === 'reversal-answered') return attempts + 1 >= REVERSAL_PAUSES_MS.length;
  return false;
}

function dueAt(stage: Stage, attempts: number, { now, leaseMs }: Moment): number | undefined {
  if (isFinal(stage) || stage === 'stuck') return undefined;
  if (stage === 'sending') return now + leaseMs;
  const pauses = stage === 'asking' ? INQUIRY_PAUSES_MS : REVERSAL_PAUSES_MS;
  return now + (pauses[attempts] ?? 0);
}

export function evolve(order: Order, event: OrderEvent): Order {
  const before = transactionOf(order, event.seq);
  const transaction: Transaction = {
    ...before,
    stage: event.to,
    dueAt: event.dueAt,
    attempts: event.attempts,
    sends: event.sends,
    answer: event.answer ?? before.answer,
    changedAt: event.at,
  };
  const moved = event.to === 'approved' ? transaction.amount : 0n;
  const next: Order = {
    ...order,
    version: order.version + 1,
    authorised: order.authorised + moved,
    captured: order.captured + moved,
    transactions: order.transactions.map((other) => (other.seq === event.seq ? transaction : other)),
  };
  invariant(next.authorised <= next.amount, 'authorised more than was asked for');
  invariant(next.captured <= next.authorised, 'captured more than authorised');
  invariant(next.reversed <= next.captured, 'reversed more than captured');
  return next;
}
