// RSA keys for tests. Making one takes up to half a second of processor time, so they are made once and kept here;
// nothing but tests trusts them.

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import keys from './test-keys.json' with { type: 'json' };

export type TestKeys = { readonly privateKey: string; readonly publicKey: string };

/** In PEM: of the demo merchant, of every other merchant, and of somebody nobody knows. */
export function testKeys(owner: keyof typeof keys): TestKeys {
  return keys[owner];
}

export function testKeyObjects(owner: keyof typeof keys): { privateKey: KeyObject; publicKey: KeyObject } {
  const { privateKey, publicKey } = keys[owner];
  return { privateKey: createPrivateKey(privateKey), publicKey: createPublicKey(publicKey) };
}
