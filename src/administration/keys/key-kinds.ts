// Keys as an administrator gives them. A key itself is never repeated, whatever is wrong with it.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { type InputKind, Misread } from '../../domain/input-kinds.ts';
import { Secret } from '../../domain/secret.ts';

const CONTROL_KEY = /^[\x21-\x7e]{16,128}$/;
const MIN_RSA_BITS = 2048;
const MAX_PEM_CHARACTERS = 16 * 1024;
const PEM = 'an RSA public key in PEM, "BEGIN PUBLIC KEY" or "BEGIN RSA PUBLIC KEY"';

export const controlKeyGiven: InputKind<Secret<string>> = {
  schema: { type: 'string', minLength: 16, maxLength: 128 },
  what: 'a control key',
  spelling: 'text',
  read: (value) =>
    typeof value === 'string' && CONTROL_KEY.test(value)
      ? new Secret(value)
      : wrong('the control key must be 16 to 128 printable characters without spaces'),
};

export const rsaPublicKey: InputKind<KeyObject> = {
  schema: { type: 'string', maxLength: MAX_PEM_CHARACTERS },
  what: PEM,
  spelling: 'text',
  read: (pem) => {
    if (typeof pem !== 'string' || pem.length > MAX_PEM_CHARACTERS) return wrong(`${PEM} is needed`);
    if (pem.includes('PRIVATE KEY')) return wrong(`this is a private key: keep it to yourself and give ${PEM}`);
    if (!/^-----BEGIN (RSA )?PUBLIC KEY-----/m.test(pem)) return wrong(`this is not ${PEM}`);
    const key = readPem(pem);
    if (key?.asymmetricKeyType !== 'rsa') return wrong(`this is not ${PEM}`);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return bits < MIN_RSA_BITS ? wrong(`the RSA key has ${bits} bits; at least ${MIN_RSA_BITS} are needed`) : key;
  },
};

function wrong(says: string): Misread {
  return new Misread(says, { standsAlone: true });
}

function readPem(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
