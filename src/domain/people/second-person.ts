// When money is moved by two people together: above amounts that are set for its merchant, by somebody else than who
// asked for it, and within a week.

import type { Money } from '../money/money.ts';
import type { Order } from '../order/order.ts';
import { isFinal } from '../order/stages.ts';

/** What people do with the money of orders. */
export const DEED_KINDS = ['capture', 'void', 'return', 'payout', 'settlement'] as const;
export type DeedKind = (typeof DEED_KINDS)[number];

/** How long a deed waits for a second person. */
export const DEED_LASTS_MS = 7 * 24 * 60 * 60 * 1000;

/** Within this time an equal deed is asked about: it may be the same one, given twice. */
export const EQUAL_DEED_MS = 24 * 60 * 60 * 1000;

/**
 * Whether it takes two. What people have moved of the order before without a second one counts too, so that nobody
 * passes the amount in parts. Of several amounts in one currency the smallest counts.
 */
export function needsSecondPerson(amount: Money, before: bigint, above: readonly Money[]): boolean {
  return above.some(({ minor, currency }) => currency === amount.currency && amount.minor + before > minor);
}

/** What these transactions of an order have moved, or may yet move. */
export function movedBy({ transactions }: Pick<Order, 'transactions'>, seqs: readonly number[]): bigint {
  return transactions
    .filter(({ seq, stage }) => seqs.includes(seq) && (stage === 'approved' || !isFinal(stage)))
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/** Who asks or approves: `person` is their name, undefined for the local command line. */
export type Doer = { readonly who: string; readonly person: string | undefined };

/** Why somebody may not be the second person, as a sentence; undefined when they may. */
export function approverComplaint(asker: string | undefined, approver: Doer): string | undefined {
  if (approver.person === undefined) {
    return 'the local command line is whoever rules this machine; a second person approves by an own account or token';
  }
  if (approver.person === asker) return `${asker} asked for it; somebody else must approve it`;
  return undefined;
}

export function isDeedOver({ expiresAt }: { readonly expiresAt: number }, now: number): boolean {
  return now >= expiresAt;
}

const EQUALS = { capture: ['capture'], return: ['cancel', 'reversal'] } as const;

/** The transaction that an equal part was captured or returned with a short time before, by whomever. */
export function equalBefore(
  { transactions }: Pick<Order, 'transactions'>,
  kind: keyof typeof EQUALS,
  amount: bigint,
  now: number,
): number | undefined {
  const types: readonly string[] = EQUALS[kind];
  return transactions.findLast(
    (one) =>
      types.includes(one.type) &&
      one.amount === amount &&
      (one.stage === 'approved' || !isFinal(one.stage)) &&
      now - one.createdAt < EQUAL_DEED_MS,
  )?.seq;
}
