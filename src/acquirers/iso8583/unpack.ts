// Reads a message from bytes. What does not follow the dialect to the last byte is no message.

import { type Dialect, FIELD, type IsoMessage, MessageFault } from './dialect.ts';
import { ByteReader, fieldValue } from './field-bytes.ts';
import { formatOf } from './pack.ts';

/** A message as it came, and what its authentication code has to be checked against. */
export type UnpackedMessage = {
  readonly message: IsoMessage;
  readonly mac: { readonly over: Buffer; readonly code: Buffer } | undefined;
};

export function unpackMessage(dialect: Dialect, bytes: Buffer): UnpackedMessage {
  const reader = new ByteReader(bytes);
  reader.take(dialect.header.length / 2);
  const start = reader.at;
  const mti = dialect.mti === 'text' ? reader.text(4) : reader.packed(4, 'first');
  if (!/^\d{4}$/.test(mti)) throw new MessageFault('the message begins with no message type');
  const numbers = fieldNumbers(reader, dialect.bitmap);
  // The code is the last field of the last bitmap: a code in the middle would leave what follows it unprotected.
  const macField = numbers.has(1) ? FIELD.secondMac : FIELD.mac;
  const fields: Record<number, string> = {};
  let mac: UnpackedMessage['mac'];
  for (const field of numbers) {
    if (field === 1) continue;
    const over = bytes.subarray(start, reader.at);
    const value = fieldValue(field, formatOf(dialect, field), reader, dialect);
    if (field === macField) mac = { over, code: Buffer.from(value, 'hex') };
    else fields[field] = value;
  }
  if (!reader.isAtEnd) throw new MessageFault('the message goes on behind its last field');
  return { message: { mti, fields }, mac };
}

function fieldNumbers(reader: ByteReader, coding: Dialect['bitmap']): ReadonlySet<number> {
  const first = bitsOf(reader, coding, 0);
  return new Set(first[0] === 1 ? [...first, ...bitsOf(reader, coding, 64)] : first);
}

function bitsOf(reader: ByteReader, coding: Dialect['bitmap'], offset: number): number[] {
  const hex = coding === 'binary' ? reader.take(8).toString('hex') : reader.text(16);
  if (!/^[0-9a-fA-F]{16}$/.test(hex)) throw new MessageFault('the bitmap is not hexadecimal');
  const bits = BigInt(`0x${hex}`).toString(2).padStart(64, '0');
  return [...bits].flatMap((bit, at) => (bit === '1' ? [offset + at + 1] : []));
}
