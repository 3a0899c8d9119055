// Amounts as Stripe counts them. Most currencies have the decimals of ISO 4217 there; the ones that differ are listed.
// Stripe also refuses a last digit in currencies of three decimals, and parts of what it counts whole.

import { exponentOf } from '../../domain/money/currency.ts';
import type { Money } from '../../domain/money/money.ts';

/** How many decimals Stripe counts, where they are not those of ISO 4217. */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  // The ariary is divided by five, and Stripe takes whole ones only.
  ['MGA', 0],
  // These have no decimals any more; Stripe still counts hundredths, which must be whole hundreds.
  ['ISK', 2],
  ['UGX', 2],
]);

const LAST_DIGIT_IS_ZERO = 3;

/** Undefined when Stripe cannot take this amount of the currency. */
export function stripeAmount({ minor, currency }: Money): bigint | undefined {
  const ours = exponentOf(currency);
  const theirs = DECIMALS.get(currency) ?? ours;
  if (ours === LAST_DIGIT_IS_ZERO && minor % 10n !== 0n) return undefined;
  if (theirs >= ours) return minor * 10n ** BigInt(theirs - ours);
  const unit = 10n ** BigInt(ours - theirs);
  return minor % unit === 0n ? minor / unit : undefined;
}
