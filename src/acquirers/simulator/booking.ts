// An instruction that the bank has accepted, its verdict on arrival, and what later instructions did with its money.

import type { Money } from '../../domain/money/money.ts';
import type { Instruction } from '../acquirer.ts';
import type { CardDigits, TargetDigits } from './digits.ts';
import type { Verdict } from './rules.ts';

export type Booking = {
  readonly kind: Instruction['kind'];
  readonly reference: string;
  /** The reference of the instruction whose money this one uses. */
  readonly original?: string | undefined;
  readonly amount: Money;
  readonly card?: CardDigits | undefined;
  readonly to?: TargetDigits | undefined;
  /** The electronic commerce indicator that came with it. */
  readonly eci?: string | undefined;
  readonly verdict: Verdict;
  readonly arrivedAt: number;
  readonly rrn: string;
  readonly approvalCode: string;
  reversedAt?: number;
  standing?: Standing;
  clearing?: Clearing;
  /** Resolves when the booking and its reversal, as they stand in memory, are on disk. */
  durable: Promise<void>;
};

/** An instruction as the books know it. */
export type Subject = Pick<Booking, 'kind' | 'reference' | 'original' | 'amount' | 'card' | 'to' | 'eci'>;

/**
 * What follow-ups did with the money of a booking, in minor units. A follow-up counts from its arrival until it is
 * reversed, also while it is in doubt. A preauth also counts the follow-ups of its captures.
 */
export type Standing = {
  /** How many follow-ups name this booking itself. */
  followUps: number;
  captured: bigint;
  cancelled: bigint;
  voided: bigint;
  refunded: bigint;
  /** Captures that began in doubt: they use up the hold at once, but can be refunded only after their approval. */
  readonly doubtfulCaptures: Booking[];
};

/** Clears what was approved by the moment `upTo`; a doubtful booking is approved after `holdMs`. */
export type ClearingRun = {
  /** The business day it belongs to, as in `2031-12-31`. */
  readonly date: string;
  readonly at: number;
  readonly upTo: number;
  readonly holdMs: number;
};

/** A clearing that the bank has made. */
export type Clearing = ClearingRun & {
  /** Where its line begins in the log. */
  readonly position: number;
  /** Where the lines begin that it may have cleared something of. */
  readonly from: number;
};

/** A movement of money that was cleared, or the reversal of one that had been cleared before. */
export type ClearedBooking = { readonly booking: Booking; readonly isReversal: boolean };

const SUM_OF = { capture: 'captured', cancel: 'cancelled', void: 'voided', refund: 'refunded' } as const;

export type FollowUpInstructionKind = keyof typeof SUM_OF;

export function isFollowUp(kind: Instruction['kind']): kind is FollowUpInstructionKind {
  return kind in SUM_OF;
}

/** Adds a follow-up of `original` (1) or removes it (-1). `preauth` is given when the original is a capture. */
export function count(followUp: Booking, original: Booking, preauth: Booking | undefined, times: 1 | -1): void {
  if (!isFollowUp(followUp.kind)) return;
  const sum = SUM_OF[followUp.kind];
  const minor = followUp.amount.minor * BigInt(times);
  const standing = standingOf(original);
  standing.followUps += times;
  standing[sum] += minor;
  if (preauth) standingOf(preauth)[sum] += minor;
  if (followUp.kind === 'capture' && followUp.verdict.word === 'hold' && times === 1) {
    standing.doubtfulCaptures.push(followUp);
  }
}

function standingOf(booking: Booking): Standing {
  booking.standing ??= {
    followUps: 0,
    captured: 0n,
    cancelled: 0n,
    voided: 0n,
    refunded: 0n,
    doubtfulCaptures: [],
  };
  return booking.standing;
}
