// The kinds of values an administrator gives: each says how it is read from JSON, how a schema describes it, and how
// the command line writes it.

import { shown } from './text.ts';

export type ValueSchema = Readonly<Record<string, unknown>>;

/** How a value is written where only text can be given. */
export type Spelling =
  | 'text'
  | 'word'
  | 'flag'
  | 'state'
  | 'amount'
  | 'id'
  | 'ids'
  | 'number'
  | 'moment'
  | 'date'
  | 'list'
  | 'pairs';

/** Why a value is not of its kind. The input's name is put before the sentence unless it stands alone. */
export class Misread {
  readonly says: string;
  readonly standsAlone: boolean;

  constructor(says: string, { standsAlone = false }: { readonly standsAlone?: boolean } = {}) {
    this.says = says;
    this.standsAlone = standsAlone;
  }
}

/** `Context` is what reading depends on besides the value. */
export type InputKind<T, Context = unknown> = {
  readonly schema: ValueSchema;
  /** Finishes the sentence "login is missing: … is needed". */
  readonly what: string;
  readonly spelling: Spelling;
  /** A word that may be given in the place of a value. */
  readonly orWord?: string;
  readonly read: (value: unknown, context: Context) => T | Misread;
};

const MAX_LISTED = 100;

/** Text without control characters. */
export function line(maxLength: number): InputKind<string> {
  const what = `1 to ${maxLength} characters on one line`;
  return {
    schema: { type: 'string', minLength: 1, maxLength },
    what,
    spelling: 'text',
    read: (value) => {
      const text = typeof value === 'string' ? value.trim() : '';
      const isLine = text !== '' && text.length <= maxLength && !/\p{Cc}/u.test(text);
      return isLine ? text : new Misread(`${what} are needed`);
    },
  };
}

/** A text that `reads` turns into a value; `reads` returns undefined when it cannot. */
export function readBy<T>(
  what: string,
  reads: (text: string) => T | undefined,
  schema: ValueSchema = {},
): InputKind<T> {
  return {
    schema: { type: 'string', ...schema },
    what,
    spelling: 'text',
    read: (value) => {
      const read = typeof value === 'string' ? reads(value) : undefined;
      return read === undefined ? new Misread(`${what} is needed, not ${shown(value)}`) : read;
    },
  };
}

/** A text that has this form. */
export function formed(form: RegExp, what: string): InputKind<string> {
  return readBy(what, (text) => (form.test(text) ? text : undefined), { pattern: form.source });
}

/** The name of something that the verb looks up. */
export const nameOf = (what: string): InputKind<string> => readBy(what, (text) => text);

export function word<const Word extends string>(words: readonly Word[], what = words.join(', ')): InputKind<Word> {
  return {
    schema: { type: 'string', enum: words },
    what,
    spelling: 'word',
    read: (value) =>
      words.find((one) => one === value) ?? new Misread(`one of ${words.join(', ')} is needed, not ${shown(value)}`),
  };
}

export const flag: InputKind<boolean> = {
  schema: { type: 'boolean' },
  what: 'true or false',
  spelling: 'flag',
  read: (value) => (typeof value === 'boolean' ? value : new Misread('true or false is needed')),
};

export function wholeNumber(
  least: number,
  most: number,
  what = `a whole number from ${least} to ${most}`,
): InputKind<number> {
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    what,
    spelling: 'number',
    read: (value) =>
      Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
        ? (value as number)
        : new Misread(`${what} is needed, not ${shown(value)}`),
  };
}

/** The number the service gave to something. */
export const id: InputKind<number> = {
  ...wholeNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number above 0'),
  spelling: 'id',
};

/** Read as milliseconds since 1970. */
export const instant: InputKind<number> = {
  schema: { type: 'string', format: 'date-time' },
  what: 'a moment such as 2027-01-31T00:00:00Z',
  spelling: 'moment',
  read: (value) => {
    const read = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(read) ? new Misread('a moment such as 2027-01-31T00:00:00Z is needed') : read;
  },
};

/** A list without repetitions. */
export function listed<T, Context>(entry: InputKind<T, Context>): InputKind<readonly T[], Context> {
  const what = `a list of at most ${MAX_LISTED}`;
  return {
    schema: { type: 'array', items: entry.schema, maxItems: MAX_LISTED },
    what,
    spelling: entry.spelling === 'id' ? 'ids' : 'list',
    read: (value, context) => {
      if (!Array.isArray(value) || value.length > MAX_LISTED) return new Misread(`${what} is needed`);
      const read = value.map((one) => entry.read(one, context));
      const wrong = read.find((one) => one instanceof Misread);
      return wrong ?? [...new Set(read as T[])];
    },
  };
}

/** Values by their names, which somebody else reads. */
export const namedValues: InputKind<Readonly<Record<string, unknown>>> = {
  schema: { type: 'object' },
  what: 'an object of names and values',
  spelling: 'pairs',
  read: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : new Misread('an object of names and values is needed'),
};

/** An object that somebody else reads. */
export const anyObject: InputKind<object> = {
  schema: { type: 'object' },
  what: 'an object',
  spelling: 'text',
  read: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : new Misread('an object is needed'),
};
