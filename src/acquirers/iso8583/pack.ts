// Writes a message as bytes: header, type, bitmap, fields in their order, and last the code that authenticates it.

import { type Dialect, FIELD, type IsoMessage, MessageFault } from './dialect.ts';
import { fieldBytes, packedDigits } from './field-bytes.ts';

export const MAC_BYTES = 8;
const FIELDS_IN_A_BITMAP = 64;

/** `mac` computes the code over everything from the type up to the code itself; without it none is sent. */
export function packMessage(dialect: Dialect, { mti, fields }: IsoMessage, mac?: (bytes: Buffer) => Buffer): Buffer {
  if (!/^\d{4}$/.test(mti)) throw new MessageFault('a message type has four digits');
  const given = numbersOf(fields);
  const hasSecond = given.some((field) => field > FIELDS_IN_A_BITMAP);
  const macField = hasSecond ? FIELD.secondMac : FIELD.mac;
  if (given.includes(FIELD.mac) || given.includes(FIELD.secondMac)) throw new MessageFault('a code was given already');
  const numbers = mac === undefined ? given : [...given, macField];
  const body = Buffer.concat([
    dialect.mti === 'text' ? Buffer.from(mti) : packedDigits(mti, 'first'),
    bitmapBytes(numbers, hasSecond, dialect.bitmap),
    ...given.map((field) => fieldBytes(field, formatOf(dialect, field), fields[field] ?? '', dialect)),
  ]);
  const header = Buffer.from(dialect.header, 'hex');
  if (mac === undefined) return Buffer.concat([header, body]);
  const code = mac(body).subarray(0, MAC_BYTES).toString('hex').toUpperCase();
  return Buffer.concat([header, body, fieldBytes(macField, formatOf(dialect, macField), code, dialect)]);
}

export function formatOf({ fields, name }: Dialect, field: number) {
  const format = fields[field];
  if (format === undefined) throw new MessageFault(`${name} has no field ${field}`);
  return format;
}

function numbersOf(fields: IsoMessage['fields']): number[] {
  return Object.keys(fields)
    .map(Number)
    .sort((a, b) => a - b);
}

function bitmapBytes(numbers: readonly number[], hasSecond: boolean, coding: Dialect['bitmap']): Buffer {
  const bits = Buffer.alloc(hasSecond ? 16 : 8);
  for (const field of hasSecond ? [1, ...numbers] : numbers) {
    bits[(field - 1) >> 3]! |= 0x80 >> ((field - 1) & 7);
  }
  return coding === 'binary' ? bits : Buffer.from(bits.toString('hex').toUpperCase());
}
