// ISO 4217: which currencies money can be paid in, their numbers and how many decimals they have.
// `countries-list` has the table; what differs from it stands here, with the reason.

import { currencies as listed } from 'countries-list/currencies';

type Currency = { readonly number: string; readonly exponent: number };

/** Units of account, funds, metals and codes for testing: no card is ever charged in them. */
const NOT_PAYABLE = new Set(
  'BOV CHE CHW CLF COU MXV USN UYI UYW XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
);

/** The lev was withdrawn at the beginning of 2026 and left the table; older orders are still paid back in it. */
const STILL_PAYABLE: readonly (readonly [string, Currency])[] = [['BGN', { number: '975', exponent: 2 }]];

const CURRENCIES: ReadonlyMap<string, Currency> = new Map([
  ...Object.entries(listed)
    .filter(([code, { withdrawn }]) => !withdrawn && !NOT_PAYABLE.has(code))
    .map(([code, { numeric, decimals }]) => [code, { number: numeric, exponent: decimals }] as const),
  ...STILL_PAYABLE,
]);

/** The letters of all of them. */
export function payableCurrencies(): string[] {
  return [...CURRENCIES.keys()];
}

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** How many decimals the currency has: 0 for JPY, 2 for USD, 3 for KWD. */
export function exponentOf(currency: string): number {
  return payable(currency).exponent;
}

/** The three digits that card networks write instead of the letters: `978` for EUR. */
export function currencyNumber(code: string): string {
  return payable(code).number;
}

/** The letters of a payable currency that card networks name by this number. */
export function currencyLetters(number: string): string | undefined {
  return [...CURRENCIES.keys()].find((code) => payable(code).number === number);
}

function payable(code: string): Currency {
  const currency = CURRENCIES.get(code);
  if (currency === undefined) throw new Error(`Not a payable currency: ${code}`);
  return currency;
}
