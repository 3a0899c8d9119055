// The rules of a card: what a number looks like, whose it is, when it ends and what of it may be shown.
// Ranges come from the library credit-card-type; where two brands claim a number, the longest prefix wins.

import creditCardType from 'credit-card-type';
import { passesLuhn } from './luhn.ts';

export { passesLuhn };

export const SHORTEST_CARD_NUMBER = 13;
export const LONGEST_CARD_NUMBER = 19;

/** The number without the spaces and dashes people write into it. */
export function normaliseCardNumber(text: string): string {
  return text.replace(/[\s-]/g, '');
}

export function isCardNumber(digits: string): boolean {
  return (
    digits.length >= SHORTEST_CARD_NUMBER &&
    digits.length <= LONGEST_CARD_NUMBER &&
    /^\d+$/.test(digits) &&
    passesLuhn(digits)
  );
}

// Our public names, in the order that settles prefixes of equal length.
const BRANDS = {
  visa: 'VISA',
  mastercard: 'MASTERCARD',
  'american-express': 'AMEX',
  'diners-club': 'DINERS',
  discover: 'DISCOVER',
  jcb: 'JCB',
  unionpay: 'UNIONPAY',
  elo: 'ELO',
  mir: 'MIR',
  hiper: 'HIPER',
  hipercard: 'HIPERCARD',
  troy: 'TROY',
  naranja: 'NARANJA',
  verve: 'VERVE',
  maestro: 'MAESTRO',
} as const;

export type KnownBrand = (typeof BRANDS)[keyof typeof BRANDS];
export type CardBrand = KnownBrand | 'UNKNOWN';

export const CARD_BRANDS: readonly KnownBrand[] = Object.values(BRANDS);

// Ranges of the first eight digits, the longest prefix first.
const PREFIX_DIGITS = 8;

const RANGES = Object.entries(BRANDS)
  .flatMap(([type, brand]) =>
    creditCardType.getTypeInfo(type).patterns.map((pattern) => {
      const [from, to] = typeof pattern === 'number' ? [pattern, pattern] : (pattern as [number, number]);
      const width = 10 ** (PREFIX_DIGITS - String(from).length);
      return { first: from * width, last: (to + 1) * width - 1, width, brand };
    }),
  )
  .sort((a, b) => a.width - b.width);

export function brandOf(digits: string): CardBrand {
  const prefix = Number(digits.slice(0, PREFIX_DIGITS));
  return RANGES.find(({ first, last }) => first <= prefix && prefix <= last)?.brand ?? 'UNKNOWN';
}

/** The same ranges for a page's script, the longest prefix first: `34-34:AMEX 4-4:VISA …`. */
export function brandRanges(): string {
  return RANGES.map(({ first, last, width, brand }) => `${first / width}-${(last + 1) / width - 1}:${brand}`).join(' ');
}

/** The first six digits, which name the issuer. */
export function binOf(digits: string): string {
  return digits.slice(0, 6);
}

/** Shorter numbers would be known by too many of their digits. */
const SHORTEST_WITH_ISSUER_DIGITS = 16;

/** The digits that name the issuer, as far as they may be kept beside the last four. */
export function issuerDigitsOf(digits: string): string | undefined {
  return digits.length < SHORTEST_WITH_ISSUER_DIGITS ? undefined : digits.slice(0, PREFIX_DIGITS);
}

export function lastFourOf(digits: string): string {
  return digits.slice(-4);
}

export type Expiry = { readonly month: number; readonly year: number };

/** Cards print two digits of the year; all of them lie in this century. */
export function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

// The last place on earth where a month ends is twelve hours behind UTC. The issuer knows better than we do,
// so a card is refused here only when its month is over everywhere.
const MONTH_ENDS_LAST_MS = 12 * 60 * 60 * 1000;

/** A card is good through the last day of its month. */
export function isExpired({ month, year }: Expiry, now: number): boolean {
  return now >= Date.UTC(fullYear(year), month, 1) + MONTH_ENDS_LAST_MS;
}

/** What journals show of a card number: `444455******1111`. */
export function maskCardNumber(digits: string): string {
  const hidden = Math.max(0, digits.length - 10);
  return hidden === 0 ? '*'.repeat(digits.length) : binOf(digits) + '*'.repeat(hidden) + lastFourOf(digits);
}

/** What may be shown of a bank account's number: its last four characters, and never more than half of it. */
export function maskAccountNumber(number: string): string {
  const shown = Math.min(4, Math.floor(number.length / 2));
  return '*'.repeat(number.length - shown) + number.slice(number.length - shown);
}
