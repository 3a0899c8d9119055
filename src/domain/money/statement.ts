// What a merchant's balance did day by day, from what was booked on it: each day begins with what the one before ended
// with, and the last ends with what the account holds now, less what came later.

import type { TransactionType } from '../order/transaction-types.ts';

export type BookedInDay = {
  /** In UTC, such as 2027-01-31. */
  readonly day: string;
  readonly type: TransactionType;
  /** Whether the balance grew. */
  readonly isIn: boolean;
  readonly amount: bigint;
  readonly count: number;
};

const KINDS = ['taken', 'returned', 'chargedBack', 'paidOut'] as const;
export type StatementKind = (typeof KINDS)[number];

export type StatementDay = Readonly<Record<StatementKind, bigint>> & {
  readonly day: string;
  readonly count: number;
  /** When the day was over. */
  readonly balance: bigint;
};

export type BalanceStatement = {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly totals: Readonly<Record<StatementKind, bigint>>;
  /** Those on which something was booked. */
  readonly days: readonly StatementDay[];
};

/** What has come back of a payout makes what was paid out smaller, whether it failed or was returned later. */
const KIND_OF: Partial<Record<TransactionType, StatementKind>> = {
  sale: 'taken',
  capture: 'taken',
  void: 'returned',
  reversal: 'returned',
  chargeback: 'chargedBack',
  payout: 'paidOut',
  transfer: 'paidOut',
};

const nothing = (): Record<StatementKind, bigint> => ({ taken: 0n, returned: 0n, chargedBack: 0n, paidOut: 0n });

/** `booked` is everything since the first day, also what is later than the last; `now` is what the account holds. */
export function balanceStatement(booked: readonly BookedInDay[], now: bigint, lastDay: string): BalanceStatement {
  const opening = now - booked.reduce((sum, { amount }) => sum + amount, 0n);
  const totals = nothing();
  const days = new Map<string, Record<StatementKind, bigint> & { count: number; change: bigint }>();
  for (const { day, type, isIn, amount, count } of booked) {
    if (day > lastDay) continue;
    const one = days.get(day) ?? { ...nothing(), count: 0, change: 0n };
    const kind = type === 'reversal' && isIn ? 'paidOut' : KIND_OF[type];
    if (kind === undefined) throw new Error(`a ${type} was booked on a balance`);
    one[kind] += amount;
    totals[kind] += amount;
    one.count += count;
    one.change += amount;
    days.set(day, one);
  }
  let balance = opening;
  const told = [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, { change, ...sums }]) => {
      balance += change;
      return { day, ...sums, balance };
    });
  return { opening, closing: balance, totals, days: told };
}
