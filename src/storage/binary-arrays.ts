// PostgreSQL arrays in its binary format: whole columns of a batch travel as one parameter each.
// Binary, because quoting and escaping texts here and parsing them there was a large part of what a batch costs.

type Nullable<T> = T | undefined;

/** A column's element type, by PostgreSQL's type id. */
const BOOLEAN = 16;
const BYTEA = 17;
const BIGINT = 20;
const INTEGER = 23;
const TEXT = 25;
const REAL = 700;
const TIMESTAMPTZ = 1184;
const UUID = 2950;
const JSONB = 3802;

const JSONB_VERSION = 1;
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const HEADER_BYTES = 20;
const MOST_BYTES_PER_CHARACTER = 3;
const LARGEST_KEPT_SCRATCH = 1024 * 1024;
const TWO_TO_THE_32 = 2 ** 32;

// Columns are made one after the other, so all are written in the same place and copied out.
let scratch = Buffer.allocUnsafe(64 * 1024);
let end = 0;

export const booleans = (values: readonly Nullable<boolean>[]) => column(BOOLEAN, values, writeBoolean);
export const integers = (values: readonly Nullable<number>[]) => column(INTEGER, values, writeInteger);
export const bigints = (values: readonly Nullable<number | bigint>[]) => column(BIGINT, values, writeBigint);
export const reals = (values: readonly Nullable<number>[]) => column(REAL, values, writeReal);
export const texts = (values: readonly Nullable<string>[]) => column(TEXT, values, writeText);
/** Each value is JSON text. */
export const jsons = (values: readonly Nullable<string>[]) => column(JSONB, values, writeJson);
export const uuids = (values: readonly Nullable<string>[]) => column(UUID, values, writeUuid);
export const bytes = (values: readonly Nullable<Buffer>[]) => column(BYTEA, values, writeBytes);
export const moments = (values: readonly Nullable<number>[]) => column(TIMESTAMPTZ, values, writeMoment);

function column<T>(elementType: number, values: readonly Nullable<T>[], write: (value: T) => void): Buffer {
  const nulls = values.includes(undefined) ? 1 : 0;
  end = 0;
  reserve(HEADER_BYTES);
  // One dimension; whether there are nulls; what of; how many; counted from one.
  for (const word of [1, nulls, elementType, values.length, 1]) end = scratch.writeInt32BE(word, end);
  for (const value of values) {
    reserve(4);
    const start = end;
    end += 4;
    if (value !== undefined) write(value);
    scratch.writeInt32BE(value === undefined ? -1 : end - start - 4, start);
  }
  const array = Buffer.from(scratch.subarray(0, end));
  if (scratch.length > LARGEST_KEPT_SCRATCH) scratch = Buffer.allocUnsafe(LARGEST_KEPT_SCRATCH);
  return array;
}

function reserve(size: number): void {
  if (end + size <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(2 * scratch.length, end + size));
  scratch.copy(larger, 0, 0, end);
  scratch = larger;
}

function writeBoolean(value: boolean): void {
  reserve(1);
  end = scratch.writeInt8(value ? 1 : 0, end);
}

function writeInteger(value: number): void {
  reserve(4);
  end = scratch.writeInt32BE(value, end);
}

function writeBigint(value: number | bigint): void {
  reserve(8);
  if (typeof value === 'bigint') end = scratch.writeBigInt64BE(value, end);
  else writeSafeInteger(value);
}

/** Numbers below 2^53 in two halves: much cheaper than by way of a bigint. */
function writeSafeInteger(value: number): void {
  scratch.writeInt32BE(Math.floor(value / TWO_TO_THE_32), end);
  scratch.writeUInt32BE(value >>> 0, end + 4);
  end += 8;
}

function writeReal(value: number): void {
  reserve(4);
  end = scratch.writeFloatBE(value, end);
}

function writeText(value: string): void {
  reserve(value.length * MOST_BYTES_PER_CHARACTER);
  end += scratch.write(value, end);
}

function writeJson(value: string): void {
  reserve(1);
  end = scratch.writeInt8(JSONB_VERSION, end);
  writeText(value);
}

function writeUuid(value: string): void {
  reserve(16);
  end += scratch.write(value.replaceAll('-', ''), end, 'hex');
}

function writeBytes(value: Buffer): void {
  reserve(value.length);
  end += value.copy(scratch, end);
}

function writeMoment(value: number): void {
  reserve(8);
  writeSafeInteger((value - POSTGRES_EPOCH_MS) * 1000);
}
