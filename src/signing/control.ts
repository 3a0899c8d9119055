// The control signature: SHA-1 over listed values and the merchant's key, joined without separators. Amounts enter in
// minor units, so "10.42" signs as 1042. We write it in lower-case hexadecimal, and read either case.

import { hash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';

/** Stands for the key wherever a signed string is shown. */
export const KEY_PLACEHOLDER = '<MERCHANT_CONTROL_KEY>';

export function controlDigest(values: readonly string[], key: Secret<string>): Buffer {
  return Buffer.from(hash('sha1', values.join('') + key.reveal(), 'binary'), 'latin1');
}

/** Reads a control as sent; undefined when it is not forty hexadecimal digits. */
export function readControl(text: string): Buffer | undefined {
  return /^[0-9a-fA-F]{40}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}

export function controlFits(sent: Buffer, values: readonly string[], key: Secret<string>): boolean {
  return timingSafeEqual(sent, controlDigest(values, key));
}

/** A control that was correct, with the values that it signed. */
export class AcceptedControl {
  readonly digest: Buffer;
  readonly #values: readonly string[];

  constructor(digest: Buffer, values: readonly string[]) {
    this.digest = digest;
    this.#values = values;
  }

  /** A digest of the values with separators: it tells apart two lists of values with the same control. */
  get reading(): Buffer {
    return hash('sha256', this.#values.map((value) => `${value.length}:${value}`).join(''), 'buffer');
  }
}
