// What may still be done with an order's money: the caps, in one place. Money that a transaction in flight may yet take
// counts as taken, so that parallel requests can never pass a cap together.

import { type Refusal, refuse } from '../errors.ts';
import { writeAmount } from '../money/money.ts';
import { type Order, purposeOf, type Transaction, transactionOf } from './order.ts';
import { isFinal } from './stages.ts';
import { OUTGOING, paysFromBalance, type TransactionType } from './transaction-types.ts';

export type FollowUpKind = 'capture' | 'return' | 'void';

/** What is asked of an order's money. */
export type FollowUpAsked = {
  readonly kind: FollowUpKind;
  /** None means all that is left; several are the possible readings of one amount that no signature settles. */
  readonly amounts: readonly bigint[];
  /** What a return gives back, where the merchant says it: money that is held, or money that was taken. */
  readonly from?: ReturnSource | undefined;
};

export type ReturnSource = 'hold' | 'payment';

/** A follow-up the rules allow: its type, its amount and whose money it acts on. */
export type FollowUp = Pick<Transaction, 'type' | 'amount'> & { readonly originalSeq: number | undefined };

/** Money still held: authorised, and neither captured nor given back nor about to be. */
export function heldBy(order: Order): bigint {
  if (transactionTypeOf(order) !== 'preauth') return 0n;
  return order.authorised - order.captured - order.released - pending(order, 'capture', 'cancel');
}

/** Money taken that can still be given back. */
export function returnableBy(order: Order): bigint {
  return order.captured - order.reversed - pending(order, 'void', 'reversal');
}

/** The follow-up that the rules allow, or why they refuse it. */
export function allowedFollowUp(order: Order, asked: FollowUpAsked, now: number): FollowUp | Refusal {
  const { kind, amounts } = asked;
  const [amount] = amounts;
  if (isMovingOut(order))
    return refuse('follow-up-not-possible', { hint: 'payouts and transfers cannot be captured, voided or returned' });
  switch (kind) {
    case 'capture':
      return capture(order, amount, now);
    case 'return':
      return (asked.from ?? returnSource(order, amount)) === 'hold' ? cancel(order, amount) : reversal(order, amount);
    case 'void':
      return voiding(order, amounts);
  }
}

/** Whether a bank may return a payout: it was approved, and did not come back yet. */
export function mayComeBack(order: Order, seq: number): boolean {
  const paid = transactionOf(order, seq);
  const isBack = order.transactions.some(({ originalSeq }) => originalSeq === seq);
  return paysFromBalance(paid) && paid.stage === 'approved' && !isBack;
}

/** The amount a follow-up would have to be of, where it is of a part of it. */
export function wholeOf(order: Order, { type, amount }: FollowUp): bigint | undefined {
  if (type === 'void') return undefined;
  const whole = type === 'reversal' ? order.captured : order.authorised;
  return amount < whole ? whole : undefined;
}

/** Whether more may be left in a hold than is now: a capture or release under way may come to nothing. */
export function mayHoldMore(order: Order): boolean {
  return pending(order, 'capture', 'cancel') > 0n;
}

/** The money left in a hold that ran out. */
export function releaseOf(order: Order): FollowUp | undefined {
  const amount = heldBy(order);
  return amount > 0n ? { type: 'cancel', amount, originalSeq: paidSeq(order) } : undefined;
}

function capture(order: Order, amount: bigint | undefined, now: number): FollowUp | Refusal {
  if (order.authorised === 0n || transactionTypeOf(order) !== 'preauth') {
    return refuse('follow-up-not-possible', { hint: 'only an approved preauthorization can be captured' });
  }
  if (order.holdUntil !== undefined && now >= order.holdUntil) return refuse('hold-expired');
  return within('amount-exceeds-hold', 'capture', amount, order);
}

function cancel(order: Order, amount: bigint | undefined): FollowUp | Refusal {
  if (order.authorised === 0n || transactionTypeOf(order) !== 'preauth') {
    return refuse('follow-up-not-possible', { hint: 'only an approved preauthorization can be cancelled' });
  }
  return within('amount-exceeds-hold', 'cancel', amount, order);
}

function reversal(order: Order, amount: bigint | undefined): FollowUp | Refusal {
  if (order.captured === 0n) {
    return refuse('follow-up-not-possible', { hint: 'only an approved payment can be returned' });
  }
  return within('amount-exceeds-captured', 'reversal', amount, order);
}

/** The latest sale or capture, whole, while nothing of it was given back. */
function voiding(order: Order, amounts: readonly bigint[]): FollowUp | Refusal {
  const taken = order.transactions.filter(
    ({ type, stage, seq }) => (type === 'sale' || type === 'capture') && stage === 'approved' && !isVoided(order, seq),
  );
  const latest = taken.at(-1);
  if (!latest) return refuse('follow-up-not-possible', { hint: 'only an approved sale or capture can be voided' });
  if (amounts.length > 0 && !amounts.includes(latest.amount)) {
    return refuse('void-whole-amount', { field: 'amount', hint: written(latest.amount, order) });
  }
  const left = returnableBy(order);
  if (left < latest.amount) {
    const hint = left > 0n ? 'part of it was returned already; return the rest instead' : 'it was returned already';
    return refuse('follow-up-not-possible', { hint });
  }
  return { type: 'void', amount: latest.amount, originalSeq: latest.seq };
}

function isVoided(order: Order, seq: number): boolean {
  return order.transactions.some(
    ({ type, stage, originalSeq }) =>
      type === 'void' && originalSeq === seq && (stage === 'approved' || !isFinal(stage)),
  );
}

/** The amount, or all that is left, if that is within what is held or may be returned. */
function within(
  error: 'amount-exceeds-hold' | 'amount-exceeds-captured',
  type: TransactionType,
  amount: bigint | undefined,
  order: Order,
): FollowUp | Refusal {
  const isHeld = error === 'amount-exceeds-hold';
  const cap = isHeld ? heldBy(order) : returnableBy(order);
  const wanted: FollowUp = { type, amount: amount ?? cap, originalSeq: paidSeq(order) };
  if (wanted.amount > 0n && wanted.amount <= cap) return wanted;
  const held = isHeld ? 0n : heldBy(order);
  const rest = held > 0n ? `; ${written(held, order)} more is held, and return_type=cancel gives it back` : '';
  return refuse(error, { field: 'amount', hint: written(cap, order) + rest });
}

/** Sentences show money in major units, whatever the order's notation. */
function written(minor: bigint, { currency }: Order): string {
  return `${writeAmount({ minor, currency }, 'major')} ${currency}`;
}

/**
 * What a return means where the merchant does not say it: captured money. Only held money can be meant where nothing
 * was captured, or where the amount is more than was ever captured. Captures under way count as made, so that the
 * meaning does not depend on how quick the acquirer is; and a request sent again never comes to mean the hold.
 */
function returnSource(order: Order, amount: bigint | undefined): ReturnSource {
  const captured = order.captured + pending(order, 'capture');
  if (captured === 0n) return order.authorised > 0n ? 'hold' : 'payment';
  return amount !== undefined && amount > captured && amount <= heldBy(order) ? 'hold' : 'payment';
}

/** The try that was approved: earlier ones were declined, and the acquirer holds no money under their references. */
function paidSeq(order: Order): number {
  return purposeOf(order).seq;
}

function isMovingOut(order: Order): boolean {
  const type = transactionTypeOf(order);
  return type !== undefined && OUTGOING.includes(type);
}

function transactionTypeOf(order: Order): TransactionType | undefined {
  return order.transactions[0]?.type;
}

function pending(order: Order, ...types: TransactionType[]): bigint {
  return order.transactions
    .filter(({ type, stage }) => types.includes(type) && !isFinal(stage))
    .reduce((sum, { amount }) => sum + amount, 0n);
}
