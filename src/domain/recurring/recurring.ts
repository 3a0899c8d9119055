// Recurring payments: which amount a charge has, on which days charges fall, and what is to be done with a profile now.
// Days are counted in UTC and always from the anchor, not from the last charge: the 31st stays the end of the month.

import { isFinalDecline } from '../card/network-limits.ts';
import { type Refusal, refuse } from '../errors.ts';
import { type Money, writeAmount } from '../money/money.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** How long after each decline in a row the charge is tried again; after the last one the profile is suspended. */
export const RETRY_PAUSES_MS: readonly number[] = [1 * DAY, 3 * DAY, 5 * DAY];

/** How often a charge whose outcome is open is looked at. */
export const CHECK_PAUSE_MS = MINUTE;

export type Direction = 'from-card' | 'to-card';

/** What a charge may amount to, in minor units. A sequence is used up one by one, each amount when it is approved. */
export type Amounts =
  | { readonly kind: 'open' }
  | { readonly kind: 'fixed'; readonly minor: bigint }
  | { readonly kind: 'range'; readonly least: bigint; readonly most: bigint }
  | { readonly kind: 'sequence'; readonly minors: readonly bigint[] };

/** `suspended`: a charge was declined too often, or for good. `stopped` and `finished` never end. */
export type RecurringState = 'active' | 'paused' | 'suspended' | 'stopped' | 'finished';

export type IntervalUnit = 'day' | 'week' | 'month';

export type RecurringSchedule = {
  readonly unit: IntervalUnit;
  readonly interval: number;
  /** Occurrence 0: the day it is counted from, at the time of day the profile was created. */
  readonly anchorAt: number;
};

/** Which occurrence of the schedule is to be charged, and how many tries in a row have failed so far. */
export type ChargeProgress = { readonly occurrence: number; readonly failures: number };

export type RecurringPayment = {
  readonly merchantId: number;
  readonly recurringPaymentId: number;
  readonly endpointId: number;
  readonly clientOrderId: string;
  readonly direction: Direction;
  readonly currency: string;
  readonly amounts: Amounts;
  /** Absent: the merchant asks for each charge. */
  readonly schedule: RecurringSchedule | undefined;
  /** The first moment that is too late. */
  readonly endsAt: number | undefined;
  readonly state: RecurringState;
  /** Why it is suspended. */
  readonly note: string | undefined;
  readonly progress: ChargeProgress;
  /** When a node must look at it. */
  readonly nextRunAt: number | undefined;
  readonly version: number;
  readonly createdAt: number;
  readonly changedAt: number;
};

// Amounts ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** All the figures an agreement names. */
export function figuresOf(amounts: Amounts): readonly bigint[] {
  switch (amounts.kind) {
    case 'open':
      return [];
    case 'fixed':
      return [amounts.minor];
    case 'range':
      return [amounts.least, amounts.most];
    case 'sequence':
      return amounts.minors;
  }
}

/** The amount of the charge after the first `approved` ones, or why there is none. */
export function amountOfCharge(
  { amounts, currency }: Pick<RecurringPayment, 'amounts' | 'currency'>,
  asked: bigint | undefined,
  approved: number,
): bigint | Refusal {
  const written = (minor: bigint) => `${writeAmount({ minor, currency } satisfies Money, 'major')} ${currency}`;
  const exactly = (minor: bigint) =>
    asked === undefined || asked === minor ? minor : refused(`its amount is ${written(minor)}; leave amount out`);
  switch (amounts.kind) {
    case 'open':
      return asked ?? refuse('parameter-required', { field: 'amount' });
    case 'fixed':
      return exactly(amounts.minor);
    case 'range': {
      if (asked === undefined) return refuse('parameter-required', { field: 'amount' });
      const { least, most } = amounts;
      return asked >= least && asked <= most
        ? asked
        : refused(`its amounts are from ${written(least)} to ${written(most)}`);
    }
    case 'sequence': {
      const next = amounts.minors[approved];
      return next === undefined ? refuseCharge('every amount of its sequence has been paid') : exactly(next);
    }
  }
}

function refused(hint: string): Refusal {
  return refuse('recurring-payment-refused', { field: 'amount', hint });
}

function refuseCharge(hint: string): Refusal {
  return refuse('recurring-payment-refused', { field: 'recurring-payment-id', hint });
}

/** Why a profile cannot be charged at all now. */
export function whyNotCharged({ state, endsAt }: RecurringPayment, now: number): Refusal | undefined {
  if (state !== 'active') return refuseCharge(`it is ${state}`);
  return endsAt !== undefined && now >= endsAt ? refuseCharge('its finish date is over') : undefined;
}

// Days ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

const DAYS: Readonly<Record<Exclude<IntervalUnit, 'month'>, number>> = { day: 1, week: 7 };

export function occurrenceAt({ unit, interval, anchorAt }: RecurringSchedule, occurrence: number): number {
  return unit === 'month'
    ? monthsAfter(anchorAt, occurrence * interval)
    : anchorAt + occurrence * interval * DAYS[unit] * DAY;
}

/** The same day of a later month, or its last day when it has no such day. */
function monthsAfter(anchorAt: number, months: number): number {
  const anchor = new Date(anchorAt);
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + (anchorAt % DAY);
}

/** The last occurrence that is not after the moment; -1 when there is none yet. */
export function latestOccurrence(schedule: RecurringSchedule, moment: number): number {
  if (moment < schedule.anchorAt) return -1;
  let occurrence = Math.floor(unitsBetween(schedule, moment) / schedule.interval);
  // The day of this month may not have come yet, or may have come early because the month is short.
  while (occurrenceAt(schedule, occurrence) > moment) occurrence -= 1;
  while (occurrenceAt(schedule, occurrence + 1) <= moment) occurrence += 1;
  return occurrence;
}

function unitsBetween({ unit, anchorAt }: RecurringSchedule, moment: number): number {
  if (unit !== 'month') return (moment - anchorAt) / (DAYS[unit] * DAY);
  const [from, to] = [new Date(anchorAt), new Date(moment)];
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}

// What to do ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Plan = {
  readonly schedule: RecurringSchedule;
  readonly endsAt: number | undefined;
  /** How many charges a sequence still allows. */
  readonly chargesLeft: number | undefined;
};

/** What became of the order that was made for this occurrence and try. */
export type OrderNews =
  | { readonly order: 'none' }
  | { readonly order: 'open' }
  | { readonly order: 'approved' }
  /** `code`: the action code when the issuer declined. */
  | { readonly order: 'failed'; readonly at: number; readonly code: string | undefined };

export type RecurringStep = { readonly progress: ChargeProgress } & (
  | { readonly do: 'charge' }
  | { readonly do: 'wait'; readonly until: number }
  | { readonly do: 'suspend'; readonly because: string }
  | { readonly do: 'finish' }
);

/** What to do with an active profile whose progress is due. */
export function nextStep(plan: Plan, progress: ChargeProgress, news: OrderNews, now: number): RecurringStep {
  const { occurrence, failures } = progress;
  switch (news.order) {
    case 'open':
      return { do: 'wait', progress, until: now + CHECK_PAUSE_MS };
    case 'none':
      return charge(plan, progress, occurrenceAt(plan.schedule, occurrence), now);
    case 'approved': {
      const next = { occurrence: occurrence + 1, failures: 0 };
      return charge(plan, next, occurrenceAt(plan.schedule, next.occurrence), now);
    }
    case 'failed': {
      const pause = RETRY_PAUSES_MS[failures];
      const failed = { occurrence, failures: failures + 1 };
      if (news.code !== undefined && isFinalDecline(news.code)) {
        return { do: 'suspend', progress: failed, because: `declined for good with code ${news.code}` };
      }
      const because = `${failed.failures} tries in a row failed`;
      return pause === undefined
        ? { do: 'suspend', progress: failed, because }
        : retry(plan, failed, news.at + pause, now);
    }
  }
}

/** Another try, or the next occurrence when that comes first: only one charge is due at a time. */
function retry(plan: Plan, { occurrence, failures }: ChargeProgress, retryAt: number, now: number): RecurringStep {
  const nextAt = occurrenceAt(plan.schedule, occurrence + 1);
  return nextAt <= retryAt
    ? charge(plan, { occurrence: occurrence + 1, failures }, nextAt, now)
    : charge(plan, { occurrence, failures }, retryAt, now);
}

/** Of several occurrences that were missed only the latest is charged. */
function charge(
  { schedule, endsAt, chargesLeft }: Plan,
  progress: ChargeProgress,
  dueAt: number,
  now: number,
): RecurringStep {
  const isOver = endsAt !== undefined && Math.max(dueAt, now) >= endsAt;
  if (isOver || chargesLeft === 0) return { do: 'finish', progress };
  if (dueAt > now) return { do: 'wait', progress, until: dueAt };
  const occurrence = Math.max(progress.occurrence, latestOccurrence(schedule, now));
  return { do: 'charge', progress: { ...progress, occurrence } };
}

/** Where a schedule goes on after a pause: with the first occurrence still to come. */
export function resumeAt(plan: Omit<Plan, 'chargesLeft'>, progress: ChargeProgress, now: number): RecurringStep {
  const occurrence = Math.max(progress.occurrence, latestOccurrence(plan.schedule, now) + 1);
  const next = { occurrence, failures: 0 };
  return charge({ ...plan, chargesLeft: undefined }, next, occurrenceAt(plan.schedule, occurrence), now);
}

// The orders a schedule makes ───────────────────────────────────────────────────────────────────────────────────────

/** So many digits tell them from ids that merchants give. */
const SCHEDULED_DIGITS = 12;

/** One id per try, so that a repeat after a crash finds the order that was made before. */
export function scheduledOrderId(recurringPaymentId: number, { occurrence, failures }: ChargeProgress): string {
  const name = `rp-${String(recurringPaymentId).padStart(SCHEDULED_DIGITS, '0')}-${occurrence}`;
  return failures === 0 ? name : `${name}-${failures}`;
}

/** Ids that only schedules may use. */
export function isScheduledOrderId(clientOrderId: string): boolean {
  return /^rp-\d{12,16}-\d+(?:-\d+)?$/.test(clientOrderId);
}
