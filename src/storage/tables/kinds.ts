// The kinds of columns: how a value becomes a parameter, how it travels in the array of a batch, and how it is read
// from the text PostgreSQL answers with or from inside JSON.

import { parserOf } from '../wire/column-types.ts';
import type { ColumnType } from '../wire/columns.ts';
import { encodeArray } from '../wire/encode-value.ts';

export type Kind<R, W> = {
  /** Its type in a batch, where each column is one array. */
  readonly type: ColumnType;
  /** The type it has in its table, where a batch cannot have it. */
  readonly cast?: string;
  /** How it is selected into JSON, where JSON would cut it. */
  readonly castInJson?: string;
  /** Undefined where the text is the value. */
  readonly parse: ((text: string) => R) | undefined;
  readonly fromJson: ((value: never) => R) | undefined;
  /** Undefined where the value is a parameter as it is. */
  readonly write?: (value: W) => string | Buffer;
};

const bytesFrom = (text: string) => Buffer.from(text.slice(2), 'hex');
const digitsFrom = (text: string) => text.slice(2);
const arrayOfTexts = parserOf(1009);

const json: Kind<unknown, unknown> = { type: 'json', parse: JSON.parse, fromJson: undefined, write: JSON.stringify };

const kind = <R, W = R>(about: Kind<R, W>): Kind<R, W> => about;

export const kinds = {
  /** A bigint that is an id or a count, and so a number. */
  id: kind<number>({ type: 'bigint', parse: Number, fromJson: Number }),
  /** A bigint that is money. */
  bigint: kind<bigint>({ type: 'bigint', castInJson: 'text', parse: BigInt, fromJson: BigInt }),
  int: kind<number>({ type: 'int', parse: Number, fromJson: undefined }),
  real: kind<number>({ type: 'real', parse: Number, fromJson: undefined }),
  word: kind<string>({ type: 'text', parse: undefined, fromJson: undefined }),
  uuid: kind<string>({ type: 'uuid', parse: undefined, fromJson: undefined }),
  boolean: kind<boolean>({ type: 'boolean', parse: (text) => text === 't', fromJson: undefined }),
  bytea: kind<Buffer>({ type: 'bytea', parse: bytesFrom, fromJson: bytesFrom }),
  /** Bytes that are known by their hexadecimal digits. */
  hex: kind<string>({
    type: 'bytea',
    parse: digitsFrom,
    fromJson: digitsFrom,
    write: (digits) => Buffer.from(digits, 'hex'),
  }),
  /** A timestamptz, in milliseconds. */
  moment: kind<number>({
    type: 'timestamptz',
    parse: parseMoment,
    fromJson: (text: string) => Date.parse(text),
    write: (value) => new Date(value).toISOString(),
  }),
  json,
  jsonb: kind<unknown>({ ...json, type: 'jsonb' }),
  /** JSON that is written as a text somebody else made, and read like any other. */
  jsonText: kind<unknown, string>({ type: 'json', parse: JSON.parse, fromJson: undefined }),
  texts: kind<string[], readonly string[]>({
    type: 'text',
    cast: 'text[]',
    // The driver's parser of this type gives an array of texts, and says so to nobody.
    parse: (text) => arrayOfTexts(text) as string[],
    fromJson: undefined,
    write: encodeArray,
  }),
  bigints: kind<bigint[], readonly bigint[]>({
    type: 'text',
    cast: 'bigint[]',
    castInJson: 'text[]',
    parse: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(BigInt)),
    fromJson: (values: readonly string[]) => values.map(BigInt),
    write: (values) => `{${values.join(',')}}`,
  }),
};

const ZERO = 48;
const DASH = 45;
const WITHOUT_FRACTION = '2026-11-16 10:32:25+00'.length;
const parseOddMoment = parserOf(1184);

const twoDigits = (text: string, at: number) => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

/** Connections speak ISO in UTC, so nearly every moment has its digits in the same places. Microseconds are cut off. */
function parseMoment(text: string): number {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(0) === ZERO || !text.endsWith('+00'))
    return Number(parseOddMoment(text));
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const hour = twoDigits(text, 11);
  const second = Date.UTC(
    year,
    twoDigits(text, 5) - 1,
    twoDigits(text, 8),
    hour,
    twoDigits(text, 14),
    twoDigits(text, 17),
  );
  if (text.length === WITHOUT_FRACTION) return second;
  return second + Number(`${text.slice(20, -3)}00`.slice(0, 3));
}
