// Money is a whole number of minor units (bigint) and an ISO 4217 currency; there are no floats anywhere.
// Amounts arrive and leave as text in one of two notations: minor units ("1042") or major units with a point ("10.42").

import * as currencies from 'dinero.js/currencies';

export type Money = { readonly minor: bigint; readonly currency: string };

export type Notation = 'minor' | 'major';

/** The longest figure the interface takes: ten digits of minor units. */
export const MAX_MINOR = 9_999_999_999n;

// Codes ISO lists for funds and metals; no card is ever charged in them.
const NOT_PAYABLE = new Set([
  'BOV',
  'CHE',
  'CHW',
  'CLF',
  'COU',
  'MXV',
  'USN',
  'UYI',
  'UYW',
  'XDR',
  'XSU',
  'XUA',
  'XTS',
  'XXX',
]);

// Their unit has five parts, and `dinero.js` counts by these; ISO 4217, and with it every bank, by hundredths.
const FIFTHS = ['MGA', 'MRU'] as const;

const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...Object.values(currencies)
    .filter((currency) => !NOT_PAYABLE.has(currency.code))
    .map((currency) => [currency.code, currency.exponent as number] as const),
  ...FIFTHS.map((code) => [code, 2] as const),
]);

export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code);
}

/** How many decimals the currency has: 0 for JPY, 2 for USD, 3 for KWD. */
export function exponentOf(currency: string): number {
  const exponent = EXPONENTS.get(currency);
  if (exponent === undefined) throw new Error(`Not a payable currency: ${currency}`);
  return exponent;
}

export function money(minor: bigint, currency: string): Money {
  exponentOf(currency);
  return { minor, currency };
}

/** The minor units that `text` means in the given notation, or undefined when it is not an amount the interface takes. */
export function readAmount(text: string, currency: string, notation: Notation): bigint | undefined {
  const minor = readFigure(text, currency, notation);
  return minor !== undefined && minor <= MAX_MINOR ? minor : undefined;
}

/** The same for amounts that are too large as well: they may be signed, and are refused for what they are. */
export function readFigure(text: string, currency: string, notation: Notation): bigint | undefined {
  const exponent = exponentOf(currency);
  const match = /^(0|[1-9]\d{0,15})(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction] = match;
  if (fraction !== undefined && (notation === 'minor' || fraction.length > exponent)) return undefined;
  const minor = notation === 'minor' ? BigInt(whole) : BigInt(whole + (fraction ?? '').padEnd(exponent, '0'));
  return minor >= 1n ? minor : undefined;
}

/** What is wrong with an amount that has more of them. */
export function decimalsHint(currency: string): string {
  const exponent = exponentOf(currency);
  return exponent === 0 ? `${currency} has no decimals` : `${currency} has at most ${exponent} decimals`;
}

export function writeAmount(amount: Money, notation: Notation): string {
  const exponent = exponentOf(amount.currency);
  if (notation === 'minor' || exponent === 0) return amount.minor.toString();
  const digits = amount.minor.toString().padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
