import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { PasswordHashes, TooManyPasswords } from './password-hashes.ts';

const KETTLE = new Secret('tall green kettle');
/** For tests of what does not depend on how dear a password is. */
const CHEAP = { logN: 10, r: 8, p: 1 };

describe('a password', () => {
  const hashes = new PasswordHashes();

  it('is kept as scrypt with its parameters and a salt of its own', async () => {
    const [one, other] = [await hashes.hash(KETTLE), await hashes.hash(KETTLE)];
    expect(one).not.toBe(other);
    const [kind, logN, r, p, salt = '', key] = one.split('$');
    expect([kind, logN, r, p]).toEqual(['scrypt', '15', '8', '3']);
    const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 };
    expect(scryptSync('tall green kettle', Buffer.from(salt, 'base64'), 32, options).toString('base64')).toBe(key);
  });

  it('fits its own hash alone, and nobody who has none', async () => {
    const stored = await hashes.hash(KETTLE);
    expect(await hashes.fits(KETTLE, stored)).toBe(true);
    expect(await hashes.fits(new Secret('tall green kettlf'), stored)).toBe(false);
    expect(await hashes.fits(KETTLE, undefined)).toBe(false);
  });

  it('of weaker parameters still fits, and is known to be outdated', async () => {
    const salt = Buffer.alloc(16, 1);
    const key = scryptSync('tall green kettle', salt, 32, { N: 2 ** 10, r: 8, p: 1 });
    const old = `scrypt$10$8$1$${salt.toString('base64')}$${key.toString('base64')}`;
    expect(await hashes.fits(KETTLE, old)).toBe(true);
    expect(hashes.isOutdated(old)).toBe(true);
    expect(hashes.isOutdated(await hashes.hash(KETTLE))).toBe(false);
  });

  it('waits for its turn, and is refused when too many wait', async () => {
    const cheap = new PasswordHashes(CHEAP);
    const many = await Promise.allSettled(Array.from({ length: 36 }, () => cheap.fits(KETTLE, undefined)));
    const refused = many.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => reason instanceof TooManyPasswords)).toEqual([true, true]);
    expect(await cheap.fits(KETTLE, undefined)).toBe(false);
  });
});
