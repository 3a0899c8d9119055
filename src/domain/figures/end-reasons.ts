// Why an order ended without money, in words: a bank's code, the rule that stopped it, or what did not happen in time.

import { meaningOf } from '../acquirer/action-codes.ts';
import { errors } from '../errors.ts';
import { type PublicStatus, type Stage, stages } from '../order/stages.ts';

/** Stages whose name is the reason. */
const STAGE_REASONS = {
  expired: 'It was not confirmed in time, and never sent.',
  abandoned: 'The payer left without a card.',
  error: 'Its outcome stayed unknown, so it was taken back.',
} as const satisfies Partial<Record<Stage, string>>;

/** The word for a reason that nobody gave. */
export const REASON_NOT_GIVEN = 'none';

/** An order's latest try. */
export type LatestTry = {
  readonly stage: Stage;
  readonly declineCode: string | undefined;
  readonly filterReason: string | undefined;
};

/** What tells the reason of an order that ended like this; any other has not ended, or is paid. */
const TOLD_BY: Partial<Record<PublicStatus, keyof LatestTry>> = {
  declined: 'declineCode',
  filtered: 'filterReason',
  error: 'stage',
};
export const REASON_TOLD_BY = Object.entries(TOLD_BY) as readonly (readonly [PublicStatus, keyof LatestTry])[];

/** Statuses of orders that ended without money. */
export const REASONED: readonly PublicStatus[] = REASON_TOLD_BY.map(([status]) => status);

/** Empty where it has not ended, or is paid. */
export function endReasonOf(latest: LatestTry): string {
  const told = TOLD_BY[stages[latest.stage].status];
  return told === undefined ? '' : (latest[told] ?? REASON_NOT_GIVEN);
}

export function reasonText(status: PublicStatus, reason: string): string {
  if (reason === REASON_NOT_GIVEN)
    return status === 'declined' ? 'The payer gave up after a decline.' : 'No reason was given.';
  if (status === 'declined') return meaningOf(reason);
  if (Object.hasOwn(STAGE_REASONS, reason)) return STAGE_REASONS[reason as keyof typeof STAGE_REASONS];
  return Object.hasOwn(errors, reason) ? `${errors[reason as keyof typeof errors].text}.` : reason;
}
