// The bytes of a flight, in one piece of just its size. `pg` has messages of its own, but it begins each one small and
// makes it larger by and by: a batch of orders was copied a dozen times, each time into new memory.

import type { EncodedValue } from './encode-value.ts';

/** What is sent for one statement of a flight. */
export type Leg = {
  readonly name: string;
  readonly values: readonly EncodedValue[];
  /** The statement's text, when the connection does not know it by its name yet. */
  readonly parse: string | undefined;
  /** Whether something of that name may be there already and has to go first. */
  readonly replaces: boolean;
  /** Whether the answer is to tell its columns. */
  readonly describe: boolean;
};

const BIND = 0x42;
const CLOSE = 0x43;
const DESCRIBE = 0x44;
const EXECUTE = 0x45;
const PARSE = 0x50;
const SYNC = 0x53;
const PORTAL = 0x50;
const STATEMENT = 0x53;

const TEXT = 0;
const BINARY = 1;
const NO_VALUE = -1;

const HEAD_BYTES = 5;
const DESCRIBE_BYTES = HEAD_BYTES + 2;
const EXECUTE_BYTES = HEAD_BYTES + 5;
/** Of a Bind message besides its name and values: the nameless portal, three counts and the format of results. */
const BIND_FIXED_BYTES = HEAD_BYTES + 1 + 2 + 2 + 2 + 2;

export function flightMessage(legs: readonly Leg[]): Buffer {
  const message = new Message(legs.reduce((size, leg) => size + legBytes(leg), HEAD_BYTES));
  for (const leg of legs) {
    if (leg.parse !== undefined) message.parse(leg.name, leg.parse, leg.replaces);
    message.bind(leg.name, leg.values);
    if (leg.describe) message.describe();
    message.execute();
  }
  return message.sync();
}

function legBytes({ name, values, parse, replaces, describe }: Leg): number {
  const nameBytes = textBytes(name);
  let size = BIND_FIXED_BYTES + nameBytes + EXECUTE_BYTES;
  for (const value of values) size += 2 + 4 + valueBytes(value);
  if (describe) size += DESCRIBE_BYTES;
  if (parse === undefined) return size;
  if (replaces) size += HEAD_BYTES + 1 + nameBytes;
  return size + HEAD_BYTES + nameBytes + textBytes(parse) + 2;
}

const textBytes = (text: string) => Buffer.byteLength(text) + 1;

function valueBytes(value: EncodedValue): number {
  if (value === null) return 0;
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length;
}

class Message {
  readonly #bytes: Buffer;
  #end = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  parse(name: string, text: string, replaces: boolean): void {
    if (replaces) this.#framed(CLOSE, () => this.#byte(STATEMENT).#text(name));
    this.#framed(PARSE, () => this.#text(name).#text(text).#int16(0));
  }

  /** Texts are sent as such, bytes in the binary format; results come as texts. */
  bind(name: string, values: readonly EncodedValue[]): void {
    this.#framed(BIND, () => {
      this.#byte(0).#text(name).#int16(values.length);
      for (const value of values) this.#int16(Buffer.isBuffer(value) ? BINARY : TEXT);
      this.#int16(values.length);
      for (const value of values) this.#value(value);
      this.#int16(1).#int16(TEXT);
    });
  }

  describe(): void {
    this.#framed(DESCRIBE, () => this.#byte(PORTAL).#byte(0));
  }

  execute(): void {
    this.#framed(EXECUTE, () => this.#byte(0).#int32(0));
  }

  sync(): Buffer {
    this.#framed(SYNC, () => {});
    return this.#bytes;
  }

  /** Its kind, its length without the kind, and what is in it. */
  #framed(kind: number, write: () => void): void {
    this.#byte(kind);
    const start = this.#end;
    this.#end += 4;
    write();
    this.#bytes.writeInt32BE(this.#end - start, start);
  }

  #value(value: EncodedValue): void {
    if (value === null) return void this.#int32(NO_VALUE);
    const start = this.#end;
    this.#end += 4;
    this.#end += typeof value === 'string' ? this.#bytes.write(value, this.#end) : value.copy(this.#bytes, this.#end);
    this.#bytes.writeInt32BE(this.#end - start - 4, start);
  }

  #text(text: string): this {
    this.#end += this.#bytes.write(text, this.#end);
    return this.#byte(0);
  }

  #byte(value: number): this {
    this.#end = this.#bytes.writeUInt8(value, this.#end);
    return this;
  }

  #int16(value: number): this {
    this.#end = this.#bytes.writeInt16BE(value, this.#end);
    return this;
  }

  #int32(value: number): this {
    this.#end = this.#bytes.writeInt32BE(value, this.#end);
    return this;
  }
}
