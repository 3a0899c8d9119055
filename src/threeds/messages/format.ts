// The form of a field's value, as data: the checks read the tables of fields, and so do people and the tests that make
// messages from them. A hint finishes the sentence "x must be …". Lengths are characters; empty values do not exist in
// these messages.

import { UUID } from '../../domain/ids/uuid.ts';

export const VERSIONS = ['2.1.0', '2.2.0'] as const;

/** A message version of EMV 3DS that this server speaks. */
export type Version = (typeof VERSIONS)[number];

export function isVersion(value: unknown): value is Version {
  return (VERSIONS as readonly unknown[]).includes(value);
}

type Shape =
  | {
      readonly kind: 'text';
      readonly shortest: number;
      readonly longest: number;
      /** The limit in 2.1.0, where it is lower. */
      readonly longestIn21?: number;
      readonly pattern: RegExp;
      /** What a pattern cannot say, such as that a date exists. */
      readonly also?: (text: string) => boolean;
    }
  | { readonly kind: 'code'; readonly codes: Readonly<Record<Version, readonly string[]>> }
  | { readonly kind: 'boolean'; readonly only?: true }
  | { readonly kind: 'object'; readonly members: FieldTable }
  | { readonly kind: 'free-object'; readonly longest: number }
  | { readonly kind: 'list'; readonly of: Format<unknown>; readonly most: number };

export type Format<T> = Shape & {
  readonly hint: string;
  /** No value is ever set: the property only carries a type. */
  readonly value?: T;
};

/** What a condition may look at: the message as far as it was read, and the kind of transaction. */
export type ConditionInput = {
  readonly message: Readonly<Record<string, unknown>>;
  readonly version: Version;
  /** 01 payment, 02 not a payment: conditions of an ARes depend on its AReq. */
  readonly category: Category;
};

export type Category = '01' | '02';

/** Whether a field must be there: always, never, or when the condition holds. */
export type Need =
  | 'always'
  | 'optional'
  | { readonly when: string; readonly holds: (given: ConditionInput) => boolean };

export type FieldUse<T, Always extends boolean> = {
  readonly format: Format<T>;
  readonly versions: readonly Version[];
  readonly need: Need;
  /** No value is ever set: the property only carries whether the field is always there. */
  readonly always?: Always;
};

export type FieldTable = Readonly<Record<string, FieldUse<unknown, boolean>>>;

type AlwaysThere<Table> = { [K in keyof Table]: Table[K] extends FieldUse<unknown, true> ? K : never }[keyof Table];
type ValueIn<Use> = Use extends FieldUse<infer T, boolean> ? T : never;

/** The typed values of a table of fields. */
export type ValuesOf<Table> = { readonly [K in AlwaysThere<Table>]: ValueIn<Table[K]> } & {
  readonly [K in Exclude<keyof Table, AlwaysThere<Table>>]?: ValueIn<Table[K]> | undefined;
};

// How a message uses a field

export function always<T>(format: Format<T>): FieldUse<T, true> {
  return { format, versions: VERSIONS, need: 'always' };
}

export function sometimes<T>(format: Format<T>): FieldUse<T, false> {
  return { format, versions: VERSIONS, need: 'optional' };
}

export function neededWhen<T>(
  when: string,
  holds: (given: ConditionInput) => boolean,
  format: Format<T>,
): FieldUse<T, false> {
  return { format, versions: VERSIONS, need: { when, holds } };
}

/** The same use, in version 2.2.0 alone: an earlier message with the field is read as if it had none. */
export function since22<T>(use: FieldUse<T, boolean>): FieldUse<T, false> {
  return { format: use.format, versions: ['2.2.0'], need: use.need };
}

// Kinds of values

const NO_CONTROL_CHARACTERS = /^[^\p{Cc}]*$/u;

export function plainText(longest: number, shortest = 1): Format<string> {
  const hint = `${shortest} to ${longest} characters`;
  return { kind: 'text', shortest, longest, pattern: NO_CONTROL_CHARACTERS, hint };
}

/** A text that may be longer in 2.2.0 than in 2.1.0. */
export function growingText(longestIn21: number, longest: number): Format<string> {
  const hint = `1 to ${longest} characters, in 2.1.0 to ${longestIn21}`;
  return { kind: 'text', shortest: 1, longest, longestIn21, pattern: NO_CONTROL_CHARACTERS, hint };
}

export function matching(
  pattern: RegExp,
  shortest: number,
  longest: number,
  hint: string,
  also: (text: string) => boolean = () => true,
): Format<string> {
  return { kind: 'text', shortest, longest, pattern, hint, also };
}

export function digits(shortest: number, longest = shortest): Format<string> {
  const length = shortest === longest ? String(shortest) : `${shortest} to ${longest}`;
  return matching(/^[0-9]+$/, shortest, longest, `${length} digits`);
}

export function webAddress(longest: number): Format<string> {
  return {
    kind: 'text',
    shortest: 1,
    longest,
    pattern: /^https?:\/\/[^\s\\]+$/,
    also: (value) => URL.canParse(value),
    hint: `an absolute web address of at most ${longest} characters`,
  };
}

export const transactionId: Format<string> = matching(UUID, 36, 36, 'a UUID');

export const trueOrFalse: Format<boolean> = { kind: 'boolean', hint: 'true or false, not as a text' };

/** The same codes in both versions. */
export function code<const T extends string>(...codes: T[]): Format<T> {
  return { kind: 'code', codes: { '2.1.0': codes, '2.2.0': codes }, hint: `one of ${codes.join(', ')}` };
}

/** A field that has more codes in version 2.2.0. */
export function growing<const T extends string, const U extends string>(
  codes: readonly T[],
  more: readonly U[],
): Format<T | U> {
  const all: readonly (T | U)[] = [...codes, ...more];
  const hint = `one of ${codes.join(', ')}; since 2.2.0 also ${more.join(', ')}`;
  return { kind: 'code', codes: { '2.1.0': codes, '2.2.0': all }, hint };
}

/** The numbers from `from` to `to` as codes of two digits. */
export function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index).padStart(2, '0'));
}

export function object<const Table extends FieldTable>(members: Table): Format<ValuesOf<Table>> {
  return { kind: 'object', members, hint: `an object of ${Object.keys(members).join(', ')}` };
}

/** An object with members that other parties have agreed on; they are not checked here. */
export function freeObject(longest: number): Format<Readonly<Record<string, unknown>>> {
  return { kind: 'free-object', longest, hint: `an object of at most ${longest} characters` };
}

export function list<T>(of: Format<T>, most: number): Format<readonly T[]> {
  return { kind: 'list', of, most, hint: `a list of 1 to ${most}` };
}

/** Written YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS; it must exist in the calendar. */
export function utcMoment(shape: 'YYYYMMDD' | 'YYYYMMDDHHMM' | 'YYYYMMDDHHMMSS'): Format<string> {
  const { length } = shape;
  const pattern = new RegExp(`^[0-9]{${length}}$`);
  return {
    kind: 'text',
    shortest: length,
    longest: length,
    pattern,
    also: isMoment,
    hint: `a moment written ${shape}`,
  };
}

function isMoment(digits: string): boolean {
  const [year, month, day, hour, minute, second] = [0, 4, 6, 8, 10, 12].map((from) =>
    digits.slice(from, from === 0 ? 4 : from + 2).padEnd(2, '0'),
  );
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const date = new Date(written);
  return !Number.isNaN(date.getTime()) && date.toISOString() === written;
}
