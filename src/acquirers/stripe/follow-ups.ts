// Captures, cancellations, voids and refunds of a payment. Their forms hold no secret, so an inquiry is the very same
// request under the same key: Stripe answers as it did the first time, or carries it out now. Where the key does not
// help, the payment and its refunds tell, because ours are marked with our reference.

import type { Clock } from '../../domain/clock.ts';
import type {
  Answer,
  Circumstances,
  FollowUpInstruction,
  InquiryAnswer,
  ReversalAnswer,
  Unknown,
} from '../acquirer.ts';
import { stripeAmount } from './amounts.ts';
import { actionCodeOf, BAD_AMOUNT, NO_SUCH_TRANSACTION, NOT_ACCEPTED, UNKNOWN_MERCHANT } from './decline-codes.ts';
import type { FormFields } from './form-fields.ts';
import { type Intent, isIntentId, PAYMENTS, readIntent } from './intent.ts';
import {
  approvalOf,
  isForbidden,
  isInUse,
  isOpen,
  isOtherRequest,
  refusalOf,
  type StripeRefusal,
  unclear,
  unknown,
  unsent,
} from './judgement.ts';
import { isKnownByKey, searchPayment } from './known-by-key.ts';
import { findRefund, judgeRefund, refundWhole } from './refunds.ts';
import type { StripeCall, StripeHeard, StripeReply, Talk } from './stripe-line.ts';

export type FollowUpAt = { readonly instruction: FollowUpInstruction; readonly around: Circumstances };

/** A follow-up on its way: the payment it acts on, and its amount in Stripe's units. */
type Course = FollowUpAt & { readonly payment: string; readonly amount: bigint };

/** Nobody is ever sent anywhere for a follow-up. */
type Outcome = Exclude<Answer, { word: 'challenge' | 'unsent' }>;

/** What the payment itself tells of a follow-up; `not-found` when it was not carried out so far. */
type State = Outcome | { readonly word: 'not-found' };

export class StripeFollowUps {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async send(talk: Talk, asked: FollowUpAt): Promise<Answer> {
    const amount = stripeAmount(asked.instruction.amount);
    if (amount === undefined) return { word: 'declined', code: BAD_AMOUNT };
    const payment = await paymentOf(talk, asked);
    if (payment === undefined) return { word: 'unsent', reason: NO_PAYMENT };
    const course = { ...asked, payment, amount };
    if (!isKnownByKey(asked.around, this.#clock)) {
      const state = await stateOf(talk, course);
      if (state.word !== 'not-found') return state;
    }
    const call = await callOf(talk, course);
    if ('answer' in call) return call.answer;
    const heard = await talk(call);
    if (!heard.heard && !heard.left) return unsent(heard);
    const judged = await judge(talk, course, heard);
    return 'refused' in judged ? { word: 'declined', code: refusedCode(judged.refused) } : judged;
  }

  async inquire(talk: Talk, asked: FollowUpAt): Promise<InquiryAnswer> {
    const course = await courseOf(talk, asked);
    if ('word' in course) return course;
    if (!isKnownByKey(asked.around, this.#clock)) return stateOf(talk, course);
    const call = await callOf(talk, course);
    if ('answer' in call) return call.answer;
    const heard = await talk(call);
    const judged = await judge(talk, course, heard);
    if ('refused' in judged) return this.#refusedNow(talk, course, heard, judged.refused);
    if (judged.word === 'approved' || judged.word === 'declined') return judged;
    // A stored answer is as old as the request: the payment tells what became of it since.
    const state = await stateOf(talk, course);
    return state.word === 'not-found' ? judged : state;
  }

  /** A key that is used for something else is refused for every follow-up that may still arrive with it. */
  async reverse(talk: Talk, asked: FollowUpAt): Promise<ReversalAnswer> {
    const course = await courseOf(talk, asked);
    if ('word' in course) return course.word === 'unknown' ? course : { word: 'not-found' };
    const { reference } = asked.instruction;
    const fields = { metadata: { reversed: reference } };
    const spent = await talk({ method: 'POST', path: `${PAYMENTS.path}/${course.payment}`, fields, key: reference });
    const refusal = spent.heard ? refusalOf(spent) : undefined;
    if (!spent.heard || (refusal && !isOtherRequest(refusal))) return unclear(spent);
    const state = await stateOf(talk, course);
    if (state.word === 'approved' || state.word === 'pending') return this.#takeBack(talk, course);
    if (state.word === 'unknown') return state;
    if (!refusal || state.word === 'declined') return { word: 'not-found' };
    return this.#storedRefusal(talk, course);
  }

  /** Only a capture can be undone; the rest gave the money back already. */
  #takeBack(talk: Talk, { instruction, payment }: Course): Promise<ReversalAnswer> | ReversalAnswer {
    if (instruction.kind === 'capture') return refundWhole(talk, payment, instruction.reference);
    return unknown(`Stripe carried out the ${instruction.kind}, which cannot be taken back`);
  }

  /** The key was used and nothing came of it: when its answer was a refusal, nothing ever will. */
  async #storedRefusal(talk: Talk, course: Course): Promise<ReversalAnswer> {
    const call = await callOf(talk, course);
    if ('answer' in call) return unknown('Stripe took the request, and the payment has changed since');
    const heard = await talk(call);
    const refusal = heard.heard ? refusalOf(heard) : undefined;
    const isRefused = refusal && !isOpen(refusal) && !isForbidden(refusal) && !isOtherRequest(refusal);
    return isRefused ? { word: 'not-found' } : unclear(heard);
  }

  /** The account may be another one by now, so only what is certain whatever the key counts. */
  async #refusedNow(talk: Talk, course: Course, heard: StripeHeard, refusal: StripeRefusal): Promise<InquiryAnswer> {
    if (isForbidden(refusal) || refusal.status === 404) return unclear(heard);
    const state = await stateOf(talk, course);
    return state.word === 'not-found' ? { word: 'declined', code: refusedCode(refusal) } : state;
  }
}

const NO_PAYMENT = 'the payment has no name at Stripe';

async function courseOf(talk: Talk, asked: FollowUpAt): Promise<Course | Unknown | { readonly word: 'not-found' }> {
  const amount = stripeAmount(asked.instruction.amount);
  // Such an amount is never sent.
  if (amount === undefined) return { word: 'not-found' };
  const payment = await paymentOf(talk, asked);
  return payment === undefined ? unknown(NO_PAYMENT) : { ...asked, payment, amount };
}

/** Stripe's name of the payment, which it told when it approved it. */
async function paymentOf(talk: Talk, { instruction, around }: FollowUpAt): Promise<string | undefined> {
  const known = around.origin?.processorTxId;
  if (isIntentId(known, 'pi')) return known;
  const search = await searchPayment(talk, instruction.original);
  return 'intent' in search ? search.intent?.id : undefined;
}

/** The request of a follow-up. A void depends on whether the money was captured. */
async function callOf(talk: Talk, course: Course): Promise<StripeCall | { readonly answer: Outcome }> {
  const { instruction, payment, amount } = course;
  const { kind, reference } = instruction;
  const at = (path: string, fields: FormFields): StripeCall => ({ method: 'POST', path, fields, key: reference });
  const cancellation = at(`${PAYMENTS.path}/${payment}/cancel`, { expand: PAYMENTS.expand });
  const refund = at('/v1/refunds', { payment_intent: payment, amount, metadata: { reference } });
  if (kind === 'cancel') return cancellation;
  if (kind === 'refund') return refund;
  if (kind === 'capture') {
    const fields = { amount_to_capture: amount, metadata: { capture: reference }, expand: PAYMENTS.expand };
    return at(`${PAYMENTS.path}/${payment}/capture`, fields);
  }
  const intent = await intentOf(talk, payment);
  if ('word' in intent) return { answer: intent };
  if (intent.status === 'succeeded') return refund;
  if (intent.status === 'processing') return { answer: { word: 'pending' } };
  return intent.status === 'canceled' ? { answer: approvalOf(intent, course.around.trace) } : cancellation;
}

/** What an answer to the request means. A refusal for good is left to whoever asked. */
async function judge(
  talk: Talk,
  course: Course,
  heard: StripeHeard,
): Promise<Outcome | { readonly refused: StripeRefusal }> {
  const refusal = heard.heard ? refusalOf(heard) : undefined;
  if (!heard.heard) return unclear(heard);
  if (!refusal) return judgeDone(course, heard);
  if (isInUse(refusal)) return { word: 'pending' };
  if (isOpen(refusal)) return unclear(heard);
  // The state of a payment tells of everything but refunds, which are things of their own.
  const isTold = refusal.code === PAYMENTS.unexpected && course.instruction.kind !== 'refund';
  if (!isOtherRequest(refusal) && !isTold) return { refused: refusal };
  const state = await stateOf(talk, course);
  return state.word === 'not-found' ? unclear(heard) : state;
}

function judgeDone(course: Course, heard: StripeReply): Outcome {
  const { body } = heard;
  if (body.object === 'refund') return judgeRefund(body, course.around.trace);
  const intent = readIntent(body, PAYMENTS);
  const state = intent ? judgePayment(intent, course) : unclear(heard);
  return state.word === 'not-found' ? unknown(`${intent?.id} has the status ${intent?.status}`) : state;
}

async function stateOf(talk: Talk, course: Course): Promise<State> {
  const { instruction, around, payment } = course;
  const { kind, reference } = instruction;
  if (kind === 'refund' || kind === 'void') {
    const refund = await findRefund(talk, payment, { reference, trace: around.trace });
    if (kind === 'refund' || refund.word !== 'not-found') return refund;
  }
  const intent = await intentOf(talk, payment);
  return 'word' in intent ? intent : judgePayment(intent, course);
}

async function intentOf(talk: Talk, payment: string): Promise<Intent | Unknown> {
  const fields = { expand: PAYMENTS.expand };
  const heard = await talk({ method: 'GET', path: `${PAYMENTS.path}/${payment}`, fields });
  const intent = heard.heard && !refusalOf(heard) ? readIntent(heard.body, PAYMENTS) : undefined;
  return intent ?? unclear(heard);
}

/** What a payment tells of a capture, a cancellation or a void. */
function judgePayment(intent: Intent, { instruction, around, amount }: Course): State {
  const { kind, reference } = instruction;
  const approved = approvalOf(intent, around.trace);
  if (intent.status === 'canceled') {
    return kind === 'capture' ? { word: 'declined', code: NO_SUCH_TRANSACTION } : approved;
  }
  if (intent.status === 'requires_capture') return { word: 'not-found' };
  if (intent.status !== 'succeeded') return unknown(`${intent.id} has the status ${intent.status}`);
  if (kind === 'void') return { word: 'not-found' };
  if (kind === 'capture') {
    if (intent.capture !== reference) return { word: 'declined', code: NOT_ACCEPTED };
    return intent.received === amount ? approved : unknown(`${intent.id} was captured with another amount`);
  }
  // Stripe releases what a capture leaves over, so there may be nothing left to cancel.
  const isReleased = intent.received - intent.refunded + amount <= (intent.amount ?? 0n);
  return isReleased ? approved : { word: 'declined', code: NOT_ACCEPTED };
}

function refusedCode(refusal: StripeRefusal): string {
  return isForbidden(refusal) ? UNKNOWN_MERCHANT : actionCodeOf(refusal.error, NOT_ACCEPTED);
}
