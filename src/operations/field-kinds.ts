// The kinds of fields a form is made of: each constructor says how a text is checked, read and described.
// A hint finishes the sentence "Parameter x is malformed: …" and says what would be right.

import { isIP } from 'node:net';
import { fullYear, isCardNumber, normaliseCardNumber } from '../domain/card/card.ts';
import { looksLikeIban, normaliseIban, whyNotIban } from '../domain/card/iban.ts';
import { maskCardNumbers } from '../domain/card/numbers-in-text.ts';
import { isCountry } from '../domain/country.ts';
import { UUID } from '../domain/ids/uuid.ts';
import { isCurrency } from '../domain/money/currency.ts';
import { decimalsFault, MAX_MINOR, type Money, readAmount } from '../domain/money/money.ts';
import { Secret } from '../domain/secret.ts';
import { type Exposure, type Field, type JsonSchema, type ReadingContext, UNSETTLED, Unreadable } from './form.ts';

type Kind<T> = Omit<Field<T>, 'wire' | 'description' | 'required'>;

/** Gives a kind its name and meaning. */
export function field<T>(wire: string, kind: Kind<T>, description: string): Field<T> {
  return { wire, description, required: true, ...kind };
}

/** The same kind, not shown in journals. */
export function hidden<T>(kind: Kind<T>): Kind<T> {
  return { ...kind, exposure: 'hidden' };
}

function kind<T>(maxLength: number, schema: JsonSchema, read: Field<T>['read'], exposure: Exposure = 'plain'): Kind<T> {
  return { maxLength, schema, read, exposure };
}

// As JSON Schema writes them: no control characters, and in one line neither tabs nor line breaks.
const LINE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
const LINES_PATTERN = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';

/** One line of text. */
export function text(maxLength: number): Kind<string> {
  return kind(maxLength, { type: 'string', maxLength, pattern: LINE_PATTERN }, (value) =>
    /[\t\r\n]/.test(value) ? new Unreadable('it must be one line without tabs') : value,
  );
}

/** A person's name. Names are kept and shown, but people type card numbers into any field of a form. */
export function personName(maxLength: number): Kind<string> {
  const line = text(maxLength);
  const read: Kind<string>['read'] = (value, context) =>
    maskCardNumbers(value) === value
      ? line.read(value, context)
      : new Unreadable('it must be a name, not a card number');
  return { ...line, read };
}

/** Text that may have several lines. */
export function freeText(maxLength: number): Kind<string> {
  return kind(maxLength, { type: 'string', maxLength, pattern: LINES_PATTERN }, (value) => value);
}

function matching(pattern: RegExp, maxLength: number, hint: string, format?: string): Kind<string> {
  const schema = { type: 'string', maxLength, ...(format ? { format } : { pattern: pattern.source }) };
  return kind(maxLength, schema, (value) => (pattern.test(value) ? value : new Unreadable(hint)));
}

/** A reference given out by the service. */
export function reference(maxLength: number): Kind<string> {
  return matching(
    /^[A-Za-z0-9_-]+$/,
    maxLength,
    'it must be an id as given by the service: letters, digits, dashes and underscores',
  );
}

/** An order id given out by the service: at most 2^53-1 (D-30). */
export const orderNumber: Kind<number> = kind(
  16,
  { type: 'string', maxLength: 16, pattern: '^[1-9][0-9]{0,15}$' },
  (value) => {
    const id = /^[1-9]\d*$/.test(value) ? Number(value) : Number.NaN;
    return Number.isSafeInteger(id) ? id : new Unreadable('it must be an order id as given by the service: digits');
  },
);

export function integer(minimum: number, maximum: number): Kind<number> {
  const maxLength = Math.max(String(minimum).length, String(maximum).length);
  return kind(maxLength, { type: 'integer', minimum, maximum }, (value) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= minimum && number <= maximum
      ? number
      : new Unreadable(`it must be a whole number from ${minimum} to ${maximum}`);
  });
}

export const boolean: Kind<boolean> = kind(5, { type: 'boolean' }, (value) => {
  if (value === 'true') return true;
  return value === 'false' ? false : new Unreadable('it must be true or false');
});

export function oneOf<const T extends string>(...words: T[]): Kind<T> {
  const maxLength = Math.max(...words.map((word) => word.length));
  return kind(maxLength, { type: 'string', enum: words }, (value) => {
    const word = words.find((candidate) => candidate === value);
    return word ?? new Unreadable(`it must be one of ${words.join(', ')}`);
  });
}

export const uuid: Kind<string> = matching(
  UUID,
  36,
  'it must be a UUID such as 3d671629-a410-4a5d-9288-b38ceadd41f2',
  'uuid',
);

export const mail: Kind<string> = matching(
  /^[^\s@]+@[^\s@]+$/,
  128,
  'it must be an address such as ann@example.com',
  'email',
);

export const telephone: Kind<string> = matching(/^\+?[\d ().\\/-]+$/, 15, 'it must be digits, such as +12025550123');

export const country: Kind<string> = kind(2, { type: 'string', pattern: '^[A-Z]{2}$' }, (value) => {
  const code = value.toUpperCase();
  return isCountry(code) ? code : new Unreadable('it must be a two-letter ISO 3166-1 code such as US');
});

export const currencyCode: Kind<string> = kind(3, { type: 'string', pattern: '^[A-Z]{3}$' }, (value) =>
  isCurrency(value) ? value : new Unreadable('it must be a three-letter ISO 4217 code in capitals such as USD'),
);

/** An internet address, version 4 or 6. */
export const ip: Kind<string> = kind(
  45,
  // Each branch has a type of its own: generators of code take one without for anything.
  {
    maxLength: 45,
    anyOf: [
      { type: 'string', format: 'ipv4' },
      { type: 'string', format: 'ipv6' },
    ],
  },
  (value) =>
    isIP(value) && !value.includes('%')
      ? value
      : new Unreadable('it must be an IPv4 or IPv6 address such as 203.0.113.7'),
);

// The host has no other characters than these, so that it can stand in a Content-Security-Policy; a name and password
// are judged below.
const WEB_ADDRESS = /^https?:\/\/[\p{L}\p{N}.:[\]@_%-]+(?:[/?#][^\s\\]*)?$/iu;

/** An absolute URL. Whether the service may call it is decided when it is called. */
export function url(maxLength: number): Kind<string> {
  const example = new Unreadable('it must be an absolute address such as https://shop.example/paid');
  return kind(maxLength, { type: 'string', format: 'uri', maxLength }, (value) => {
    if (!WEB_ADDRESS.test(value) || !URL.canParse(value)) return example;
    if (!value.includes('@')) return value;
    const { username, password } = new URL(value);
    return username === '' && password === ''
      ? value
      : new Unreadable('it must be an address without user name and password');
  });
}

const DAY_HINT = new Unreadable('it must be a date written YYYYMMDD such as 19840229');

/** A calendar day, YYYYMMDD. */
export const day: Kind<string> = kind(8, { type: 'string', pattern: '^[0-9]{8}$' }, (value) => {
  if (!/^\d{8}$/.test(value)) return DAY_HINT;
  const [year, month, dayOfMonth] = [+value.slice(0, 4), +value.slice(4, 6), +value.slice(6)];
  return month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= daysIn(year, month) ? value : DAY_HINT;
});

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export const pastDay: Kind<string> = {
  ...day,
  read: (value, context) => {
    const read = day.read(value, context);
    if (typeof read !== 'string') return read;
    const begins = Date.UTC(+value.slice(0, 4), +value.slice(4, 6) - 1, +value.slice(6));
    return begins > context.now ? new Unreadable('it must be a day that is not in the future') : read;
  },
};

// A number written in groups is longer than its digits.
const CARD_NUMBER_TEXT = 37;

export const cardNumber: Kind<Secret<string>> = kind(
  CARD_NUMBER_TEXT,
  { type: 'string', maxLength: CARD_NUMBER_TEXT, pattern: '^[0-9]([ -]*[0-9]){12,18}$' },
  (value) => {
    const digits = normaliseCardNumber(value);
    return isCardNumber(digits)
      ? new Secret(digits)
      : new Unreadable('it must be 13 to 19 digits with a right check digit; one of them may be mistyped');
  },
  'card-number',
);

const LONGEST_ACCOUNT_NUMBER = 34;
// An IBAN written in groups of four has up to eight spaces.
const ACCOUNT_NUMBER_TEXT = LONGEST_ACCOUNT_NUMBER + 8;

/** A bank account's number. A text that looks like an IBAN must be one; other forms are known to their banks only. */
export const accountNumber: Kind<Secret<string>> = kind(
  ACCOUNT_NUMBER_TEXT,
  { type: 'string', maxLength: ACCOUNT_NUMBER_TEXT, pattern: '^[A-Za-z0-9][A-Za-z0-9 ./-]*$' },
  (value) => {
    const isIban = looksLikeIban(value);
    const number = isIban ? normaliseIban(value) : value;
    const wrong = isIban ? ibanFault(number) : whyNotAccountNumber(number);
    return wrong ?? new Secret(number);
  },
  'hidden',
);

function ibanFault(iban: string): Unreadable | undefined {
  const hint = whyNotIban(iban);
  return hint === undefined ? undefined : new Unreadable(hint);
}

function whyNotAccountNumber(number: string): Unreadable | undefined {
  if (number.length > LONGEST_ACCOUNT_NUMBER) {
    return new Unreadable(`at most ${LONGEST_ACCOUNT_NUMBER} characters`, 'parameter-too-long');
  }
  return /^[A-Za-z0-9][A-Za-z0-9 ./-]*$/.test(number)
    ? undefined
    : new Unreadable('it may hold letters, digits, blanks, dashes, points and slashes');
}

export const securityCode: Kind<Secret<string>> = kind(
  4,
  { type: 'string', pattern: '^[0-9]{3,4}$' },
  (value) => (/^\d{3,4}$/.test(value) ? new Secret(value) : new Unreadable('it must be 3 or 4 digits')),
  'hidden',
);

export const expiryMonth: Kind<number> = kind(2, { type: 'string', pattern: '^(0?[1-9]|1[0-2])$' }, (value) =>
  /^(?:0?[1-9]|1[0-2])$/.test(value) ? Number(value) : new Unreadable('it must be a month from 01 to 12'),
);

export const expiryYear: Kind<number> = kind(4, { type: 'string', pattern: '^(20)?[0-9]{2}$' }, (value) =>
  /^(?:20)?\d{2}$/.test(value)
    ? fullYear(Number(value))
    : new Unreadable('it must be a year written YY or YYYY, such as 2031'),
);

/** Base64 in either alphabet, with or without padding; line breaks inside are dropped. */
export function base64(maxLength: number): Kind<string> {
  return kind(maxLength, { type: 'string', maxLength }, (value) => {
    const joined = value.replace(/\s/g, '');
    return /^[A-Za-z0-9+/_-]+={0,2}$/.test(joined)
      ? joined
      : new Unreadable('it must be base64 as received from the issuer');
  });
}

// Ten digits, a point and as many decimals: shops write zeros beyond those of the currency.
const AMOUNT_TEXT = 21;
const AMOUNT_SCHEMA = { type: 'number', exclusiveMinimum: 0 };

/** An amount in the request's currency. */
export const signedAmount: Kind<Money> = kind(AMOUNT_TEXT, AMOUNT_SCHEMA, readMoney);

/** Amounts in the request's currency, separated by commas. */
export function amounts(maxLength: number): Kind<readonly Money[]> {
  return kind(maxLength, { type: 'string', maxLength }, (value, context) => {
    const read = value.split(',').map((part) => readMoney(part.trim(), context));
    const unreadable = read.find((each) => each instanceof Unreadable);
    if (unreadable) return unreadable;
    return read.includes(UNSETTLED) ? UNSETTLED : (read as Money[]);
  });
}

/** An amount without a currency in the request: a decimal number, read once the currency is known. */
export const amountText: Kind<string> = kind(
  AMOUNT_TEXT,
  AMOUNT_SCHEMA,
  (value) => whyNotPositiveDecimal(value) ?? value,
);

function readMoney(value: string, { currency, notation }: ReadingContext): Money | Unreadable | typeof UNSETTLED {
  const wrong = whyNotPositiveDecimal(value);
  if (wrong) return wrong;
  if (currency === undefined || notation === undefined) return UNSETTLED;
  const minor = readAmount(value, currency, notation);
  if (minor !== undefined) return { minor, currency };
  const tooFine = decimalsFault(value, currency);
  if (tooFine !== undefined) return new Unreadable(tooFine);
  return notation === 'minor'
    ? new Unreadable(`it must be whole minor units of ${currency} such as 1042`)
    : tooManyDigits;
}

const tooManyDigits = new Unreadable(
  `at most ${MAX_MINOR.toString().length} digits, decimals included`,
  'parameter-too-long',
);

function whyNotPositiveDecimal(value: string): Unreadable | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(value))
    return new Unreadable('it must be a positive number with an optional point such as 10.42');
  if (/^0\d/.test(value)) return new Unreadable('it must have no leading zeros');
  if (/^[0.]+$/.test(value)) return new Unreadable('it must be more than zero');
  return digitsThatCount(value) > MAX_MINOR.toString().length ? tooManyDigits : undefined;
}

/** How many digits the amount has without zeros at the end of its decimals. */
function digitsThatCount(value: string): number {
  const [whole = '', decimals = ''] = value.split('.');
  let end = decimals.length;
  while (end > 0 && decimals[end - 1] === '0') end -= 1;
  return whole.length + end;
}
