// Codes that authenticate a message: ANSI X9.19 (ISO 9797-1 algorithm 3, padding 1) under a DES key of double length,
// and AES-CMAC (RFC 4493). Messages carry the first eight bytes.

import { createCipheriv, createDecipheriv, timingSafeEqual } from 'node:crypto';

export const MACS = ['none', 'x9.19', 'aes-cmac'] as const;

export type MacAlgorithm = Exclude<(typeof MACS)[number], 'none'>;

export function macOf(algorithm: MacAlgorithm, key: Buffer, bytes: Buffer): Buffer {
  return algorithm === 'x9.19' ? retailMac(key, bytes) : aesCmac(key, bytes);
}

/** Whether `code` is the code of `bytes`, in a time that does not depend on where they differ. */
export function isMac(algorithm: MacAlgorithm, key: Buffer, bytes: Buffer, code: Buffer): boolean {
  const right = macOf(algorithm, key, bytes).subarray(0, code.length);
  return code.length === 8 && timingSafeEqual(right, code);
}

/** Why a key does not fit its algorithm. */
export function macKeyFault(algorithm: MacAlgorithm, key: Buffer): string | undefined {
  if (algorithm === 'x9.19') return key.length === 16 ? undefined : 'x9.19 needs a key of 32 hexadecimal digits';
  return [16, 24, 32].includes(key.length) ? undefined : 'aes-cmac needs a key of 32, 48 or 64 hexadecimal digits';
}

const DES_BLOCK = 8;
const AES_BLOCK = 16;

function retailMac(key: Buffer, bytes: Buffer): Buffer {
  const first = key.subarray(0, DES_BLOCK);
  const second = key.subarray(DES_BLOCK);
  const padded = Buffer.alloc(Math.max(Math.ceil(bytes.length / DES_BLOCK), 1) * DES_BLOCK);
  bytes.copy(padded);
  const chained = tripled('des-ede3-cbc', first, Buffer.alloc(DES_BLOCK), createCipheriv)(padded);
  const opened = tripled('des-ede3-ecb', second, null, createDecipheriv)(chained.subarray(-DES_BLOCK));
  return tripled('des-ede3-ecb', first, null, createCipheriv)(opened);
}

/** Single DES, which OpenSSL no longer offers: triple DES under three equal keys is the same. */
function tripled(
  name: string,
  key: Buffer,
  iv: Buffer | null,
  create: typeof createCipheriv | typeof createDecipheriv,
) {
  return (bytes: Buffer) => {
    const cipher = create(name, Buffer.concat([key, key, key]), iv).setAutoPadding(false);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  };
}

function aesCmac(key: Buffer, bytes: Buffer): Buffer {
  const encrypted = (blocks: Buffer) => {
    const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(AES_BLOCK)).setAutoPadding(false);
    return Buffer.concat([cipher.update(blocks), cipher.final()]).subarray(-AES_BLOCK);
  };
  const whole = doubled(encrypted(Buffer.alloc(AES_BLOCK)));
  const isWhole = bytes.length > 0 && bytes.length % AES_BLOCK === 0;
  const padded = isWhole ? Buffer.from(bytes) : padWithOne(bytes);
  const mask = isWhole ? whole : doubled(whole);
  const last = padded.length - AES_BLOCK;
  for (let at = 0; at < AES_BLOCK; at++) padded[last + at]! ^= mask[at]!;
  return encrypted(padded);
}

function padWithOne(bytes: Buffer): Buffer {
  const padded = Buffer.alloc((Math.floor(bytes.length / AES_BLOCK) + 1) * AES_BLOCK);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  return padded;
}

/** The block doubled in the field of 2^128 elements. */
function doubled(block: Buffer): Buffer {
  const shifted = (BigInt(`0x${block.toString('hex')}`) << 1n) & ((1n << 128n) - 1n);
  const carried = block[0]! & 0x80 ? shifted ^ 0x87n : shifted;
  return Buffer.from(carried.toString(16).padStart(AES_BLOCK * 2, '0'), 'hex');
}
