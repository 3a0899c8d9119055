import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripeAmount } from './amounts.ts';

describe('stripeAmount', () => {
  it.each([
    ['10.42 USD', 1042n, 'USD', 1042n],
    ['10.42 EUR', 1042n, 'EUR', 1042n],
    ['10.42 HUF, of which only payouts are whole', 1042n, 'HUF', 1042n],
    ['10.42 TWD, of which only payouts are whole', 1042n, 'TWD', 1042n],
    ['500 JPY', 500n, 'JPY', 500n],
    ['500 KRW', 500n, 'KRW', 500n],
    ['500 CLP', 500n, 'CLP', 500n],
    ['500 VND', 500n, 'VND', 500n],
    ['500 XOF', 500n, 'XOF', 500n],
    ['5 ISK, in hundredths', 5n, 'ISK', 500n],
    ['5 UGX, in hundredths', 5n, 'UGX', 500n],
    ['5.00 MGA, in whole ariary', 500n, 'MGA', 5n],
    ['5.20 MGA, which is no whole ariary', 520n, 'MGA', undefined],
    ['5.120 KWD', 5_120n, 'KWD', 5_120n],
    ['5.124 KWD, whose last digit is not 0', 5_124n, 'KWD', undefined],
    ['1.000 BHD', 1_000n, 'BHD', 1_000n],
    ['1.001 TND', 1_001n, 'TND', undefined],
    ['nothing', 0n, 'USD', 0n],
  ])('%s', (_says, minor, currency, expected) => {
    expect(stripeAmount({ minor, currency })).toBe(expected);
  });

  it('no two amounts of a currency become one', () => {
    const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'ISK', 'UGX', 'MGA', 'BHD', 'EUR');
    const minor = fc.bigInt(0n, 9_999_999_999n);
    fc.assert(
      fc.property(currency, minor, minor, (one, first, second) => {
        const [a, b] = [stripeAmount({ minor: first, currency: one }), stripeAmount({ minor: second, currency: one })];
        fc.pre(a !== undefined && b !== undefined);
        expect(a === b).toBe(first === second);
        expect((a as bigint) < (b as bigint)).toBe(first < second);
      }),
    );
  });
});
