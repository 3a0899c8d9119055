// The rules of a card: what a number looks like, whose it is, when it ends and what of it may be shown.
// Ranges come from the library credit-card-type; where two brands claim a number, the longest prefix wins.

import creditCardType from 'credit-card-type';
import { plainDigits } from '../as-typed.ts';
import { doubled, passesLuhn } from './luhn.ts';

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

export type CardBrand = (typeof BRANDS)[keyof typeof BRANDS] | 'UNKNOWN';

export const CARD_BRANDS: readonly CardBrand[] = [...Object.values(BRANDS), 'UNKNOWN'];

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

// What may stand between two digits, also form-encoded once or twice. At most three are allowed, so that columns of a
// table do not run together; a colon is not, or every tenth time of day would be taken for a card number.
const SEPARATOR =
  '(?:[\\s._/+-]|[\\u200b-\\u200f\\u2010-\\u2015\\u2060\\ufeff]|%(?:25)?(?:09|0a|0d|20|2d|2e|2f|5f|c2%(?:25)?a0)){1,3}';
const SEPARATED_DIGITS = new RegExp(`\\d(?:(?:${SEPARATOR})?\\d){12,}`, 'i');
const GROUPS = new RegExp(`(${SEPARATOR})`, 'i');
// A UUID can look like digits and dashes, and serial numbers are worth keeping whole.
const UUID = /(?<![0-9a-f])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/;
const UUID_OR_DIGITS = new RegExp(`(?<uuid>${UUID.source})|${SEPARATED_DIGITS.source}`, 'gi');

/**
 * The last filter of logs and journals: masks whatever could be a card number, written plainly or in groups.
 * Masking too much is a nuisance, masking too little a breach.
 */
export function maskCardNumbers(text: string): string {
  const plain = plainDigits(text);
  if (!SEPARATED_DIGITS.test(plain)) return text;
  const masked = plain.replace(UUID_OR_DIGITS, (match, uuid: string | undefined) => uuid ?? maskGroups(match));
  return masked === plain ? text : masked;
}

/** A stretch of neighbouring digit groups that holds one card number, or several readings of one. */
type Stretch = { readonly first: number; last: number; ambiguous: boolean };

function maskGroups(run: string): string {
  const groups = run.split(GROUPS);
  const stretches = findCardNumbers(groups);
  let masked = '';
  let next = 0;
  for (const { first, last, ambiguous } of stretches) {
    const digits = groups
      .slice(first, last + 1)
      .filter((_, place) => place % 2 === 0)
      .join('');
    masked += groups.slice(next, first).map(maskGlued).join('');
    masked += ambiguous ? binOf(digits) + '*'.repeat(digits.length - 6) : maskCardNumber(digits);
    next = last + 1;
  }
  return masked + groups.slice(next).map(maskGlued).join('');
}

// A security code or an account's zeros may be glued to a card number. Our own ids are shorter than `shortest`.
const GLUED = { shortest: 17, longest: 64, lengths: [16, 15] } as const;

/** A card number of a known brand within more digits: nothing after its first six is shown. */
function maskGlued(digits: string): string {
  if (digits.length < GLUED.shortest || digits.length > GLUED.longest) return digits;
  for (let at = 0; at + 15 <= digits.length; at++) {
    const isCard = GLUED.lengths.some((length) => {
      const window = digits.slice(at, at + length);
      return window.length === length && passesLuhn(window) && brandOf(window) !== 'UNKNOWN';
    });
    if (isCard) return digits.slice(0, at + 6) + '*'.repeat(digits.length - at - 6);
  }
  return digits;
}

/**
 * `groups` has digits at even places and separators at odd ones; so do the places of the stretches found.
 * The check sum grows digit by digit, so that a long row of single digits costs little.
 */
function findCardNumbers(groups: readonly string[]): Stretch[] {
  const found: Stretch[] = [];
  for (let first = 0; first < groups.length; first += 2) {
    let length = 0;
    let sum = 0; // with the last digit as it is
    let otherSum = 0; // with the last digit doubled
    for (let last = first; last < groups.length; last += 2) {
      const group = groups[last] ?? '';
      length += group.length;
      if (length > LONGEST_CARD_NUMBER) break;
      for (let place = 0; place < group.length; place++) {
        const digit = group.charCodeAt(place) - 48;
        const before = sum;
        sum = otherSum + digit;
        otherSum = before + doubled(digit);
      }
      if (length >= SHORTEST_CARD_NUMBER && sum % 10 === 0) addStretch(found, first, last);
    }
  }
  return found;
}

function addStretch(found: Stretch[], first: number, last: number): void {
  const previous = found.at(-1);
  if (previous === undefined || first > previous.last) {
    found.push({ first, last, ambiguous: false });
    return;
  }
  previous.last = Math.max(previous.last, last);
  previous.ambiguous = true;
}
