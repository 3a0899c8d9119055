// Whether a payer must prove to be the cardholder (3-D Secure), and what follows from the outcome. The endpoint's gate
// decides; the acquirer is told what the card's issuer said.

import type { Endpoint } from '../merchant/merchant.ts';
import type { OrderOperation } from '../order/order.ts';
import type { Secret } from '../secret.ts';

/** The protocol's own words: authenticated, attempted, not authenticated, rejected, unavailable, informational. */
export type AuthenticationStatus = 'Y' | 'A' | 'N' | 'R' | 'U' | 'I';

/** What the acquirer is told about a payer who was authenticated, or may pay without authentication. */
export type Authentication = {
  /** The version of the protocol: 2.2.0, 2.1.0 or 1.0.2. */
  readonly version: string;
  readonly status: AuthenticationStatus;
  /** The electronic commerce indicator. */
  readonly eci?: string;
  /** The issuer's proof, base64: only with `Y` and `A`. */
  readonly cavv?: Secret<string>;
  readonly dsTransactionId?: string;
  /** The transaction's name in version 1. */
  readonly xid?: string;
};

/** The electronic commerce indicator of the card network for this outcome, where the issuer gave none. */
export function eciFor(brand: string, status: AuthenticationStatus): string {
  const [authenticated, attempted, neither] = MASTERCARD.has(brand) ? ['02', '01', '00'] : ['05', '06', '07'];
  return status === 'Y' ? authenticated : status === 'A' ? attempted : neither;
}

const MASTERCARD: ReadonlySet<string> = new Set(['MASTERCARD', 'MAESTRO']);

/** Action codes of our own, for private use: the bank was never asked. */
export const AUTHENTICATION_REFUSED = '190';
export const AUTHENTICATION_UNAVAILABLE = '191';
export const AUTHENTICATION_TIMED_OUT = '192';
export const AUTHENTICATION_CANCELLED = '193';

export function isAuthenticationDecline(code: string): boolean {
  return code >= AUTHENTICATION_REFUSED && code <= AUTHENTICATION_CANCELLED;
}

/** Operations a payer is present at and types a card for. A merchant's own charges and payouts have nobody to ask. */
const PAYER_IS_THERE: ReadonlySet<OrderOperation> = new Set(['sale', 'preauth', 'account-verification', 'transfer']);

/** The card that pays: typed by a payer now, or stored with an earlier order. */
type Paying = { readonly typed: unknown } | { readonly stored: unknown };

export function needsAuthentication(
  { threeDSecure }: Pick<Endpoint, 'threeDSecure'>,
  operation: OrderOperation,
  card: Paying | undefined,
): boolean {
  return threeDSecure !== 'none' && PAYER_IS_THERE.has(operation) && card !== undefined && 'typed' in card;
}

export type AuthenticationVerdict =
  | { readonly word: 'pass'; readonly liabilityShift: boolean }
  | { readonly word: 'refuse'; readonly code: string };

/** When the issuer could not say, the endpoint's settings decide whether the payer may pay. */
export function judgeAuthentication(
  { threeDSecure, unauthenticated }: Pick<Endpoint, 'threeDSecure' | 'unauthenticated'>,
  { status, cancelled }: { readonly status: AuthenticationStatus; readonly cancelled: boolean },
): AuthenticationVerdict {
  switch (status) {
    case 'Y':
    case 'A':
      return { word: 'pass', liabilityShift: true };
    case 'N':
    case 'R':
      return { word: 'refuse', code: cancelled ? AUTHENTICATION_CANCELLED : AUTHENTICATION_REFUSED };
    case 'U':
    case 'I': {
      const passes = unauthenticated === 'by-gate' ? threeDSecure !== 'required' : unauthenticated === 'pass';
      return passes ? { word: 'pass', liabilityShift: false } : { word: 'refuse', code: AUTHENTICATION_UNAVAILABLE };
    }
  }
}
