// A PaymentIntent is one payment at Stripe, a SetupIntent one check of a card. Each is charged at most once, whatever
// arrives late or twice: that is what this connector builds on.

import { amountAt, objectAt, type StripeObject, textAt } from './stripe-object.ts';

/** Where the two kinds of intents live, and how an error says that one is in the wrong state. */
export const PAYMENTS = {
  path: '/v1/payment_intents',
  named: 'payment_intent',
  unexpected: 'payment_intent_unexpected_state',
  expand: ['latest_charge'],
} as const;

export const CHECKS = {
  path: '/v1/setup_intents',
  named: 'setup_intent',
  unexpected: 'setup_intent_unexpected_state',
  expand: ['latest_attempt'],
} as const;

export type IntentKind = typeof PAYMENTS | typeof CHECKS;

export type Intent = {
  readonly id: string;
  readonly status: string;
  /** Of payments, in Stripe's units. */
  readonly amount: bigint | undefined;
  /** In small letters. */
  readonly currency: string | undefined;
  readonly received: bigint;
  readonly refunded: bigint;
  /** Our references. */
  readonly reference: string | undefined;
  readonly capture: string | undefined;
  /** Why the latest try failed. */
  readonly error: StripeObject | undefined;
  /** Where the payer must go. */
  readonly nextUrl: string | undefined;
  /** The latest try that reached a card network; its id alone where Stripe did not expand it. */
  readonly attemptId: string | undefined;
  /** What the card's network and issuer said at it. */
  readonly card: StripeObject | undefined;
};

/** Ids are put into addresses, so they must look like one. */
export function isIntentId(id: string | undefined, prefix: 'pi' | 'seti'): id is string {
  return id !== undefined && new RegExp(`^${prefix}_\\w{1,250}$`).test(id);
}

/** Undefined when it is none. */
export function readIntent(body: unknown, kind: IntentKind): Intent | undefined {
  const id = textAt(body, 'id');
  const status = textAt(body, 'status');
  if (textAt(body, 'object') !== kind.named || status === undefined) return undefined;
  if (!isIntentId(id, kind === PAYMENTS ? 'pi' : 'seti')) return undefined;
  const attempt = kind === PAYMENTS ? 'latest_charge' : 'latest_attempt';
  return {
    id,
    status,
    amount: amountAt(body, 'amount'),
    currency: textAt(body, 'currency'),
    received: amountAt(body, 'amount_received') ?? 0n,
    refunded: amountAt(body, 'latest_charge', 'amount_refunded') ?? 0n,
    reference: textAt(body, 'metadata', 'reference'),
    capture: textAt(body, 'metadata', 'capture'),
    error: objectAt(body, kind === PAYMENTS ? 'last_payment_error' : 'last_setup_error'),
    nextUrl: webAddress(textAt(body, 'next_action', 'redirect_to_url', 'url')),
    attemptId: textAt(body, attempt, 'id') ?? textAt(body, attempt),
    card: objectAt(body, attempt, 'payment_method_details', 'card'),
  };
}

/** A browser is sent there, so nothing else than the web will do. */
function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  return /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}
