// The fraud checks, pure: they run before anything is sent to the acquirer and may end an order. Block lists are asked
// first, then limits. Every accepted order counts against the limits, whatever the acquirer answers: a thief who tries
// cards is mostly declined. An order that was filtered does not count, or its own repeats would keep it out.

import type { OrderOperation } from '../order/order.ts';
import type { Stage } from '../order/stages.ts';
import type { FilterReason } from './filter-reason.ts';

/** Which checks an order must pass: a question about a card moves no money and is not counted. */
export const screened: Readonly<Record<OrderOperation, { readonly lists: boolean; readonly limits: boolean }>> = {
  sale: { lists: true, limits: true },
  preauth: { lists: true, limits: true },
  rebill: { lists: true, limits: true },
  recurring: { lists: true, limits: true },
  payout: { lists: true, limits: true },
  transfer: { lists: true, limits: true },
  'account-verification': { lists: true, limits: false },
  'pan-eligibility': { lists: false, limits: false },
};

/** What orders must share to be counted together: `payment` is the card and the amount, to find duplicates. */
export type LimitKind = 'card' | 'email' | 'address' | 'payment';

/** At most `maxCount` orders and at most `maxSum` money in any stretch of time as long as the window. */
export type VelocityLimit = {
  readonly kind: LimitKind;
  readonly windowMs: number;
  readonly maxCount: number | undefined;
  /** In minor units of the endpoint's currency. */
  readonly maxSum: bigint | undefined;
};

/** The duplicate guard is a limit of one. */
export function duplicateGuard(windowMs: number): VelocityLimit {
  return { kind: 'payment', windowMs, maxCount: 1, maxSum: undefined };
}

/** Orders made later than this count; one made exactly a window ago does not any more. */
export function windowStart({ windowMs }: Pick<VelocityLimit, 'windowMs'>, now: number): number {
  return now - windowMs;
}

/** Stages of payments that took no money: to repeat one is no duplicate. */
export const CAME_TO_NOTHING: readonly Stage[] = [
  'declined',
  'passed-on',
  'expired',
  'error',
  'abandoned',
  'given-up',
  'awaiting-payer',
];

/** What was counted within a limit's window. */
export type Tally = { readonly count: number; readonly sum: bigint };

export type CountedLimit = { readonly limit: VelocityLimit; readonly tally: Tally };

const OVER: Readonly<Record<LimitKind, FilterReason>> = {
  payment: 'duplicate-payment',
  card: 'card-over-limit',
  email: 'email-over-limit',
  address: 'address-over-limit',
};

/** Why one more order over the amount would be too much; of several reasons the most telling one. */
export function judgeLimits(counted: readonly CountedLimit[], amount: bigint): FilterReason | undefined {
  const over = counted.filter(({ limit, tally }) => isOver(limit, tally, amount)).map(({ limit }) => limit.kind);
  return (Object.keys(OVER) as LimitKind[]).filter((kind) => over.includes(kind)).map((kind) => OVER[kind])[0];
}

function isOver({ maxCount, maxSum }: VelocityLimit, { count, sum }: Tally, amount: bigint): boolean {
  return (maxCount !== undefined && count + 1 > maxCount) || (maxSum !== undefined && sum + amount > maxSum);
}

/** The parts of an order that limits count by. Money taken and money sent are counted apart. */
export type Counted = {
  readonly direction: 'in' | 'out';
  readonly amount: bigint;
  /** The same text for the same card number. */
  readonly card: string | undefined;
  readonly email: string | undefined;
  readonly address: string | undefined;
};

/** The key that orders must share to be counted together; undefined when the order lacks what it is made of. */
export function countedBy(kind: LimitKind, { direction, amount, ...order }: Counted): readonly string[] | undefined {
  const value = kind === 'payment' ? order.card : order[kind];
  if (value === undefined) return undefined;
  return kind === 'payment' ? [kind, direction, value, amount.toString()] : [kind, direction, value];
}
