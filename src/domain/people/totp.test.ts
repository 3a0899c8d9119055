import { randomBytes } from 'node:crypto';
import { Secret, TOTP, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { base32, fromBase32, matchingStep, totpCode, totpStep, totpUri } from './totp.ts';

const RFC_SECRET = Buffer.from('12345678901234567890');
const NOW = Date.UTC(2027, 4, 5, 6, 7, 8);

describe('a code of an authenticator app', () => {
  // RFC 6238, appendix B: seconds and the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at second %s is %s', (seconds, code) => {
    expect(totpCode(RFC_SECRET, totpStep(seconds * 1000))).toBe(code);
  });

  it('is the one another implementation gives', () => {
    for (let round = 0; round < 200; round++) {
      const secret = randomBytes(20);
      const now = NOW + round * 86_399_000;
      const other = new TOTP({ secret: Secret.fromBase32(base32(secret)) });
      expect(totpCode(secret, totpStep(now))).toBe(other.generate({ timestamp: now }));
      expect(matchingStep(secret, other.generate({ timestamp: now }), now, totpStep(now) - 1)).toBe(totpStep(now));
    }
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('of the step %s away is taken: %s', (away, isTaken) => {
    const step = totpStep(NOW) + away;
    expect(matchingStep(RFC_SECRET, totpCode(RFC_SECRET, step), NOW, 0)).toBe(isTaken ? step : undefined);
  });

  it('is taken once, and none before it afterwards', () => {
    const step = totpStep(NOW);
    expect(matchingStep(RFC_SECRET, totpCode(RFC_SECRET, step), NOW, step)).toBeUndefined();
    expect(matchingStep(RFC_SECRET, totpCode(RFC_SECRET, step - 1), NOW, step)).toBeUndefined();
    expect(matchingStep(RFC_SECRET, totpCode(RFC_SECRET, step + 1), NOW, step)).toBe(step + 1);
  });

  it.each(['', '12345', '1234567', 'abcdef', '      '])('%j is none', (code) => {
    expect(matchingStep(RFC_SECRET, code, NOW, 0)).toBeUndefined();
  });

  it('may be typed with a blank in the middle, as apps show it', () => {
    const code = totpCode(RFC_SECRET, totpStep(NOW));
    expect(matchingStep(RFC_SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, NOW, 0)).toBe(totpStep(NOW));
  });
});

it('a secret is spelt as RFC 4648 says, and read back', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  for (let length = 1; length < 40; length++) {
    const bytes = randomBytes(length);
    expect(base32(bytes)).toBe(new Secret({ buffer: new Uint8Array(bytes).buffer }).base32.replace(/=+$/, ''));
    expect(fromBase32(base32(bytes))).toEqual(bytes);
  }
});

it('an app understands the address of a secret', () => {
  const uri = totpUri(base32(RFC_SECRET), { name: 'ann@b c', issuer: 'Tender' });
  const read = URI.parse(uri) as TOTP;
  expect(read).toMatchObject({ issuer: 'Tender', label: 'ann@b c', algorithm: 'SHA1', digits: 6, period: 30 });
  expect(Buffer.from(read.secret.bytes)).toEqual(RFC_SECRET);
});
