// Keys that nobody has. A request in the name of somebody who does not exist is tried against them, so that its refusal
// takes as long as that of a wrong signature and does not tell who exists.

import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { Secret } from '../domain/secret.ts';

/** As long as the keys that are made here. */
const CONTROL_KEY_BYTES = 18;

export const nobodysControlKey = new Secret(randomBytes(CONTROL_KEY_BYTES).toString('hex'));

/** The lengths of signatures by the keys that are taken: 2048 bits or more. */
const SHORTEST = 256;
const LONGEST = 1024;

const publicKeys = new Map<number, KeyObject>();

/** A public key whose signatures have this length. Its modulus is random: checking takes as long as with a real one. */
export function nobodysPublicKey(signatureLength: number): KeyObject {
  const bytes = Math.min(Math.max(signatureLength, SHORTEST), LONGEST);
  const known = publicKeys.get(bytes);
  if (known) return known;
  const modulus = randomBytes(bytes);
  // The first bit makes it as long as it should be, and the last one odd.
  modulus[0] = (modulus[0] as number) | 0x80;
  modulus[bytes - 1] = (modulus[bytes - 1] as number) | 1;
  const key = createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' } });
  publicKeys.set(bytes, key);
  return key;
}
