import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MINOR, money, readAmount, writeAmount } from './money.ts';

describe('reading an amount', () => {
  it.each([
    ['1042', 'USD', 'minor', 1042n],
    ['1042', 'USD', 'major', 104200n],
    ['10.42', 'USD', 'major', 1042n],
    ['10.4', 'USD', 'major', 1040n],
    ['0.99', 'USD', 'major', 99n],
    ['1', 'USD', 'minor', 1n],
    ['500', 'JPY', 'minor', 500n],
    ['500', 'JPY', 'major', 500n],
    ['1.234', 'KWD', 'major', 1234n],
    ['1.2', 'KWD', 'major', 1200n],
    ['9999999999', 'USD', 'minor', MAX_MINOR],
  ] as const)('%s %s in %s units is %s', (text, currency, notation, minor) => {
    expect(readAmount(text, currency, notation)).toBe(minor);
  });

  it.each([
    ['0', 'USD', 'minor'],
    ['0.00', 'USD', 'major'],
    ['-1', 'USD', 'minor'],
    ['+1', 'USD', 'minor'],
    ['1e3', 'USD', 'minor'],
    ['NaN', 'USD', 'minor'],
    ['Infinity', 'USD', 'major'],
    ['0x10', 'USD', 'minor'],
    ['10.001', 'USD', 'major'],
    ['10.42', 'USD', 'minor'],
    ['10.', 'USD', 'major'],
    ['.5', 'USD', 'major'],
    ['10,42', 'USD', 'major'],
    ['007', 'USD', 'minor'],
    ['1 000', 'USD', 'minor'],
    ['1.5', 'JPY', 'major'],
    ['99999999999', 'USD', 'minor'],
    ['100000000.00', 'USD', 'major'],
    ['', 'USD', 'minor'],
    ['１０', 'USD', 'minor'],
  ] as const)('%s %s in %s units is no amount', (text, currency, notation) => {
    expect(readAmount(text, currency, notation)).toBeUndefined();
  });

  it('reads back whatever was written', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: MAX_MINOR }),
        fc.constantFrom('JPY', 'USD', 'KWD', 'HUF', 'ISK', 'TND'),
        fc.constantFrom('minor' as const, 'major' as const),
        (minor, currency, notation) => {
          expect(readAmount(writeAmount({ minor, currency }, notation), currency, notation)).toBe(minor);
        },
      ),
    );
  });
});

describe('money', () => {
  it.each(['usd', 'XXX', 'XTS', 'XAU', 'CLF', 'ZZZ', '', 'constructor'])('is not made in %s', (code) => {
    expect(() => money(1n, code)).toThrow();
  });
});
