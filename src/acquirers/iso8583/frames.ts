// Messages in a stream of bytes: each has its length before it, as two bytes or four digits, and maybe an address of
// five bytes (TPDU), which the length counts in.

import { MessageFault } from './dialect.ts';

export const FRAMES = ['bytes-2', 'digits-4'] as const;

export type FrameStyle = {
  readonly frame: (typeof FRAMES)[number];
  /** Ten hexadecimal digits. */
  readonly tpdu?: string | undefined;
};

const TPDU_BYTES = 5;
const LARGEST = { 'bytes-2': 0xffff, 'digits-4': 9999 } as const;

export function framed({ frame, tpdu = '' }: FrameStyle, message: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(tpdu, 'hex'), message]);
  if (content.length > LARGEST[frame]) throw new MessageFault(`the message is longer than ${LARGEST[frame]} bytes`);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  const before = frame === 'bytes-2' ? length : Buffer.from(String(content.length).padStart(4, '0'));
  return Buffer.concat([before, content]);
}

/** Cuts a stream into messages, however its bytes arrive. It holds one unfinished message at most. */
export class FrameReader {
  readonly #style: FrameStyle;
  #rest: Buffer = Buffer.alloc(0);

  constructor(style: FrameStyle) {
    this.#style = style;
  }

  /** The messages that are whole now. After a fault nothing that follows can be read. */
  push(chunk: Buffer): Buffer[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const whole: Buffer[] = [];
    for (let one = this.#next(); one !== undefined; one = this.#next()) {
      // Some hosts send a length of zero to show that they are there.
      if (one.length > 0) whole.push(this.#withoutTpdu(one));
    }
    return whole;
  }

  #next(): Buffer | undefined {
    const { frame } = this.#style;
    const before = frame === 'bytes-2' ? 2 : 4;
    if (this.#rest.length < before) return undefined;
    const length = frame === 'bytes-2' ? this.#rest.readUInt16BE(0) : digitsOf(this.#rest.subarray(0, before));
    if (this.#rest.length < before + length) return undefined;
    const content = this.#rest.subarray(before, before + length);
    this.#rest = this.#rest.subarray(before + length);
    return content;
  }

  #withoutTpdu(content: Buffer): Buffer {
    if (this.#style.tpdu === undefined) return content;
    if (content.length < TPDU_BYTES) throw new MessageFault('a message came without its TPDU');
    return content.subarray(TPDU_BYTES);
  }
}

function digitsOf(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  if (!/^\d{4}$/.test(text)) throw new MessageFault('four digits of length were expected, something else came');
  return Number(text);
}
