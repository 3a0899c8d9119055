// What an intent means for the instruction it carries out, in the port's words. Nothing is declined here unless Stripe
// itself says that the try failed, or that the intent can never be charged again.

import { AUTHENTICATION_UNAVAILABLE } from '../../domain/three-d-secure/authentication.ts';
import type { Answer, Approval, ChargeInstruction, Decline, Trace, Unknown, Unsent } from '../acquirer.ts';
import { stripeAmount } from './amounts.ts';
import { checksOf } from './card-checks.ts';
import { actionCodeOf, NO_REASON, NO_SUCH_TRANSACTION } from './decline-codes.ts';
import type { Intent } from './intent.ts';
import type { StripeHeard, StripeReply } from './stripe-line.ts';
import { objectAt, type StripeObject, textAt } from './stripe-object.ts';

/** `idle`: no card was tried with the intent yet. `stranded`: it waits for a payer who cannot be sent anywhere. */
export type IntentVerdict =
  | Exclude<Answer, { word: 'unsent' }>
  | { readonly word: 'idle' }
  | { readonly word: 'stranded' };

/** No code of ours fits better to an issuer that wants to see a payer whom we cannot send to it. */
export const STRANDED_CODE = AUTHENTICATION_UNAVAILABLE;

export function unknown(reason: string): Unknown {
  return { word: 'unknown', reason };
}

export function judgeIntent(intent: Intent, instruction: ChargeInstruction, trace: Trace): IntentVerdict {
  if (!isOf(intent, instruction)) return unknown(`${intent.id} is of another amount`);
  switch (intent.status) {
    case 'succeeded':
      return approvalOf(intent, trace);
    case 'requires_capture':
      return instruction.kind === 'preauth' ? approvalOf(intent, trace) : unknown(`${intent.id} is not captured`);
    case 'processing':
      return { word: 'pending' };
    case 'requires_action':
      return intent.nextUrl === undefined ? { word: 'stranded' } : { word: 'challenge', url: intent.nextUrl };
    case 'canceled':
      return declineOf(intent, NO_SUCH_TRANSACTION);
    case 'requires_payment_method':
    case 'requires_confirmation':
      return intent.error || intent.attemptId !== undefined ? declineOf(intent, NO_REASON) : { word: 'idle' };
    default:
      return unknown(`${intent.id} has the status ${intent.status}`);
  }
}

/** Checks of cards have no amount. */
function isOf(intent: Intent, { kind, amount }: ChargeInstruction): boolean {
  if (kind === 'verification') return true;
  return intent.amount === stripeAmount(amount) && intent.currency === amount.currency.toLowerCase();
}

export function approvalOf(intent: Intent, trace: Trace): Approval {
  const networkTransactionId = textAt(intent.card, 'network_transaction_id');
  return {
    word: 'approved',
    approvalCode: textAt(intent.card, 'authorization_code') ?? shortCode(intent.attemptId ?? intent.id),
    rrn: retrievalNumber(trace),
    processorTxId: intent.id,
    ...(networkTransactionId && { networkTransactionId }),
    ...checksOf(intent.card),
  };
}

function declineOf(intent: Intent, otherwise: string): Decline {
  return {
    word: 'declined',
    code: intent.error ? actionCodeOf(intent.error, NO_REASON) : otherwise,
    processorTxId: intent.id,
    ...checksOf(objectAt(intent.error, 'payment_method', 'card') ?? intent.card),
  };
}

/** Stands in where Stripe does not tell the issuer's approval code: the end of its own name for the try. */
export function shortCode(id: string): string {
  return id
    .replace(/[^0-9A-Za-z]/g, '')
    .slice(-6)
    .toUpperCase()
    .padStart(6, '0');
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const NUMBERS = 1_000_000;

/** Stripe has no retrieval reference number, so it is made of the trace: year, day, hour and number. */
export function retrievalNumber({ at, number }: Trace): string {
  const year = new Date(at).getUTCFullYear();
  const day = Math.floor((at - Date.UTC(year, 0, 1)) / DAY_MS) + 1;
  const hour = Math.floor((at % DAY_MS) / HOUR_MS);
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  return `${year % 10}${digits(day, 3)}${digits(hour, 2)}${digits(number % NUMBERS, 6)}`;
}

/** What Stripe says when it does not do what it is asked. */
export type StripeRefusal = {
  readonly status: number;
  readonly type: string | undefined;
  readonly code: string | undefined;
  readonly error: StripeObject;
};

/** Undefined when Stripe did what it was asked. */
export function refusalOf({ status, body }: StripeReply): StripeRefusal | undefined {
  if (status === 200) return undefined;
  const error = objectAt(body, 'error') ?? {};
  return { status, type: textAt(error, 'type'), code: textAt(error, 'code'), error };
}

/** Stripe works on a request with the same key at this moment. */
export const isInUse = ({ code }: StripeRefusal): boolean => code === 'idempotency_key_in_use';

/** Another request was made with the same key: Stripe does not carry out this one. */
export const isOtherRequest = ({ type }: StripeRefusal): boolean => type === 'idempotency_error';

/** The key is wrong, or may not do this. */
export const isForbidden = ({ status }: StripeRefusal): boolean => status === 401 || status === 403;

/** Nobody can tell from such an answer what became of the request. */
export function isOpen({ status }: StripeRefusal): boolean {
  return status < 400 || status === 409 || status === 429 || status >= 500;
}

/** For whoever knows that nothing can have come of it. */
export function unsent(heard: StripeHeard): Unsent {
  const { reason, fault } = unclear(heard);
  return { word: 'unsent', reason, ...(fault === 'unreachable' && { fault }) };
}

/** Why there is no verdict, from whatever was heard. */
export function unclear(heard: StripeHeard): Unknown {
  if (!heard.heard) return { word: 'unknown', reason: heard.reason, fault: heard.fault };
  const refusal = refusalOf(heard);
  const said = [refusal?.type, refusal?.code].filter((one) => one !== undefined);
  return unknown(`Stripe answered ${[heard.status, ...said].join(' ')}`);
}
