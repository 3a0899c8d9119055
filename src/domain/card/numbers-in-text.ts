// Card numbers in texts of any kind, found by one rule and masked: written plainly, in groups, in the digits of other
// scripts, percent-encoded, or escaped as JSON. Masking too much is a nuisance, masking too little a breach.

import { digitsOf, plainDigits } from '../as-typed.ts';
import { binOf, brandOf, LONGEST_CARD_NUMBER, maskCardNumber, SHORTEST_CARD_NUMBER } from './card.ts';
import { doubled, passesLuhn } from './luhn.ts';

// What may stand between two digits: blanks, dashes, control characters and what replaces them, signs without a width,
// the parts of a keycap emoji, and those that JSON and forms write in their own way. At most four are allowed, so that
// columns of a table do not run together; a colon is not, or every tenth time of day would be taken for a card number.
const BETWEEN = '\\s\\p{Zs}\\p{Pd}\\p{Cf}\\p{Cc}\\ufffd._/+\\u2212\\u00b7\\u2022\\ufe0f\\u20e3';
const SEPARATOR = `(?:[${BETWEEN}]|\\\\(?:[bfnrt]|u00[01][0-9a-fA-F])){1,4}`;
const FIRST_DIGITS = new RegExp(`\\d(?:(?:${SEPARATOR})?\\d){${SHORTEST_CARD_NUMBER - 1}}`, 'gu');
const ALL_DIGITS = new RegExp(`\\d(?:(?:${SEPARATOR})?\\d)+`, 'uy');
const GROUPS = new RegExp(`(${SEPARATOR})`, 'u');

/** Whether digits that pass the check sum are taken for a card number. */
type IsCard = (digits: string) => boolean;

const anyIssuer: IsCard = () => true;
const knownIssuer: IsCard = (digits) => brandOf(digits) !== 'UNKNOWN';

/** The filter of logs and journals: masks whatever could be a card number, whoever issued it. */
export function maskCardNumbers(text: string): string {
  return maskedWhere(text, anyIssuer);
}

/** For texts that are kept: masks numbers in the range of a brand, and the given ones whoever issued them. */
export function maskKnownCards(text: string, own: readonly string[] = []): string {
  return maskedWhere(text, own.length === 0 ? knownIssuer : (digits) => knownIssuer(digits) || own.includes(digits));
}

/** Whether a text that is kept holds a number in the range of a brand, or one of the given. */
export function holdsCardNumber(text: string, own: readonly string[] = []): boolean {
  return maskKnownCards(text, own) !== text;
}

/** Whether the text holds this number, whatever stands between its digits. */
export function holdsThisNumber(text: string, number: string): boolean {
  return mayHoldNumber(text) && [text, withoutPercents(text)].some((one) => digitsOf(one).includes(number));
}

function maskedWhere(text: string, isCard: IsCard): string {
  // Once as it stands, for a percent sign may have come before plain digits, and once decoded.
  const masked = maskedAsWritten(text, isCard);
  if (!masked.includes('%') || !mayHoldNumber(masked)) return masked;
  const decoded = withoutPercents(masked);
  const maskedInside = maskedAsWritten(decoded, isCard);
  return maskedInside === decoded ? masked : maskedInside;
}

// What a sign of a text may be to a number, by its code.
const ENDS_RUN = 0;
const IN_RUN = 1;
const MAY_BE_DIGIT = 2;
// Of the rest of ASCII only letters of escapes and of percent-encoded signs are ever between two digits: the quotes of
// JSON part most numbers.
const BETWEEN_DIGITS = /[\0-\x20\x7f._/+\\a-fnrtuA-FNRTU-]/;
const SIGNS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[\d%]/.test(sign)) return MAY_BE_DIGIT;
  return BETWEEN_DIGITS.test(sign) ? IN_RUN : ENDS_RUN;
});

/** Every character beyond ASCII may be a digit, and a percent sign the beginning of one. */
function signAt(text: string, at: number): number {
  return SIGNS[text.charCodeAt(at)] ?? MAY_BE_DIGIT;
}

/** Takes the text apart where no number goes on, and looks closer at the parts that have enough digits. */
function maskedAsWritten(text: string, isCard: IsCard): string {
  const plain = plainDigits(text);
  let masked = '';
  let kept = 0;
  let from = 0;
  let digits = 0;
  for (let at = 0; at <= plain.length; at++) {
    const sign = at === plain.length ? ENDS_RUN : signAt(plain, at);
    if (sign === MAY_BE_DIGIT) digits += 1;
    if (sign !== ENDS_RUN) continue;
    if (digits >= SHORTEST_CARD_NUMBER) {
      masked += plain.slice(kept, from) + maskRuns(plain.slice(from, at), isCard);
      kept = at;
    }
    from = at + 1;
    digits = 0;
  }
  if (kept === 0) return text;
  masked += plain.slice(kept);
  return masked === plain ? text : masked;
}

/**
 * Within such a part, which a UUID never reaches beyond either. All digits of a run are asked for only where no UUID
 * comes before them: after each of many UUIDs that would be the whole rest of the text.
 */
function maskRuns(text: string, isCard: IsCard): string {
  let masked = '';
  let next = 0;
  let run = runFrom(text, next);
  while (run !== undefined) {
    const uuid = uuidBetween(text, next, run);
    const begin = uuid ?? run;
    const end = uuid === undefined ? endOfRun(text, run) : uuid + UUID_LENGTH;
    masked += text.slice(next, begin);
    masked += uuid === undefined ? maskGroups(text.slice(begin, end), isCard) : text.slice(begin, end);
    next = end;
    if (run < next) run = runFrom(text, next);
  }
  return masked + text.slice(next);
}

/** Where the next digits begin that are enough for a number. */
function runFrom(text: string, from: number): number | undefined {
  FIRST_DIGITS.lastIndex = from;
  return FIRST_DIGITS.exec(text)?.index;
}

function endOfRun(text: string, begin: number): number {
  ALL_DIGITS.lastIndex = begin;
  ALL_DIGITS.test(text);
  return ALL_DIGITS.lastIndex;
}

// A UUID can look like digits and dashes, and serial numbers are worth keeping whole.
const UUID = /(?<![0-9a-fA-F])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![0-9a-fA-F])/y;
const UUID_LENGTH = 36;
const BEFORE_DASH = 8;

/** Whether a text from this place on, of this length, is a part of a UUID. */
export function isInUuid(text: string, at: number, length: number): boolean {
  const begin = uuidBetween(text, Math.max(0, at - UUID_LENGTH + 1), at);
  return begin !== undefined && at + length <= begin + UUID_LENGTH;
}

/** Where the first UUID begins that does so at one of these places. Its dash is found sooner than its digits. */
function uuidBetween(text: string, first: number, last: number): number | undefined {
  let dash = text.indexOf('-', first + BEFORE_DASH);
  while (dash >= 0 && dash <= last + BEFORE_DASH) {
    UUID.lastIndex = dash - BEFORE_DASH;
    if (UUID.test(text)) return dash - BEFORE_DASH;
    dash = text.indexOf('-', dash + 1);
  }
  return undefined;
}

/** Most texts have too few digits, which costs less to find out than to look for a number. */
function mayHoldNumber(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    if (signAt(text, at) === MAY_BE_DIGIT) digits += 1;
    if (digits === SHORTEST_CARD_NUMBER) return true;
  }
  return false;
}

const PERCENTS = /(?:%(?:25){0,3}[0-9a-f]{2})+/gi;
const SHOWN_PLAINLY = new RegExp(`[\\p{Nd}${BETWEEN}]`, 'u');
const UNSEEN = /[\s\p{Cc}]/u;
const utf8 = new TextDecoder();

/** Decodes what may belong to a number, however often it was encoded; the rest stays, or JSON could break. */
function withoutPercents(text: string): string {
  return text.replace(PERCENTS, (run) => {
    const bytes = run.match(/[0-9a-f]{2}(?=%|$)/gi) ?? [];
    let shown = '';
    for (const sign of utf8.decode(Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16)))) {
      shown += SHOWN_PLAINLY.test(sign) ? sign.replace(UNSEEN, ' ') : encodeURIComponent(sign);
    }
    return shown;
  });
}

/** A stretch of neighbouring digit groups that holds one card number, or several readings of one. */
type Stretch = { readonly first: number; last: number; ambiguous: boolean };

function maskGroups(run: string, isCard: IsCard): string {
  const groups = run.split(GROUPS);
  const stretches = findCardNumbers(groups, isCard);
  let masked = '';
  let next = 0;
  for (const { first, last, ambiguous } of stretches) {
    const digits = digitsBetween(groups, first, last);
    masked += groups.slice(next, first).map(maskGlued).join('');
    masked += ambiguous ? binOf(digits) + '*'.repeat(digits.length - 6) : maskCardNumber(digits);
    next = last + 1;
  }
  return masked + groups.slice(next).map(maskGlued).join('');
}

function digitsBetween(groups: readonly string[], first: number, last: number): string {
  let digits = '';
  for (let at = first; at <= last; at += 2) digits += groups[at] ?? '';
  return digits;
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
function findCardNumbers(groups: readonly string[], isCard: IsCard): Stretch[] {
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
      const isNumber = length >= SHORTEST_CARD_NUMBER && sum % 10 === 0;
      if (isNumber && isCard(digitsBetween(groups, first, last))) addStretch(found, first, last);
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
