// Hands a key from node to node through the database: it is sealed to the other's public key (X25519, HKDF, AES-GCM),
// whose private half is in the memory of that process only, and is replaced every minute. So whoever finds the sealed
// key later, in a backup or in a log of the database, finds nothing that opens it.

import {
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { openSealed, seal } from './seal.ts';

const KEY_BYTES = 32;
const PURPOSE = 'tender: a key of security codes';

/** Everything in front of the 32 bytes of such a key in its usual form (RFC 8410). */
const X25519_FRONT = Buffer.from('302a300506032b656e032100', 'hex');

/** A node's pair of keys. */
export class MeetingPair {
  readonly madeAt: number;
  readonly publicKey: Buffer;
  readonly #privateKey: KeyObject;

  constructor(madeAt: number) {
    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    this.madeAt = madeAt;
    this.publicKey = rawOf(publicKey);
    this.#privateKey = privateKey;
  }

  /** Undefined when the bytes were not sealed to this pair, or for another place. */
  open(sealed: Buffer, place: string): Buffer | undefined {
    const theirs = sealed.subarray(0, KEY_BYTES);
    try {
      const key = sharedKey(this.#privateKey, theirs, this.publicKey);
      return openSealed(key, sealed.subarray(KEY_BYTES), place);
    } catch {
      return undefined;
    }
  }
}

/** Seals bytes so that only the owner of the public key can open them, not even whoever sealed them. */
export function sealTo(publicKey: Buffer, bytes: Buffer, place: string): Buffer {
  const own = generateKeyPairSync('x25519');
  const sender = rawOf(own.publicKey);
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: keyOf(publicKey) });
  return Buffer.concat([sender, seal(derived(shared, sender, publicKey), bytes, place)]);
}

function sharedKey(privateKey: KeyObject, sender: Buffer, receiver: Buffer): KeyObject {
  return derived(diffieHellman({ privateKey, publicKey: keyOf(sender) }), sender, receiver);
}

/** Both public keys go into the key, so that nothing sealed to one pair is taken for another's. */
function derived(shared: Buffer, sender: Buffer, receiver: Buffer): KeyObject {
  const bytes = Buffer.from(hkdfSync('sha256', shared, Buffer.concat([sender, receiver]), PURPOSE, KEY_BYTES));
  const key = createSecretKey(bytes);
  bytes.fill(0);
  shared.fill(0);
  return key;
}

function rawOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES);
}

function keyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([X25519_FRONT, raw]), type: 'spki', format: 'der' });
}
