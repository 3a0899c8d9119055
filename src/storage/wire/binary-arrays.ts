// PostgreSQL arrays in its binary format: whole columns of a batch travel as one parameter each.
// Binary, because quoting and escaping texts here and parsing them there was a large part of what a batch costs.

type Nullable<T> = T | undefined;

const DASH = 0x2d;
const JSONB_VERSION = 1;
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const HEADER_BYTES = 20;
const MOST_BYTES_PER_CHARACTER = 3;
const SHORT_TEXT = 24;
const LAST_ASCII = 0x7f;
const LARGEST_KEPT_SCRATCH = 1024 * 1024;
const TWO_TO_THE_32 = 2 ** 32;

// Columns are made one after the other, so all are written in the same place and copied out.
let scratch = Buffer.allocUnsafe(64 * 1024);
let end = 0;

/** A column of the rows; null when it has no values at all: `unnest` fills the place of a shorter array with nulls. */
export type Encode<T> = <Row>(rows: readonly Row[], pick: (row: Row) => Nullable<T>) => Buffer | null;

/** By the type of the column; the numbers are PostgreSQL's ids of them. JSON is given as text. */
export const ENCODERS = {
  bigint: encoder(20, writeBigint),
  int: encoder(23, writeInteger),
  real: encoder(700, writeReal),
  text: encoder(25, writeText),
  uuid: encoder(2950, writeUuid),
  json: encoder(114, writeText),
  jsonb: encoder(3802, writeBinaryJson),
  boolean: encoder(16, writeBoolean),
  bytea: encoder(17, writeBytes),
  timestamptz: encoder(1184, writeMoment),
} as const;

function encoder<T>(elementType: number, write: (value: T) => void): Encode<T> {
  return (rows, pick) => {
    const nulls = writeElements(rows, pick, write);
    if (nulls === rows.length) return null;
    writeHeader(elementType, rows.length, nulls > 0);
    const array = Buffer.from(scratch.subarray(0, end));
    if (scratch.length > LARGEST_KEPT_SCRATCH) scratch = Buffer.allocUnsafe(LARGEST_KEPT_SCRATCH);
    return array;
  };
}

/** Answers how many of them are null. */
function writeElements<Row, T>(
  rows: readonly Row[],
  pick: (row: Row) => Nullable<T>,
  write: (value: T) => void,
): number {
  let nulls = 0;
  end = HEADER_BYTES;
  for (const row of rows) {
    const value = pick(row);
    reserve(4);
    const start = end;
    end += 4;
    if (value === undefined) nulls += 1;
    else write(value);
    scratch.writeInt32BE(value === undefined ? -1 : end - start - 4, start);
  }
  return nulls;
}

/** One dimension; whether there are nulls; what of; how many; counted from one. */
function writeHeader(elementType: number, length: number, hasNulls: boolean): void {
  scratch.writeInt32BE(1, 0);
  scratch.writeInt32BE(hasNulls ? 1 : 0, 4);
  scratch.writeInt32BE(elementType, 8);
  scratch.writeInt32BE(length, 12);
  scratch.writeInt32BE(1, 16);
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
  if (value.length > SHORT_TEXT || !writeAscii(value)) end += scratch.write(value, end);
}

/** Short texts are quicker written here than by Node. False, and nothing written, when one is not ASCII. */
function writeAscii(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code > LAST_ASCII) return false;
    scratch[end + i] = code;
  }
  end += value.length;
  return true;
}

function writeBinaryJson(value: string): void {
  reserve(1);
  end = scratch.writeInt8(JSONB_VERSION, end);
  writeText(value);
}

function writeUuid(value: string): void {
  reserve(16);
  for (let i = 0; i < value.length; i += 2) {
    if (value.charCodeAt(i) === DASH) i += 1;
    scratch[end++] = (nibble(value.charCodeAt(i)) << 4) | nibble(value.charCodeAt(i + 1));
  }
}

/** Of a hexadecimal digit in either case: letters lie nine behind their value's last four bits. */
function nibble(code: number): number {
  return (code & 15) + (code >> 6) * 9;
}

function writeBytes(value: Buffer): void {
  reserve(value.length);
  end += value.copy(scratch, end);
}

function writeMoment(value: number): void {
  reserve(8);
  writeSafeInteger((value - POSTGRES_EPOCH_MS) * 1000);
}
