// Charges and checks of cards, in three steps: an intent without a card (under our reference as its key), the card, and
// the confirmation that charges the one with the other. Until the confirmation leaves nothing can happen, so whatever
// fails before is `unsent`. Afterwards the intent itself tells the outcome: its form is sent again under its key, which
// gives its name, and the name gives its state. An intent is charged once at most, and never after it was cancelled.

import type { Clock } from '../../domain/clock.ts';
import type { Answer, ChargeInstruction, Circumstances, Decline, InquiryAnswer, ReversalAnswer } from '../acquirer.ts';
import { stripeAmount } from './amounts.ts';
import { cardFields, confirmFields, intentFields, intentKindOf } from './charge-fields.ts';
import { actionCodeOf, BAD_AMOUNT, NO_REASON, NOT_READ, UNKNOWN_MERCHANT } from './decline-codes.ts';
import { type Intent, isIntentId, PAYMENTS, readIntent } from './intent.ts';
import {
  type IntentVerdict,
  isForbidden,
  isInUse,
  isOpen,
  isOtherRequest,
  judgeIntent,
  refusalOf,
  STRANDED_CODE,
  type StripeRefusal,
  unclear,
  unknown,
  unsent,
} from './judgement.ts';
import { isKnownByKey, searchPayment } from './known-by-key.ts';
import { refundWhole } from './refunds.ts';
import type { StripeHeard, StripeReply, Talk } from './stripe-line.ts';
import { objectAt, textAt } from './stripe-object.ts';

export type ChargeAt = { readonly instruction: ChargeInstruction; readonly around: Circumstances };

export type ChargeOptions = { readonly clock: Clock; readonly networkTransactionIds: boolean };

/** An intent that carries out a charge, or why it is not known. */
type Located = { readonly id: string } | { readonly answer: InquiryAnswer };

export class StripeCharges {
  readonly #options: ChargeOptions;

  constructor(options: ChargeOptions) {
    this.#options = options;
  }

  async send(talk: Talk, charge: ChargeAt): Promise<Answer> {
    const amount = stripeAmount(charge.instruction.amount);
    if (amount === undefined) return { word: 'declined', code: BAD_AMOUNT };
    const earlier = await this.#sentBefore(talk, charge);
    if (earlier && 'answer' in earlier) return earlier.answer;
    const [begun, card] = await Promise.all([
      earlier ?? this.#begin(talk, charge, amount),
      this.#giveCard(talk, charge),
    ]);
    if ('answer' in begun) return begun.answer;
    if ('answer' in card) return card.answer;
    return this.#confirm(talk, charge, begun.id, card.paymentMethod);
  }

  async inquire(talk: Talk, charge: ChargeAt): Promise<InquiryAnswer> {
    const located = await this.#locate(talk, charge);
    if ('answer' in located) return located.answer;
    const verdict = await this.#stateOf(talk, charge, located.id);
    if (verdict.word === 'idle') return { word: 'not-found' };
    return verdict.word === 'stranded' ? this.#giveUp(talk, charge, located.id, STRANDED_CODE) : verdict;
  }

  /** A cancelled intent refuses every confirmation that may still arrive. */
  async reverse(talk: Talk, charge: ChargeAt): Promise<ReversalAnswer> {
    const located = await this.#locate(talk, charge);
    if ('answer' in located) return unlocated(located.answer);
    const cancelled = await this.#cancel(talk, charge, located.id);
    if (!('intent' in cancelled)) return unclear(cancelled.heard);
    const { intent } = cancelled;
    if (intent.status === 'canceled') return { word: intent.attemptId === undefined ? 'not-found' : 'reversed' };
    if (intent.status !== 'succeeded') return unknown(`${intent.id} has the status ${intent.status}`);
    // A check of a card moved nothing.
    if (charge.instruction.kind === 'verification') return { word: 'reversed' };
    return refundWhole(talk, intent.id, charge.instruction.reference);
  }

  /** What is too old for its key is looked for first: it may have been sent when the key was still known. */
  async #sentBefore(
    talk: Talk,
    charge: ChargeAt,
  ): Promise<{ readonly id: string } | { readonly answer: Answer } | undefined> {
    if (isKnownByKey(charge.around, this.#options.clock) || charge.instruction.kind === 'verification')
      return undefined;
    const search = await searchPayment(talk, charge.instruction.reference);
    if ('failed' in search) return { answer: unclear(search.failed) };
    if (search.intent === undefined) return undefined;
    const verdict = await this.#stateOf(talk, charge, search.intent.id);
    return verdict.word === 'idle' ? { id: search.intent.id } : { answer: this.#settled(verdict) };
  }

  async #begin(
    talk: Talk,
    charge: ChargeAt,
    amount: bigint,
  ): Promise<{ readonly id: string } | { readonly answer: Answer }> {
    const heard = await this.#post(talk, charge, amount);
    const id = idIn(heard, charge);
    if (id !== undefined) return { id };
    if (!heard.heard) return { answer: unsent(heard) };
    const refusal = refusalOf(heard);
    if (!refusal || isOtherRequest(refusal)) return { answer: unclear(heard) };
    if (isInUse(refusal)) return { answer: { word: 'pending' } };
    if (isOpen(refusal)) return { answer: unsent(heard) };
    return { answer: refusedBefore(refusal) };
  }

  async #giveCard(
    talk: Talk,
    { instruction, around }: ChargeAt,
  ): Promise<{ readonly paymentMethod: string } | { readonly answer: Answer }> {
    const fields = cardFields(instruction, around.payer);
    const heard = await talk({ method: 'POST', path: '/v1/payment_methods', fields });
    if (!heard.heard) return { answer: unsent(heard) };
    const refusal = refusalOf(heard);
    const paymentMethod = textAt(heard.body, 'id');
    if (!refusal && paymentMethod !== undefined) return { paymentMethod };
    if (!refusal || isOpen(refusal)) return { answer: unsent(heard) };
    return { answer: refusedBefore(refusal) };
  }

  async #confirm(talk: Talk, charge: ChargeAt, id: string, paymentMethod: string): Promise<Answer> {
    const { instruction, around } = charge;
    const { networkTransactionIds } = this.#options;
    const heard = await talk({
      method: 'POST',
      path: `${intentKindOf(instruction).path}/${id}/confirm`,
      fields: confirmFields(instruction, around, { paymentMethod, networkTransactionIds }),
      key: `${instruction.reference}-confirm`,
    });
    if (!heard.heard) return heard.left ? unclear(heard) : unsent(heard);
    const refusal = refusalOf(heard);
    return refusal ? this.#refused(talk, charge, id, { refusal, heard }) : this.#confirmed(talk, charge, heard);
  }

  async #confirmed(talk: Talk, charge: ChargeAt, heard: StripeReply): Promise<Answer> {
    const intent = readIntent(heard.body, intentKindOf(charge.instruction));
    if (!intent) return { ...unknown('Stripe answered with something that is no intent'), fault: 'unreadable' };
    const verdict = judgeIntent(intent, charge.instruction, charge.around.trace);
    if (verdict.word === 'stranded') return this.#giveUp(talk, charge, intent.id, STRANDED_CODE);
    return this.#settled(verdict);
  }

  async #refused(
    talk: Talk,
    charge: ChargeAt,
    id: string,
    { refusal, heard }: { readonly refusal: StripeRefusal; readonly heard: StripeHeard },
  ): Promise<Answer> {
    const kind = intentKindOf(charge.instruction);
    if (isInUse(refusal)) return { word: 'pending' };
    if (isOpen(refusal)) return unclear(heard);
    if (isOtherRequest(refusal) || refusal.code === kind.unexpected) {
      return this.#settled(await this.#stateOf(talk, charge, id));
    }
    if (refusal.type !== 'card_error') return this.#giveUp(talk, charge, id, actionCodeOf(refusal.error, NOT_READ));
    const intent = readIntent(objectAt(refusal.error, kind.named), kind);
    if (!intent) return declinedBy(refusal, id);
    // The error itself says more than the intent keeps of it.
    const verdict = judgeIntent({ ...intent, error: refusal.error }, charge.instruction, charge.around.trace);
    return this.#settled(verdict);
  }

  /** Declines what can no longer be charged, and only then. */
  async #giveUp(talk: Talk, charge: ChargeAt, id: string, code: string): Promise<Exclude<Answer, { word: 'unsent' }>> {
    const cancelled = await this.#cancel(talk, charge, id);
    if (!('intent' in cancelled)) return unclear(cancelled.heard);
    if (cancelled.intent.status === 'canceled') return { word: 'declined', code, processorTxId: id };
    return this.#settled(judgeIntent(cancelled.intent, charge.instruction, charge.around.trace));
  }

  /** The intent after it was cancelled, or as it is because it cannot be. Without a key: a second time does no harm. */
  async #cancel(
    talk: Talk,
    { instruction }: ChargeAt,
    id: string,
  ): Promise<{ readonly intent: Intent } | { readonly heard: StripeHeard }> {
    const kind = intentKindOf(instruction);
    const fields = { expand: kind.expand };
    let heard = await talk({ method: 'POST', path: `${kind.path}/${id}/cancel`, fields });
    if (heard.heard && refusalOf(heard)?.code === kind.unexpected) {
      heard = await talk({ method: 'GET', path: `${kind.path}/${id}`, fields });
    }
    const intent = heard.heard && !refusalOf(heard) ? readIntent(heard.body, kind) : undefined;
    return intent ? { intent } : { heard };
  }

  async #stateOf(talk: Talk, { instruction, around }: ChargeAt, id: string): Promise<IntentVerdict> {
    const kind = intentKindOf(instruction);
    const heard = await talk({ method: 'GET', path: `${kind.path}/${id}`, fields: { expand: kind.expand } });
    const intent = heard.heard && !refusalOf(heard) ? readIntent(heard.body, kind) : undefined;
    return intent ? judgeIntent(intent, instruction, around.trace) : unclear(heard);
  }

  /** Sends the intent's form again under its key, or searches for it where the key does not help. */
  async #locate(talk: Talk, charge: ChargeAt): Promise<Located> {
    const amount = stripeAmount(charge.instruction.amount);
    // Such an amount was never sent.
    if (amount === undefined) return { answer: { word: 'declined', code: BAD_AMOUNT } };
    const isCheck = charge.instruction.kind === 'verification';
    if (!isCheck && !isKnownByKey(charge.around, this.#options.clock)) return this.#search(talk, charge);
    const heard = await this.#post(talk, charge, amount);
    const id = idIn(heard, charge);
    if (id !== undefined) return { id };
    const refusal = heard.heard ? refusalOf(heard) : undefined;
    if (!refusal || isForbidden(refusal)) return { answer: unclear(heard) };
    if (isInUse(refusal)) return { answer: { word: 'pending' } };
    // A form that was taken once is answered as it was then; this one was never taken, and never will be.
    if (!isOpen(refusal) && !isOtherRequest(refusal)) return { answer: { word: 'not-found' } };
    return isCheck ? { answer: unclear(heard) } : this.#search(talk, charge);
  }

  async #search(talk: Talk, { instruction }: ChargeAt): Promise<Located> {
    const search = await searchPayment(talk, instruction.reference);
    if ('failed' in search) return { answer: unclear(search.failed) };
    if (search.intent) return { id: search.intent.id };
    return { answer: unknown(`Stripe's search finds no payment with the reference ${instruction.reference}`) };
  }

  #post(talk: Talk, { instruction }: ChargeAt, amount: bigint): Promise<StripeHeard> {
    const fields = intentFields(instruction, amount);
    return talk({ method: 'POST', path: intentKindOf(instruction).path, fields, key: instruction.reference });
  }

  /** A confirmation that left nothing behind may still be on its way. */
  #settled(verdict: IntentVerdict): Exclude<Answer, { word: 'unsent' }> {
    const isOver = verdict.word !== 'idle' && verdict.word !== 'stranded';
    return isOver ? verdict : unknown('Stripe has not tried the card yet');
  }
}

function idIn(heard: StripeHeard, { instruction }: ChargeAt): string | undefined {
  if (!heard.heard || refusalOf(heard)) return undefined;
  const id = textAt(heard.body, 'id');
  return isIntentId(id, intentKindOf(instruction) === PAYMENTS ? 'pi' : 'seti') ? id : undefined;
}

/** What is not even known by its key cannot be taken back now; what was never taken needs not be. */
function unlocated(answer: InquiryAnswer): ReversalAnswer {
  if (answer.word === 'unknown') return answer;
  const isNowhere = answer.word === 'not-found' || answer.word === 'declined';
  return isNowhere ? { word: 'not-found' } : unknown('Stripe still works on it');
}

/** Stripe refused a form that charges nothing, so the charge is declined for certain. */
function refusedBefore(refusal: StripeRefusal): Decline {
  if (isForbidden(refusal)) return { word: 'declined', code: UNKNOWN_MERCHANT };
  const otherwise = refusal.type === 'card_error' ? NO_REASON : NOT_READ;
  return { word: 'declined', code: actionCodeOf(refusal.error, otherwise) };
}

function declinedBy({ error }: StripeRefusal, id: string): Decline {
  return { word: 'declined', code: actionCodeOf(error, NO_REASON), processorTxId: id };
}
