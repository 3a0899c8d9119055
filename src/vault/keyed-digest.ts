// HMAC-SHA-256 (RFC 2104) as two calls of the digest function, because Node's Hmac objects cost more to make and to
// collect. Digests are read as texts of one character per byte, because every buffer from Node has memory of its own.

import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
const MOST_BYTES_PER_CHARACTER = 3;
const USUAL_TEXT_BYTES = 8 * 1024;

export class KeyedDigest {
  /** The padded key, followed by room for the text to digest. */
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  constructor(key: Buffer) {
    if (key.length > BLOCK_BYTES) throw new Error('the key of a digest is longer than a block');
    this.#inner = padded(key, INNER_PAD, USUAL_TEXT_BYTES);
    this.#outer = padded(key, OUTER_PAD, DIGEST_BYTES);
  }

  of(text: string): Buffer {
    const inner = this.#withRoomFor(text.length * MOST_BYTES_PER_CHARACTER);
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES);
    this.#outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1');
    // The text may have been a card number.
    inner.fill(0, BLOCK_BYTES, end);
    return Buffer.from(hash('sha256', this.#outer, 'binary'), 'latin1');
  }

  #withRoomFor(bytes: number): Buffer {
    if (bytes <= USUAL_TEXT_BYTES) return this.#inner;
    const larger = Buffer.alloc(BLOCK_BYTES + bytes);
    this.#inner.copy(larger, 0, 0, BLOCK_BYTES);
    return larger;
  }
}

function padded(key: Buffer, pad: number, room: number): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES + room);
  for (let at = 0; at < BLOCK_BYTES; at++) bytes[at] = (key[at] ?? 0) ^ pad;
  return bytes;
}
