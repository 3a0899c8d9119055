// Money is a whole number of minor units (bigint) and an ISO 4217 currency; there are no floats anywhere.
// Amounts arrive and leave as text in one of two notations: minor units ("1042") or major units with a point ("10.42").

import { exponentOf } from './currency.ts';

export type Money = { readonly minor: bigint; readonly currency: string };

export type Notation = 'minor' | 'major';

/** The longest figure the interface takes: ten digits of minor units. */
export const MAX_MINOR = 9_999_999_999n;

export function money(minor: bigint, currency: string): Money {
  exponentOf(currency);
  return { minor, currency };
}

/** The minor units that `text` means in this notation; undefined when it is no amount the interface takes. */
export function readAmount(text: string, currency: string, notation: Notation): bigint | undefined {
  const minor = readFigure(text, currency, notation);
  return minor !== undefined && minor <= MAX_MINOR ? minor : undefined;
}

/** Reads too large amounts as well: their signature can be checked, and then they are refused as too large. */
export function readFigure(text: string, currency: string, notation: Notation): bigint | undefined {
  const exponent = exponentOf(currency);
  const match = /^(0|[1-9]\d{0,15})(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction] = match;
  if (fraction !== undefined && (notation === 'minor' || hasMoreDecimals(fraction, exponent))) return undefined;
  const decimals = (fraction ?? '').slice(0, exponent).padEnd(exponent, '0');
  const minor = BigInt(notation === 'minor' ? whole : whole + decimals);
  return minor >= 1n ? minor : undefined;
}

/** Zeros beyond the currency's decimals change nothing: 105.0000 USD is 105.00. */
function hasMoreDecimals(fraction: string, exponent: number): boolean {
  return fraction.length > exponent && !/^0*$/.test(fraction.slice(exponent));
}

/** What is wrong with an amount that has more decimals than its currency; undefined when it has not. */
export function decimalsFault(text: string, currency: string): string | undefined {
  const exponent = exponentOf(currency);
  if (!hasMoreDecimals(text.split('.')[1] ?? '', exponent)) return undefined;
  return exponent === 0 ? `${currency} has no decimals` : `${currency} has at most ${exponent} decimals`;
}

export function writeAmount(amount: Money, notation: Notation): string {
  const exponent = exponentOf(amount.currency);
  if (notation === 'minor' || exponent === 0) return amount.minor.toString();
  const isNegative = amount.minor < 0n;
  const digits = (isNegative ? -amount.minor : amount.minor).toString().padStart(exponent + 1, '0');
  return `${isNegative ? '-' : ''}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
