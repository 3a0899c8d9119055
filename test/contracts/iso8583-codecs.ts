// How the scripted host writes and reads messages: text by a library of its own, bytes by a table of its own. Neither
// knows the connector's code, so a fault there cannot hide behind the same fault here.

import { createRequire } from 'node:module';

/** Fields by number; field 0 is the type. */
export type HostMessage = Readonly<Record<string, string>>;

export type HostCodec = {
  /** The field that carries the MAC, and how many bytes it takes at the end of a message. */
  readonly mac: { readonly field: string; readonly bytes: number };
  pack(message: HostMessage): Buffer;
  unpack(bytes: Buffer): HostMessage;
};

type Format = { ContentType: string; Label: string; LenType: string; MaxLen: number };
type Library = new (
  message: HostMessage | undefined,
  formats: Readonly<Record<string, Format>>,
) => {
  getRawMessage(): Buffer | { error: string };
  getIsoJSON(bytes: Buffer, options: object): HostMessage | { error: string };
};

const IsoLibrary = createRequire(import.meta.url)('iso_8583') as Library;

const text = (MaxLen: number, ContentType = 'an'): Format => ({ ContentType, Label: 'text', LenType: 'fixed', MaxLen });

/** Where the library's formats differ from those of jPOS's ISO87A packager. */
const FORMATS = { 1: text(32), 64: text(16), 95: text(42, 'ans'), 128: text(16) };

/** `iso87-ascii`. The library always writes and wants two bitmaps. */
export const textCodec: HostCodec = {
  mac: { field: '128', bytes: 16 },
  pack: (message) => {
    const bytes = new IsoLibrary(message, FORMATS).getRawMessage();
    if (!Buffer.isBuffer(bytes)) throw new Error(bytes.error);
    return bytes;
  },
  unpack: (bytes) => {
    const read = new IsoLibrary(undefined, FORMATS).getIsoJSON(withTwoBitmaps(bytes), {
      lenHeader: false,
      bitmapEncoding: 'utf8',
    });
    if ('error' in read) throw new Error(read.error);
    return read;
  },
};

function withTwoBitmaps(bytes: Buffer): Buffer {
  const first = Number.parseInt(bytes.toString('latin1', 4, 5), 16);
  if (first >= 8) return bytes;
  const bitmaps = (first + 8).toString(16).toUpperCase() + bytes.toString('latin1', 5, 20) + '0'.repeat(16);
  return Buffer.concat([bytes.subarray(0, 4), Buffer.from(bitmaps), bytes.subarray(20)]);
}

/** Digits: how many, or `LL`. Text: how many, `LL` or `LLL`. Bytes: how many. */
const PACKED: Readonly<Record<number, readonly ['digits' | 'text' | 'bytes', number | 'LL' | 'LLL']>> = {
  2: ['digits', 'LL'],
  3: ['digits', 6],
  4: ['digits', 12],
  7: ['digits', 10],
  11: ['digits', 6],
  12: ['digits', 12],
  14: ['digits', 4],
  19: ['digits', 3],
  22: ['text', 12],
  24: ['digits', 3],
  25: ['digits', 4],
  26: ['digits', 4],
  30: ['digits', 24],
  32: ['digits', 'LL'],
  37: ['text', 12],
  38: ['text', 6],
  39: ['digits', 3],
  41: ['text', 8],
  42: ['text', 15],
  43: ['text', 'LL'],
  48: ['text', 'LLL'],
  49: ['text', 3],
  56: ['digits', 'LL'],
  64: ['bytes', 8],
};

/** `iso93-binary`, as far as the connector uses it. */
export const packedCodec: HostCodec = {
  mac: { field: '64', bytes: 8 },
  pack: ({ 0: mti = '', ...fields }) => {
    const numbers = Object.keys(fields).map(Number);
    const map = numbers.reduce((bits, field) => bits | (1n << BigInt(64 - field)), 0n);
    const body = numbers.map((field) => {
      const [kind, size] = PACKED[field]!;
      const value = fields[field]!;
      const before = size === 'LL' ? 2 : size === 'LLL' ? 4 : 0;
      const length = before === 0 ? '' : String(value.length).padStart(before, '0');
      const hex =
        kind === 'text' ? Buffer.from(value).toString('hex') : value.padEnd(value.length + (value.length % 2), '0');
      return length + hex;
    });
    return Buffer.from(mti + map.toString(16).padStart(16, '0') + body.join(''), 'hex');
  },
  unpack: (bytes) => {
    let rest = bytes.toString('hex');
    const take = (count: number) => {
      const taken = rest.slice(0, count);
      if (taken.length < count) throw new Error('too short');
      rest = rest.slice(count);
      return taken;
    };
    const message: Record<string, string> = { 0: take(4) };
    const map = BigInt(`0x${take(16)}`);
    for (let field = 1; field <= 64; field++) {
      if (((map >> BigInt(64 - field)) & 1n) === 0n) continue;
      const [kind, size] = PACKED[field] ?? [];
      if (kind === undefined || size === undefined) throw new Error(`field ${field} was not expected`);
      const count = size === 'LL' ? Number(take(2)) : size === 'LLL' ? Number(take(4)) : size;
      if (kind === 'digits') message[field] = take(count + (count % 2)).slice(0, count);
      else if (kind === 'text') message[field] = Buffer.from(take(count * 2), 'hex').toString('latin1');
      else message[field] = take(count * 2).toUpperCase();
    }
    if (rest !== '') throw new Error('too long');
    return message;
  },
};
