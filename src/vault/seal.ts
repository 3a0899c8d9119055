// Authenticated encryption of small values: AES-256-GCM, bound to the place where each value belongs.
// Layout: 12 bytes nonce, 16 bytes tag, ciphertext.

import { type CipherKey, createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

// Random bytes cost less when many are fetched at once.
const pool = Buffer.allocUnsafe(NONCE_BYTES * 512);
let used = pool.length;

function nonce(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE_BYTES;
  return pool.subarray(used - NONCE_BYTES, used);
}

export function seal(key: CipherKey, plain: Buffer | string, place: string): Buffer {
  const iv = nonce();
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(place));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  const rest = cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), body, rest]);
}

/** Throws when the bytes were altered or belong to another place. */
export function openSealed(key: CipherKey, sealed: Buffer, place: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
