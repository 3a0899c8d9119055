// The rules, pure: `startOrder` makes an order, `decide` turns a command into events or a refusal, `evolve` applies an
// event. Everything that changes an order passes through here, and nothing here knows a database, a clock or a network.

import type { Answer, Approval, Decline, InquiryAnswer, ReversalAnswer } from '../acquirer/acquirer-answer.ts';
import { GENERAL_DECLINE, SECURITY_CODE_LOST } from '../acquirer/action-codes.ts';
import { DEMO_TERMINAL, type Route } from '../acquirer/terminal.ts';
import { isWebAddress } from '../acquirer/web-address.ts';
import { isFinalDecline } from '../card/network-limits.ts';
import { invariant, Refusal } from '../errors.ts';
import type { FilterReason } from '../screening/filter-reason.ts';
import { AUTHENTICATION_TIMED_OUT } from '../three-d-secure/authentication.ts';
import { isStillExpected, mayAskAnotherBank, nextTerminal } from './cascade.ts';
import {
  allowedFollowUp,
  type FollowUp,
  type FollowUpAsked,
  mayComeBack,
  mayHoldMore,
  releaseOf,
} from './follow-up.ts';
import { declineBefore, mayGiveAnotherCard, payableUntil } from './hosted-form.ts';
import { type HostedForm, type Order, purposeOf, type Transaction, transactionOf } from './order.ts';
import {
  AUTHENTICATION_MS,
  CHALLENGE_PAUSES_MS,
  CONFIRMATION_MS,
  INQUIRY_PAUSES_MS,
  inquiryPauseMs,
  MAX_SENDS,
  REVERSAL_PAUSES_MS,
} from './retry-schedule.ts';
import { isFinal, type Stage } from './stages.ts';
import { movesNoMoney, sumsOf, type TransactionType } from './transaction-types.ts';
import { type Finding, nextStage } from './transitions.ts';

/** What a node reports to the order machine, or what a merchant asks of it. */
export type Command =
  /** The acquirer answered an instruction that was sent. */
  | (OfTransaction & { readonly type: 'sent'; readonly answer: Answer })
  /** The acquirer answered an inquiry. `resendable` says whether everything needed to send again is still at hand. */
  | (OfTransaction & {
      readonly type: 'inquired';
      readonly answer: InquiryAnswer;
      readonly resendable: boolean;
      /** It cannot be sent because the security code the payer gave is gone. */
      readonly codeLost?: boolean;
      /** Banks of this kind cannot be asked. */
      readonly unanswerable?: boolean;
      /** It was asked before its time, because the bank or the payer's browser told that something has happened. */
      readonly ahead?: boolean;
      /** The end of the asking node's lease on the transaction; `not-found` counts only while the lease is the same. */
      readonly leaseUntil?: number;
    })
  | (OfTransaction & { readonly type: 'reversal-answered'; readonly answer: ReversalAnswer })
  | (FollowUpAsked &
      Personal & {
        readonly type: 'follow-up';
        readonly requestSerial: string;
        readonly comment: string | undefined;
        /** Numbers the instruction for banks. */
        readonly traceId?: number | undefined;
      })
  /** A preauthorisation's hold ran out: what is left of it is given back. */
  | { readonly type: 'hold-ended'; readonly requestSerial: string; readonly traceId?: number | undefined }
  /** The merchant confirms what was waiting for it, or an operator does instead. */
  | (Personal & { readonly type: 'confirm' })
  | { readonly type: 'waiting-ended' }
  /** The payer entered a card on the hosted form; `seq` is the try it was entered for. */
  | {
      readonly type: 'card-given';
      readonly seq: number;
      readonly filterReason: FilterReason | undefined;
      /** Nothing is sent before the payer has proved to be the cardholder. */
      readonly needsAuthentication: boolean;
      /** Where the card may be sent, and where it goes first. */
      readonly route?: Route | undefined;
      readonly terminal?: string | undefined;
      /** The merchant's balance does not cover what the payee was to get at once: the merchant must confirm it. */
      readonly mustWait: boolean;
    }
  /** The payer goes back to the shop instead of entering another card; `seq` is the try the page asked a card for. */
  | { readonly type: 'payer-left'; readonly seq: number }
  /** The payer was authenticated, or may pay without authentication. */
  | { readonly type: 'authenticated'; readonly seq: number }
  /** The payer was not authenticated: `code` says why, as an action code. */
  | { readonly type: 'authentication-refused'; readonly seq: number; readonly code: string; readonly reason: string }
  | { readonly type: 'authentication-ended'; readonly seq: number }
  /** The bank says that it returned a payout which it had approved, or people do who have its word otherwise. */
  | (Personal & {
      readonly type: 'payout-returned';
      readonly seq: number;
      readonly requestSerial: string;
      readonly answer?: Decline | undefined;
    })
  /** An operator decided a stuck transaction; `note` says how the outcome is known. */
  | {
      readonly type: 'settled';
      readonly seq: number;
      readonly outcome: SettledOutcome;
      readonly note?: string;
      readonly by?: DeedBy | undefined;
    };

/** The people behind a change that no merchant asked for, as the audit chain names them. */
export type DeedBy = {
  readonly asked: string;
  /** The second person, where one was needed. */
  readonly approved?: string | undefined;
};

/** Who asks, where it is people and not the merchant, and why. */
type Personal = { readonly by?: DeedBy | undefined; readonly reason?: string | undefined };

/** `reversed`: the instruction was carried out and taken back. */
export type SettledOutcome = 'approved' | 'declined' | 'reversed';

/** `leg`: the instruction this is about; an answer about an earlier leg comes too late and is ignored. */
type OfTransaction = { readonly seq: number; readonly leg: number };

type Acquired = Extract<Command, OfTransaction>;

export type OrderEvent =
  | {
      readonly type: 'transaction-moved';
      readonly seq: number;
      readonly from: Stage;
      readonly to: Stage;
      readonly fromLeg: number;
      readonly leg: number;
      readonly finding: Finding;
      readonly at: number;
      readonly dueAt: number | undefined;
      readonly attempts: number;
      readonly sends: number;
      readonly answer: Approval | Decline | undefined;
      readonly challengeUrl?: string | undefined;
      /** Where a card that the payer entered may be sent. */
      readonly route?: Route | undefined;
      readonly terminal?: string | undefined;
      /** Why there is no usable answer, for the timeline and the operator. */
      readonly reason: string | undefined;
      readonly filterReason: FilterReason | undefined;
      readonly by?: DeedBy | undefined;
    }
  | (Personal & { readonly type: 'transaction-begun'; readonly transaction: Transaction; readonly at: number })
  | { readonly type: 'hold-ended'; readonly seq: number; readonly at: number };

/** The time, and how long leases and holds last. */
export type Moment = { readonly now: number; readonly leaseMs: number; readonly holdMs: number };

export type NewOrder = Pick<
  Order,
  'merchantId' | 'orderId' | 'endpointId' | 'clientOrderId' | 'operation' | 'currency' | 'notation' | 'amount'
> & {
  readonly type: TransactionType;
  readonly alternatives?: readonly bigint[];
  readonly callbacks?: Order['callbacks'];
  /** Two for a transfer from card to card. */
  readonly legs?: number;
  readonly requestSerial: string;
  /** Where it is sent, when there was no choice. */
  readonly terminal?: string | undefined;
  readonly route?: Route | undefined;
  /** Nothing is sent before the merchant confirms it. */
  readonly awaitsConfirmation?: boolean;
  /** The payer enters the card on the hosted form. */
  readonly form?: HostedForm | undefined;
  readonly formTries?: number | undefined;
  readonly unsigned?: boolean;
  /** Nothing is sent before the payer has proved to be the cardholder. */
  readonly needsAuthentication?: boolean;
};

/** An accepted order: written down, its first transaction leased to the node that goes on to the acquirer. */
export function startOrder(intent: NewOrder, moment: Moment): Order {
  const { amount, type, legs = 1, requestSerial, form, alternatives = [], callbacks } = intent;
  invariant(
    alternatives.every((one) => one > 0n && one <= amount),
    'alternatives are within the amount',
  );
  invariant(amount > 0n || movesNoMoney(type), 'an order moves a positive amount');
  const terminal = intent.terminal ?? intent.route?.terminals[0] ?? DEMO_TERMINAL;
  const transaction = newTransaction({ seq: 1, type, amount, legs, terminal, requestSerial }, moment);
  // Fields are listed one by one: a rest pattern would cost more than everything else here, on every sale.
  return {
    merchantId: intent.merchantId,
    orderId: intent.orderId,
    endpointId: intent.endpointId,
    clientOrderId: intent.clientOrderId,
    operation: intent.operation,
    currency: intent.currency,
    notation: intent.notation,
    amount,
    alternatives,
    form,
    formTries: form && intent.formTries,
    unsigned: intent.unsigned ?? false,
    authorised: 0n,
    captured: 0n,
    released: 0n,
    reversed: 0n,
    holdUntil: undefined,
    version: 1,
    createdAt: moment.now,
    callbacks,
    route: intent.route,
    transactions: [beginning(transaction, intent)],
  };
}

function beginning(transaction: Transaction, intent: NewOrder): Transaction {
  const { form, awaitsConfirmation, needsAuthentication } = intent;
  if (form !== undefined) return awaitingPayer(transaction, transaction);
  if (awaitsConfirmation) return { ...transaction, stage: 'waiting', dueAt: confirmableUntil(transaction) };
  if (!needsAuthentication) return transaction;
  return { ...transaction, stage: 'authenticating', dueAt: authenticableUntil(transaction) };
}

/** The same order, stopped by a limit or a fraud rule: it is written down, and ends here. */
export function filtered(order: Order, filterReason: FilterReason): Order {
  invariant(order.version === 1, 'only a new order can be filtered');
  const first = transactionOf(order, 1);
  return { ...order, transactions: [{ ...first, stage: 'filtered', dueAt: undefined, filterReason }] };
}

/** The events that follow from a command (none when it changes nothing), or why it is refused. */
export function decide(order: Order, command: Command, moment: Moment): OrderEvent[] | Refusal {
  switch (command.type) {
    case 'follow-up':
      return decideFollowUp(order, command, moment);
    case 'hold-ended':
      return decideHoldEnded(order, command, moment);
    case 'confirm':
      return decideWaiting(order, 'confirmed', moment, command);
    case 'waiting-ended':
      return decideWaiting(order, 'expired', moment);
    case 'card-given':
      return decideCardGiven(order, command, moment);
    case 'payer-left':
      return decidePayerLeft(order, command.seq, moment);
    case 'authenticated':
    case 'authentication-refused':
    case 'authentication-ended':
      return decideAuthentication(order, command, moment);
    case 'settled':
      return decideSettled(order, command, moment);
    case 'payout-returned':
      return decideReturned(order, command, moment);
    default:
      return decideAnswer(order, command, moment);
  }
}

function decideFollowUp(
  order: Order,
  command: Extract<Command, { type: 'follow-up' }>,
  moment: Moment,
): OrderEvent[] | Refusal {
  // The request made this transaction already, but the acknowledgement of the commit was lost.
  if (order.transactions.some((one) => one.requestSerial === command.requestSerial)) return [];
  const allowed = allowedFollowUp(order, command, moment.now);
  if (allowed instanceof Refusal) return allowed;
  const { by, reason } = command;
  return [{ ...begun(order, allowed, command, moment), by, reason }];
}

function decideHoldEnded(
  order: Order,
  { requestSerial, traceId }: Extract<Command, { type: 'hold-ended' }>,
  moment: Moment,
): OrderEvent[] {
  const { dueAt, seq } = purposeOf(order);
  if (order.holdUntil === undefined || dueAt === undefined || moment.now < order.holdUntil) return [];
  // The due work comes again when the lease is over.
  if (mayHoldMore(order)) return [];
  const release = releaseOf(order);
  const ended: OrderEvent = { type: 'hold-ended', seq, at: moment.now };
  return release ? [ended, begun(order, release, { requestSerial, traceId, comment: undefined }, moment)] : [ended];
}

/** Not `dueAt`: a node that takes due work moves that to the end of its lease. */
export function confirmableUntil({ createdAt }: Pick<Transaction, 'createdAt'>): number {
  return createdAt + CONFIRMATION_MS;
}

/** A confirmation in time sends the transaction. Without one it expires, as does a form without a card. */
function decideWaiting(
  order: Order,
  finding: 'confirmed' | 'expired',
  moment: Moment,
  { by, reason }: Personal = {},
): OrderEvent[] {
  const transaction = purposeOf(order);
  const until = transaction.stage === 'awaiting-payer' ? payableUntil(order) : confirmableUntil(transaction);
  const inTime = moment.now < until;
  const to = nextStage(transaction.stage, finding);
  if (to === undefined || inTime !== (finding === 'confirmed')) return [];
  if (transaction.stage === 'awaiting-payer' && declineBefore(order)) return givenUp(order, moment);
  return [moved(transaction, finding, { to, leg: 1, answer: undefined, reason, by }, moment)];
}

/** Only while the form asks for another card: money that may be on its way is never given up. */
function decidePayerLeft(order: Order, seq: number, moment: Moment): OrderEvent[] {
  return seq === purposeOf(order).seq ? givenUp(order, moment) : [];
}

/** Ends a form between two cards, with the answer to the card before. */
function givenUp(order: Order, moment: Moment): OrderEvent[] {
  const transaction = purposeOf(order);
  const answer = declineBefore(order);
  const to = nextStage(transaction.stage, 'given-up');
  if (to === undefined || answer === undefined) return [];
  return [moved(transaction, 'given-up', { to, leg: 1, answer, reason: undefined }, moment)];
}

/** A card for an earlier try, or one that comes too late, changes nothing: nobody is charged twice by two clicks. */
function decideCardGiven(
  order: Order,
  command: Extract<Command, { type: 'card-given' }>,
  moment: Moment,
): OrderEvent[] {
  const { seq, filterReason } = command;
  const transaction = purposeOf(order);
  if (seq !== transaction.seq || moment.now >= payableUntil(order)) return [];
  const finding = cardFinding(order, command);
  const to = nextStage(transaction.stage, finding);
  if (to === undefined) return [];
  const { route, terminal } = command;
  const move = { to, leg: 1, answer: undefined, reason: undefined, filterReason, route, terminal };
  return [moved(transaction, finding, move, moment)];
}

function cardFinding(
  order: Order,
  { filterReason, mustWait, needsAuthentication }: Extract<Command, { type: 'card-given' }>,
): Finding {
  if (filterReason !== undefined) return 'card-filtered';
  if (order.form === 'waits' || mustWait) return 'card-kept';
  // A payee has nothing to prove, and the money of a payout must be set aside when it is sent.
  const isAsked = needsAuthentication && purposeOf(order).type !== 'payout';
  return isAsked ? 'card-to-authenticate' : 'card-given';
}

/** Not `dueAt`, for the same reason. A transaction changes no more in this stage, so `changedAt` is its start. */
export function authenticableUntil({ changedAt }: Pick<Transaction, 'changedAt'>): number {
  return changedAt + AUTHENTICATION_MS;
}

type AuthenticationHeard = Extract<
  Command,
  { type: 'authenticated' | 'authentication-refused' | 'authentication-ended' }
>;

/** An authentication that ends in time counts; when the time is over the payment ends. */
function decideAuthentication(order: Order, command: AuthenticationHeard, moment: Moment): OrderEvent[] {
  const transaction = transactionOf(order, command.seq);
  const isLate = moment.now >= authenticableUntil(transaction);
  if (command.type === 'authentication-ended' && !isLate) return [];
  const [finding, decline] = authenticationFinding(command, isLate);
  const to = nextStage(transaction.stage, finding);
  if (to === undefined) return [];
  const answer = decline === undefined ? undefined : ({ word: 'declined', code: decline } as const);
  const reason = command.type === 'authentication-refused' ? command.reason : undefined;
  const move = moved(transaction, finding, { to, leg: transaction.leg, answer, reason }, moment);
  return to === 'declined' ? [move, ...triedInstead(order, transaction, answer, moment)] : [move];
}

function authenticationFinding(command: AuthenticationHeard, isLate: boolean): [Finding, decline?: string] {
  if (command.type === 'authentication-refused') return ['refused', command.code];
  return isLate ? ['expired', AUTHENTICATION_TIMED_OUT] : ['authenticated'];
}

/** The answer of a first leg that an operator, not the acquirer, says was made. */
const SETTLED: Approval = { word: 'approved', approvalCode: '', rrn: '', processorTxId: '' };

function decideSettled(
  order: Order,
  { seq, outcome, note, by }: Extract<Command, { type: 'settled' }>,
  moment: Moment,
): OrderEvent[] {
  const transaction = transactionOf(order, seq);
  if (transaction.stage !== 'stuck') return [];
  // The money is on its way back to its sender, so it cannot be settled as approved.
  if (outcome === 'approved' && isTakenBack(transaction)) return [];
  const place = placeOf(transaction, outcome === 'reversed' ? 'error' : outcome, undefined);
  // It was made after all, although no bank seemed to have seen it.
  const wasMade = outcome === 'approved' && isLostCode(transaction.answer);
  const answer = place.leg > transaction.leg || wasMade ? SETTLED : undefined;
  return [moved(transaction, outcome, { ...place, answer, reason: note, by }, moment)];
}

/** The payout stays approved, as it was; a transaction of its own books the money back, once. */
function decideReturned(
  order: Order,
  { seq, requestSerial, answer, by, reason }: Extract<Command, { type: 'payout-returned' }>,
  moment: Moment,
): OrderEvent[] {
  if (!mayComeBack(order, seq)) return [];
  const back = { type: 'reversal', amount: transactionOf(order, seq).amount, originalSeq: seq } as const;
  const start = begun(order, back, { requestSerial, comment: undefined, traceId: undefined }, moment);
  const { rrn = '', processorTxId = '' } = answer ?? {};
  const approval: Approval = { word: 'approved', approvalCode: '', rrn, processorTxId };
  const move = { to: 'approved', leg: 1, answer: approval, reason: 'the bank returned the payout' } as const;
  return [{ ...start, by, reason }, moved(start.transaction, 'approved', move, moment)];
}

function begun(
  order: Order,
  { type, amount, originalSeq }: FollowUp,
  { requestSerial, comment, traceId }: Pick<NewTransaction, 'requestSerial' | 'comment' | 'traceId'>,
  moment: Moment,
  terminal = (originalSeq === undefined ? purposeOf(order) : transactionOf(order, originalSeq)).terminal,
): Extract<OrderEvent, { type: 'transaction-begun' }> {
  const seq = order.transactions.length + 1;
  const transaction = newTransaction(
    { seq, type, amount, legs: 1, terminal, traceId, originalSeq, requestSerial, comment },
    moment,
  );
  return { type: 'transaction-begun', transaction, at: moment.now };
}

type NewTransaction = Pick<Transaction, 'seq' | 'type' | 'amount' | 'legs' | 'terminal' | 'requestSerial'> &
  Partial<Pick<Transaction, 'originalSeq' | 'comment' | 'traceId'>>;

function newTransaction(intent: NewTransaction, { now, leaseMs }: Moment): Transaction {
  return {
    seq: intent.seq,
    type: intent.type,
    amount: intent.amount,
    legs: intent.legs,
    terminal: intent.terminal,
    traceId: intent.traceId,
    originalSeq: intent.originalSeq,
    requestSerial: intent.requestSerial,
    comment: intent.comment,
    stage: 'sending',
    leg: 1,
    dueAt: now + leaseMs,
    attempts: 0,
    sends: 0,
    answer: undefined,
    challengeUrl: undefined,
    filterReason: undefined,
    createdAt: now,
    changedAt: now,
  };
}

function awaitingPayer(transaction: Transaction, order: Pick<Order, 'createdAt'>): Transaction {
  return { ...transaction, stage: 'awaiting-payer', dueAt: payableUntil(order) };
}

function decideAnswer(order: Order, command: Acquired, moment: Moment): OrderEvent[] {
  const transaction = transactionOf(order, command.seq);
  if (command.leg !== transaction.leg || isOutdated(transaction, command)) return [];
  const finding = findingOf(order, transaction, command);
  const next = nextStage(transaction.stage, finding);
  if (next === undefined || isNoNews(transaction, command, finding)) return [];
  const { answer } = command;
  const lost = lostCode(transaction, command);
  const verdict = lost ?? verdictIn(transaction, answer);
  const reason = 'reason' in answer ? answer.reason : undefined;
  const { to, leg } = placeOf(transaction, next, verdict);
  // A try that found no connection counts too: only so often is an instruction tried.
  const sends = command.type === 'sent' ? 1 : 0;
  const challengeUrl = finding === 'challenge' && answer.word === 'challenge' ? answer.url : undefined;
  const terminal = to === 'declined' || to === 'error' ? onwardTo(order, transaction, verdict, moment) : undefined;
  if (terminal !== undefined) {
    const passed = moved(transaction, finding, { to: 'passed-on', leg, answer: verdict, reason, sends }, moment);
    return [passed, triedAt(order, transaction, terminal, moment)];
  }
  const move = moved(transaction, finding, { to, leg, answer: verdict, reason, sends, challengeUrl }, moment);
  if (to !== 'declined') return [move];
  return [move, ...triedInstead(order, transaction, declineOf(verdict ?? transaction.answer), moment)];
}

/** Codes are lost before the first leg only: a bank that says so of a later one has declined it. */
function verdictIn({ leg }: Transaction, answer: Acquired['answer']): Approval | Decline | undefined {
  if (answer.word !== 'approved' && answer.word !== 'declined') return undefined;
  const isOurWord = leg > 1 && answer.word === 'declined' && answer.code === SECURITY_CODE_LOST;
  return isOurWord ? { ...answer, code: GENERAL_DECLINE } : answer;
}

function declineOf(answer: Approval | Decline | undefined): Decline | undefined {
  return answer?.word === 'declined' ? answer : undefined;
}

/**
 * How an instruction ends that no bank has seen, and that none will see because its security code is gone. It is taken
 * back first all the same, so that a message that comes late does no harm.
 */
function lostCode({ sends }: Transaction, command: Acquired): Decline | undefined {
  if (command.type !== 'inquired' || command.answer.word !== 'not-found') return undefined;
  return command.codeLost && sends === 0 ? { word: 'declined', code: SECURITY_CODE_LOST } : undefined;
}

/** The next terminal, when another bank may judge otherwise or nothing was and will be carried out. */
function onwardTo(
  order: Order,
  transaction: Transaction,
  verdict: Approval | Decline | undefined,
  { now }: Moment,
): string | undefined {
  const mayGoOn = verdict?.word === 'declined' ? mayAskAnotherBank(verdict.code) : transaction.answer === undefined;
  return mayGoOn && isStillExpected(transaction, now) ? nextTerminal(order, transaction) : undefined;
}

function triedAt(order: Order, transaction: Transaction, terminal: string, moment: Moment): OrderEvent {
  const { type, amount } = transaction;
  return begun(order, { type, amount, originalSeq: undefined }, transaction, moment, terminal);
}

/** What follows a decline of the order's own purpose: another amount, or another card of a payer who is still there. */
function triedInstead(
  order: Order,
  transaction: Transaction,
  decline: Decline | undefined,
  moment: Moment,
): OrderEvent[] {
  if (transaction.originalSeq !== undefined) return [];
  const { type, amount } = transaction;
  if (mayGiveAnotherCard(order, moment.now)) {
    const next = begun(order, { type, amount, originalSeq: undefined }, transaction, moment);
    return [{ ...next, transaction: awaitingPayer(next.transaction, order) }];
  }
  const [alternative] = order.alternatives;
  // An issuer that will never approve is not asked for less.
  if (alternative === undefined || (decline && isFinalDecline(decline.code))) return [];
  if (decline?.code === SECURITY_CODE_LOST) return [];
  return [begun(order, { type, amount: alternative, originalSeq: undefined }, transaction, moment)];
}

/** Whether a `not-found` comes from a node that lost its lease: another node may have sent the instruction since. */
function isOutdated({ dueAt }: Transaction, command: Acquired): boolean {
  if (command.type !== 'inquired' || command.answer.word !== 'not-found') return false;
  return command.leaseUntil !== undefined && command.leaseUntil !== dueAt;
}

/**
 * Whether a question that was asked before its time brought nothing new. It changes nothing then, so that neither
 * notices nor payers who come back again and again use up the tries, or put off the next one.
 */
function isNoNews({ challengeUrl }: Transaction, command: Acquired, finding: Finding): boolean {
  if (command.type !== 'inquired' || !command.ahead || finding === 'approved' || finding === 'declined') return false;
  const { answer } = command;
  return finding !== 'challenge' || answer.word !== 'challenge' || answer.url === challengeUrl;
}

/** Whether the first leg was made and is being undone because the second one failed. */
function isTakenBack({ legs, leg, answer }: Transaction): boolean {
  return leg < legs && answer !== undefined && !isLostCode(answer);
}

function isLostCode(answer: Approval | Decline | undefined): boolean {
  return declineOf(answer)?.code === SECURITY_CODE_LOST;
}

/** Where a move leads when a transaction has several legs: on to the next one, or back through those already made. */
function placeOf(
  { leg, legs, answer }: Transaction,
  next: Stage,
  verdict: Approval | Decline | undefined,
): { to: Stage; leg: number } {
  if (next === 'approved' && leg < legs) return { to: 'sending', leg: leg + 1 };
  if ((next === 'declined' || next === 'error') && leg > 1) return { to: 'undoing', leg: leg - 1 };
  // It was taken back because a later leg was declined, so the transaction ends as declined.
  if (next === 'error' && (verdict ?? answer)?.word === 'declined') return { to: 'declined', leg };
  return { to: next, leg };
}

type Move = {
  readonly to: Stage;
  readonly leg: number;
  readonly answer: Approval | Decline | undefined;
  readonly reason: string | undefined;
  /** Instructions sent since the last event. */
  readonly sends?: number;
  readonly filterReason?: FilterReason | undefined;
  readonly challengeUrl?: string | undefined;
  readonly route?: Route | undefined;
  readonly terminal?: string | undefined;
  readonly by?: DeedBy | undefined;
};

function moved(transaction: Transaction, finding: Finding, move: Move, moment: Moment): OrderEvent {
  const { to, leg, answer, reason } = move;
  const sameLeg = leg === transaction.leg;
  const attempts = sameLeg && to === transaction.stage ? transaction.attempts + 1 : 0;
  const sends = sameLeg ? transaction.sends + (move.sends ?? 0) : 0;
  return {
    type: 'transaction-moved',
    seq: transaction.seq,
    from: transaction.stage,
    to,
    fromLeg: transaction.leg,
    leg,
    finding,
    at: moment.now,
    dueAt: dueAt(transaction, to, { attempts, sends }, moment),
    attempts,
    sends,
    answer,
    reason,
    filterReason: move.filterReason,
    challengeUrl: move.challengeUrl,
    route: move.route,
    terminal: move.terminal,
    by: move.by,
  };
}

/** What the acquirer's answer means, given how often we have tried already. */
function findingOf(order: Order, transaction: Transaction, command: Acquired): Finding {
  const { answer } = command;
  switch (answer.word) {
    case 'approved':
    case 'declined':
    case 'reversed':
      return answer.word;
    case 'not-found':
      if (command.type === 'reversal-answered') return 'reversed';
      // Where there is another terminal the order is taken back here first, so that a late message does no harm.
      if (nextTerminal(order, transaction) !== undefined) return 'not-found-for-good';
      return command.type === 'inquired' && command.resendable && transaction.sends < MAX_SENDS
        ? 'not-found'
        : 'not-found-for-good';
    case 'challenge':
      if (triesUsedUp(transaction, command)) return 'tries-used-up';
      return isWebAddress(answer.url) ? 'challenge' : 'no-answer';
    case 'unsent':
      return nextTerminal(order, transaction) === undefined ? 'no-answer' : 'unsent';
    case 'pending':
    case 'unknown':
      return triesUsedUp(transaction, command) ? 'tries-used-up' : 'no-answer';
  }
}

function triesUsedUp({ stage, attempts }: Transaction, command: Acquired): boolean {
  if (command.type === 'inquired' && command.unanswerable) return true;
  if (stage === 'challenged' && command.type === 'inquired') return attempts + 1 >= CHALLENGE_PAUSES_MS.length;
  if (stage === 'asking' && command.type === 'inquired') return attempts + 1 >= INQUIRY_PAUSES_MS.length;
  if (stage === 'undoing' && command.type === 'reversal-answered') return attempts + 1 >= REVERSAL_PAUSES_MS.length;
  return false;
}

function dueAt(
  { type, createdAt }: Transaction,
  stage: Stage,
  { attempts, sends }: Pick<Transaction, 'attempts' | 'sends'>,
  { now, leaseMs, holdMs }: Moment,
): number | undefined {
  if (stage === 'approved' && type === 'preauth') return now + holdMs;
  if (isFinal(stage) || stage === 'stuck') return undefined;
  if (stage === 'sending') return now + leaseMs;
  if (stage === 'waiting') return confirmableUntil({ createdAt });
  if (stage === 'authenticating') return now + AUTHENTICATION_MS;
  return now + (askingPauseMs({ stage, attempts, sends }) ?? REVERSAL_PAUSES_MS[attempts] ?? 0);
}

/** The pause before the acquirer is asked; undefined in stages in which it is not. */
function askingPauseMs({ stage, attempts, sends }: Pick<Transaction, 'stage' | 'attempts' | 'sends'>) {
  if (stage === 'challenged') return CHALLENGE_PAUSES_MS[attempts] ?? 0;
  return stage === 'asking' ? inquiryPauseMs(sends, attempts) : undefined;
}

/** When the acquirer is asked by the schedule. Not `dueAt`, which may be the end of a lease or before that time. */
export function askedAgainAt(transaction: Transaction): number | undefined {
  const pauseMs = askingPauseMs(transaction);
  return pauseMs === undefined ? undefined : transaction.changedAt + pauseMs;
}

export function evolve(order: Order, event: OrderEvent): Order {
  const version = order.version + 1;
  switch (event.type) {
    case 'transaction-begun':
      return { ...order, version, ...withBegun(order, event.transaction) };
    case 'hold-ended':
      return { ...withTransaction(order, { ...transactionOf(order, event.seq), dueAt: undefined }), version };
    case 'transaction-moved':
      return applyMove(order, event, version);
  }
}

/** A new attempt of the order's own purpose uses up the alternative it tries. */
function withBegun(order: Order, transaction: Transaction): Pick<Order, 'transactions' | 'alternatives'> {
  // A try at another terminal is of the same amount.
  const isAttempt = transaction.originalSeq === undefined && purposeOf(order).stage !== 'passed-on';
  return {
    transactions: [...order.transactions, transaction],
    alternatives: isAttempt ? order.alternatives.slice(1) : order.alternatives,
  };
}

type Draft<T> = { -readonly [Name in keyof T]: T[Name] };

/** The order is copied first and changed then: a copy with the changes in its literal costs several times as much. */
function applyMove(order: Order, event: Extract<OrderEvent, { type: 'transaction-moved' }>, version: number): Order {
  const before = transactionOf(order, event.seq);
  const transaction: Draft<Transaction> = { ...before };
  transaction.stage = event.to;
  transaction.leg = event.leg;
  transaction.dueAt = event.dueAt;
  transaction.attempts = event.attempts;
  transaction.sends = event.sends;
  transaction.answer = event.answer ?? before.answer;
  transaction.challengeUrl = event.to === 'challenged' ? (event.challengeUrl ?? before.challengeUrl) : undefined;
  transaction.terminal = event.terminal ?? before.terminal;
  transaction.filterReason = event.filterReason ?? before.filterReason;
  transaction.changedAt = event.at;
  const after: Draft<Order> = { ...order };
  after.version = version;
  if (event.route) after.route = event.route;
  after.transactions = order.transactions.map((other) => (other === before ? transaction : other));
  if (event.to !== 'approved') return after;
  for (const sum of sumsOf[before.type]) after[sum] += before.amount;
  if (before.type === 'preauth') after.holdUntil = event.dueAt;
  return capped(after);
}

function withTransaction(order: Order, transaction: Transaction): Order {
  return {
    ...order,
    transactions: order.transactions.map((other) => (other.seq === transaction.seq ? transaction : other)),
  };
}

function capped(order: Order): Order {
  invariant(order.authorised <= order.amount, 'authorised more than was asked for');
  invariant(order.captured + order.released <= order.authorised, 'captured and released more than authorised');
  invariant(order.reversed <= order.captured, 'reversed more than captured');
  return order;
}
