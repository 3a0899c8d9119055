// The codes of authenticator apps: RFC 6238 with HMAC-SHA-1, six digits and steps of half a minute, which all apps
// know.

import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Clocks of phones may be one step away. */
const DRIFT = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4226 asks for 128 bits at least and recommends 160. */
export const TOTP_SECRET_BYTES = 20;

export function totpStep(now: number): number {
  return Math.floor(now / STEP_MS);
}

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest[digest.length - 1] as number) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step whose code this is; undefined when it is none of now, or one that was used: `after` is the last used. */
export function matchingStep(secret: Buffer, code: string, now: number, after: number): number | undefined {
  const plain = code.replace(/[\s-]/g, '');
  const current = totpStep(now);
  let found: number | undefined;
  // All steps are compared, so that the time tells nothing about which one fits.
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    if (isSame(totpCode(secret, step), plain) && step > after) found ??= step;
  }
  return found;
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function base32(bytes: Buffer): string {
  let [text, bits, value] = ['', 0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((one) => BASE32.indexOf(one).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((one) => Number.parseInt(one, 2)));
}

/** What an app reads when the secret is not typed by hand. */
export function totpUri(secret: string, { name, issuer }: { readonly name: string; readonly issuer: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
