// Why an order ended without money, in words: a bank's code, the rule that stopped it, or what did not happen in time.

import { meaningOf } from '../acquirer/action-codes.ts';
import { errors } from '../errors.ts';
import type { PublicStatus, Stage } from '../order/stages.ts';

/** Stages whose name is the reason. */
const STAGE_REASONS = {
  expired: 'It was not confirmed in time, and never sent.',
  abandoned: 'The payer left without a card.',
  error: 'Its outcome stayed unknown, so it was taken back.',
} as const satisfies Partial<Record<Stage, string>>;

/** The word for a reason that nobody gave. */
export const REASON_NOT_GIVEN = 'none';

export const REASON_STAGES = Object.keys(STAGE_REASONS) as (keyof typeof STAGE_REASONS)[];

export function reasonText(status: PublicStatus, reason: string): string {
  if (reason === REASON_NOT_GIVEN)
    return status === 'declined' ? 'The payer gave up after a decline.' : 'No reason was given.';
  if (status === 'declined') return meaningOf(reason);
  if (Object.hasOwn(STAGE_REASONS, reason)) return STAGE_REASONS[reason as keyof typeof STAGE_REASONS];
  return Object.hasOwn(errors, reason) ? `${errors[reason as keyof typeof errors].text}.` : reason;
}
