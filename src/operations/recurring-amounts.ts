// Reads the amounts of a recurring payment's charges from the fields that can give them.

import type { Money } from '../domain/money/money.ts';
import type { Amounts } from '../domain/recurring/recurring.ts';

type Said = {
  readonly amount?: Money | undefined;
  readonly amountFrom?: Money | undefined;
  readonly amountTo?: Money | undefined;
  readonly amountSequence?: readonly Money[] | undefined;
};

export function amountsOf({ amount, amountFrom, amountTo, amountSequence }: Said): Amounts {
  if (amount) return { kind: 'fixed', minor: amount.minor };
  if (amountFrom && amountTo) return { kind: 'range', least: amountFrom.minor, most: amountTo.minor };
  return amountSequence ? { kind: 'sequence', minors: amountSequence.map(({ minor }) => minor) } : { kind: 'open' };
}
