// One field's value as bytes and back: padded, with its length before it, in the coding its format names.

import { type Dialect, type FieldFormat, MessageFault } from './dialect.ts';

type Coding = Pick<Dialect, 'lengths' | 'filler'>;

const FORMS: Readonly<Record<FieldFormat['content'], RegExp>> = {
  n: /^\d*$/,
  ans: /^[\x20-\x7e]*$/,
  b: /^([0-9A-F]{2})*$/,
  'x+n': /^[CD]\d*$/,
};

/** The bytes of `value`. Short digits get zeros before them, short text gets spaces behind it. */
export function fieldBytes(field: number, format: FieldFormat, value: string, coding: Coding): Buffer {
  const { content, length, prefix } = format;
  if (!FORMS[content].test(value)) throw new MessageFault(`field ${field} holds what its format does not take`);
  const units = content === 'b' ? value.length / 2 : value.length;
  if (units > length) throw new MessageFault(`field ${field} has ${units} characters, at most ${length} fit`);
  if (prefix > 0) return Buffer.concat([lengthBytes(units, prefix, coding), valueBytes(format, value, coding)]);
  if (content === 'b' && units < length) throw new MessageFault(`field ${field} needs ${length} bytes`);
  const padded =
    content === 'ans'
      ? value.padEnd(length)
      : content === 'x+n'
        ? value.charAt(0) + value.slice(1).padStart(length - 1, '0')
        : value.padStart(length, '0');
  return valueBytes(format, padded, coding);
}

function valueBytes({ content, packed }: FieldFormat, value: string, { filler }: Coding): Buffer {
  if (!packed || content === 'ans') return Buffer.from(value, 'latin1');
  if (content === 'b') return Buffer.from(value, 'hex');
  if (content === 'x+n') return Buffer.concat([Buffer.from(value.charAt(0)), packedDigits(value.slice(1), filler)]);
  return packedDigits(value, filler);
}

/** Two digits in a byte. */
export function packedDigits(digits: string, filler: Dialect['filler']): Buffer {
  const even = digits.length % 2 === 0 ? digits : filler === 'first' ? `0${digits}` : `${digits}0`;
  return Buffer.from(even, 'hex');
}

function lengthBytes(units: number, prefix: number, { lengths }: Coding): Buffer {
  const digits = String(units).padStart(prefix, '0');
  return lengths === 'text' ? Buffer.from(digits) : packedDigits(digits, 'first');
}

/** Takes bytes from the beginning of a message on. */
export class ByteReader {
  readonly bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  take(count: number): Buffer {
    if (this.#at + count > this.bytes.length) throw new MessageFault('the message ends too early');
    this.#at += count;
    return this.bytes.subarray(this.#at - count, this.#at);
  }

  text(count: number): string {
    return this.take(count).toString('latin1');
  }

  /** Digits that are packed two in a byte. */
  packed(count: number, filler: Dialect['filler']): string {
    const read = this.take(Math.ceil(count / 2))
      .toString('hex')
      .toUpperCase();
    return filler === 'first' ? read.slice(read.length - count) : read.slice(0, count);
  }
}

/** The value of a field, as it stands: with its padding. */
export function fieldValue(field: number, format: FieldFormat, reader: ByteReader, coding: Coding): string {
  const { content, length, prefix } = format;
  const units = prefix === 0 ? length : lengthFrom(field, prefix, reader, coding);
  if (units > length) throw new MessageFault(`field ${field} is longer than ${length}`);
  const value = valueFrom(format, units, reader, coding);
  // Hosts put other than ASCII in texts; that is no reason to lose an answer.
  if (content !== 'ans' && !FORMS[content].test(value)) {
    throw new MessageFault(`field ${field} holds what its format does not take`);
  }
  return value;
}

function valueFrom({ content, packed }: FieldFormat, units: number, reader: ByteReader, { filler }: Coding): string {
  if (content === 'ans') return reader.text(units);
  if (content === 'b')
    return packed ? reader.take(units).toString('hex').toUpperCase() : reader.text(units * 2).toUpperCase();
  if (!packed) return reader.text(units);
  return content === 'x+n' ? reader.text(1) + reader.packed(units - 1, filler) : reader.packed(units, filler);
}

function lengthFrom(field: number, prefix: number, reader: ByteReader, { lengths }: Coding): number {
  const digits = lengths === 'text' ? reader.text(prefix) : reader.packed(prefix, 'first');
  if (!/^\d+$/.test(digits)) throw new MessageFault(`field ${field} has no length`);
  return Number(digits);
}
