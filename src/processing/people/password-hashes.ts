// Passwords as they are kept: scrypt with a salt of their own, in a text that says with which parameters. A name
// without a password costs as much as one with a wrong password, so that time tells nobody which names exist.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { plainPassword } from '../../domain/people/passwords.ts';
import type { Secret } from '../../domain/secret.ts';

/** The parameters of scrypt, N as a power of two. */
export type PasswordCost = { readonly logN: number; readonly r: number; readonly p: number };

/** 32 MiB and about a tenth of a second: what OWASP asks for at least (N = 2^15, r = 8, p = 3). */
const CURRENT: PasswordCost = { logN: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MAX_MEMORY = 64 * 1024 * 1024;

/** Node has four threads for such work; strangers who guess must leave some to others, and cannot queue for ever. */
const AT_ONCE = 2;
const MAX_WAITING = 32;

/** Thrown when too many passwords are being checked. */
export class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
}

export class PasswordHashes {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #cost: PasswordCost;
  readonly #nobody: Promise<string>;

  constructor(cost = CURRENT) {
    this.#cost = cost;
    const salt = randomBytes(SALT_BYTES);
    this.#nobody = Promise.resolve(written(cost, salt, randomBytes(KEY_BYTES)));
  }

  async hash(password: Secret<string>): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return written(this.#cost, salt, await this.#derive(password, salt, this.#cost));
  }

  /** Whether it is the password of this hash. Without a hash it never is, after the same work. */
  async fits(password: Secret<string>, stored: string | undefined): Promise<boolean> {
    const { parameters, salt, key } = read(stored ?? (await this.#nobody));
    return timingSafeEqual(await this.#derive(password, salt, parameters), key) && stored !== undefined;
  }

  /** Whether it was made with weaker parameters than those of today. */
  isOutdated(stored: string): boolean {
    const { logN, r, p } = read(stored).parameters;
    return logN < this.#cost.logN || r < this.#cost.r || p < this.#cost.p;
  }

  async #derive(password: Secret<string>, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
    await this.#turn();
    try {
      const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: MAX_MEMORY };
      return await new Promise((resolve, reject) =>
        scrypt(plainPassword(password.reveal()), salt, KEY_BYTES, options, (error, key) =>
          error ? reject(error) : resolve(key),
        ),
      );
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) throw new TooManyPasswords('too many passwords are being checked');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}

function written({ logN, r, p }: PasswordCost, salt: Buffer, key: Buffer): string {
  return ['scrypt', logN, r, p, salt.toString('base64'), key.toString('base64')].join('$');
}

function read(stored: string): { parameters: PasswordCost; salt: Buffer; key: Buffer } {
  const [kind, logN, r, p, salt = '', key = ''] = stored.split('$');
  if (kind !== 'scrypt') throw new Error('a password is kept in a way that is not known here');
  const parameters = { logN: Number(logN), r: Number(r), p: Number(p) };
  return { parameters, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
}
