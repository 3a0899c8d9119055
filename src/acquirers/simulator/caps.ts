// What may be done with money that the bank has booked. The bank relies on its own sums only: capture and cancel within
// the hold, void the whole amount before clearing, refund no more than was captured or sold.

import type { Money } from '../../domain/money/money.ts';
import { INVALID_AMOUNT, INVALID_TRANSACTION, ORIGINAL_NOT_FOUND } from './bank-codes.ts';
import type { Booking, FollowUpInstructionKind } from './booking.ts';

const MAY_FOLLOW: Readonly<Record<FollowUpInstructionKind, ReadonlySet<Booking['kind']>>> = {
  capture: new Set(['preauth']),
  cancel: new Set(['preauth']),
  void: new Set(['sale', 'capture']),
  refund: new Set(['sale', 'capture', 'preauth']),
};

export type Wish = { readonly kind: FollowUpInstructionKind; readonly amount: Money };

/** The original that a wish names, its preauth when it is a capture, and whether a booking is approved right now. */
export type Ground = {
  readonly original: Booking | undefined;
  readonly preauth: Booking | undefined;
  isApproved(booking: Booking): boolean;
};

/** The code to decline the wish with, or undefined when the bank can do it. */
export function objectionTo({ kind, amount }: Wish, ground: Ground): string | undefined {
  const { original } = ground;
  if (!original) return ORIGINAL_NOT_FOUND;
  if (!MAY_FOLLOW[kind].has(original.kind) || !ground.isApproved(original)) return INVALID_TRANSACTION;
  const sameCurrency = amount.currency === original.amount.currency;
  if (kind === 'void') {
    const whole = sameCurrency && amount.minor === original.amount.minor;
    return whole && canBeVoided(original, ground) ? undefined : INVALID_TRANSACTION;
  }
  const most = kind === 'refund' ? refundable(original, ground) : leftOfHold(original);
  return sameCurrency && amount.minor > 0n && amount.minor <= most ? undefined : INVALID_AMOUNT;
}

/** Whether a booking can be taken back as if it had never been made: no later booking may depend on it. */
export function canBeReversed(booking: Booking, { preauth, isApproved }: Omit<Ground, 'original'>): boolean {
  if ((booking.standing?.followUps ?? 0) > 0) return false;
  const isCaptured = booking.kind === 'capture' && preauth !== undefined && isApproved(booking);
  return !isCaptured || refundableOfCaptures(preauth, isApproved) >= booking.amount.minor;
}

export function isVoided({ standing }: Booking): boolean {
  return standing !== undefined && standing.voided > 0n;
}

/** A void gives the money back to the cardholder, but a voided capture has still used up its part of the hold. */
function leftOfHold({ amount, standing }: Booking): bigint {
  return standing ? amount.minor - standing.captured - standing.cancelled : amount.minor;
}

function canBeVoided(original: Booking, { preauth, isApproved }: Ground): boolean {
  if (original.clearing || (original.standing?.followUps ?? 0) > 0) return false;
  // Refunds that name the preauth belong to no capture: the other captures must be large enough for them.
  return !preauth || refundableOfCaptures(preauth, isApproved) >= original.amount.minor;
}

function refundable(original: Booking, { preauth, isApproved }: Ground): bigint {
  if (original.kind === 'preauth') return refundableOfCaptures(original, isApproved);
  const { amount, standing } = original;
  const own = standing ? amount.minor - standing.voided - standing.refunded : amount.minor;
  if (!preauth) return own;
  const all = refundableOfCaptures(preauth, isApproved);
  return own < all ? own : all;
}

function refundableOfCaptures({ standing }: Booking, isApproved: Ground['isApproved']): bigint {
  if (!standing) return 0n;
  const doubtful = standing.doubtfulCaptures
    .filter((capture) => capture.reversedAt === undefined && !isApproved(capture))
    .reduce((sum, capture) => sum + capture.amount.minor, 0n);
  return standing.captured - standing.voided - standing.refunded - doubtful;
}
