import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentOf } from '../domain/money/currency.ts';
import { MAX_MINOR, readAmount, writeAmount } from '../domain/money/money.ts';
import { type AmountReading, amountReadings, figuresOfRefused } from './amount-readings.ts';

const currencies = fc.constantFrom('JPY', 'KRW', 'USD', 'EUR', 'KWD', 'TND');
const withoutDecimals = fc.constantFrom('JPY', 'KRW', 'ISK', 'VND');
const minors = fc.bigInt({ min: 1n, max: MAX_MINOR });
const notations = fc.constantFrom('minor' as const, 'major' as const);
const zeros = fc.nat(8).map((count) => '0'.repeat(count));
/** Decimal numbers as clients may write them, right or wrong. */
const texts = fc
  .tuple(fc.bigInt({ min: 0n, max: MAX_MINOR }), fc.option(fc.stringMatching(/^[0-9]{1,6}$/), { nil: undefined }))
  .map(([whole, decimals]) => (decimals === undefined ? String(whole) : `${whole}.${decimals}`));

const brief = (readings: readonly AmountReading[]) => readings.map(({ signed, notation }) => `${signed} ${notation}`);
const withPoint = (text: string, more: string) => (text.includes('.') ? `${text}${more}` : `${text}.${more || '0'}`);

describe('an amount under a control', () => {
  it.each([
    ['1042', 'USD', ['1042 minor', '104200 major']],
    ['10.42', 'USD', ['1042 major']],
    ['105.0000', 'USD', ['10500 major']],
    ['105.00001', 'USD', []],
    ['1042.00', 'USD', ['104200 major']],
    ['1000', 'JPY', ['1000 minor']],
    ['1000.0', 'JPY', ['1000 major']],
    ['1000.5', 'JPY', []],
    ['1.2340', 'KWD', ['1234 major']],
    ['1.2345', 'KWD', []],
    ['0.00', 'USD', []],
  ])('%s %s may be %j', (text, currency, expected) => {
    expect(brief(amountReadings(text, currency))).toEqual(expected);
  });

  it.each([
    ['1000', 'JPY', ['100000 major']],
    ['1000.00', 'JPY', ['100000 major']],
    ['1000.5', 'JPY', []],
    ['10.42', 'USD', ['1042 major']],
    ['1.234', 'KWD', ['1234 major']],
  ])('%s %s, signed by hundredths, may be %j', (text, currency, expected) => {
    expect(brief(amountReadings(text, currency, true))).toEqual(expected);
  });

  it('has one meaning at most under one control: every reading signs another figure', () => {
    fc.assert(
      fc.property(texts, currencies, fc.boolean(), (text, currency, signedInHundredths) => {
        const signed = amountReadings(text, currency, signedInHundredths).map((reading) => reading.signed);
        expect(new Set(signed).size).toBe(signed.length);
      }),
    );
  });

  it('is the money that was signed', () => {
    fc.assert(
      fc.property(texts, currencies, (text, currency) => {
        for (const { signed, notation } of amountReadings(text, currency)) {
          const read = readAmount(text, currency, notation);
          expect(read === undefined ? BigInt(signed) > MAX_MINOR : read === BigInt(signed)).toBe(true);
        }
      }),
    );
  });

  it('is found in the notation it was written in', () => {
    fc.assert(
      fc.property(minors, currencies, notations, (minor, currency, notation) => {
        const readings = amountReadings(writeAmount({ minor, currency }, notation), currency);
        const signed = readings.filter((reading) => exponentOf(currency) === 0 || reading.notation === notation);
        expect(signed.map((reading) => reading.signed)).toEqual([String(minor)]);
      }),
    );
  });

  it('stays the same with zeros behind the decimals of its currency', () => {
    fc.assert(
      fc.property(minors, currencies, zeros, (minor, currency, more) => {
        const text = withPoint(writeAmount({ minor, currency }, 'major'), more);
        expect(brief(amountReadings(text, currency))).toEqual([`${minor} major`]);
        expect(readAmount(text, currency, 'major')).toBe(minor);
      }),
    );
  });

  it('is no amount with any other digit there', () => {
    fc.assert(
      fc.property(
        minors,
        currencies,
        zeros,
        fc.integer({ min: 1, max: 9 }),
        zeros,
        (minor, currency, before, digit, after) => {
          const text = writeAmount({ minor, currency }, 'major');
          const finer = `${text}${text.includes('.') ? '' : '.'}${before}${digit}${after}`;
          expect(amountReadings(finer, currency)).toEqual([]);
          expect(amountReadings(finer, currency, true)).toEqual([]);
          expect(readAmount(finer, currency, 'major')).toBeUndefined();
        },
      ),
    );
  });

  it('signed by hundredths has that meaning alone, and never that of a plain figure', () => {
    fc.assert(
      fc.property(texts, withoutDecimals, (text, currency) => {
        const plain = amountReadings(text, currency);
        const hundredths = amountReadings(text, currency, true);
        expect(hundredths.map(({ signed }) => signed)).toEqual(plain.map(({ signed }) => `${signed}00`));
        expect(hundredths.every(({ notation, inHundredths }) => notation === 'major' && inHundredths)).toBe(true);
      }),
    );
  });

  it('without a reading is no amount in either notation, so that nothing is ever done for it', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), currencies, fc.boolean(), (text, currency, signedInHundredths) => {
        fc.pre(amountReadings(text, currency, signedInHundredths).length === 0);
        expect(readAmount(text, currency, 'minor')).toBeUndefined();
        expect(readAmount(text, currency, 'major')).toBeUndefined();
      }),
    );
  });
});

describe('the figures of an amount that is refused', () => {
  it.each([
    ['10.42', ['10.42', '1042', '10', '10420']],
    ['1042', ['1042', '104200', '1042000']],
    ['10.005', ['10.005', '10005', '1000', '1001', '10']],
    ['10,42', ['10,42', '1042', '10', '10420']],
    ['0.00', ['0.00', '0']],
    ['-1', ['-1', '-100', '-1000']],
    ['1e3', ['1e3']],
    ['.5', ['.5', '5', '50', '0', '1', '500']],
    ['+5', ['+5', '5', '500', '5000']],
    ['1,042.00', ['1,042.00', '1042.00', '104200', '1042', '1042000']],
    ['1,042', ['1,042', '1042', '104', '1', '104200', '1042000']],
    ['.', ['.', '']],
    ['NaN', ['NaN']],
  ])('%s are %j', (text, figures) => {
    expect(figuresOfRefused(text).sort()).toEqual([...figures].sort());
  });

  it('hold what a right client signs in a currency of no, two or three decimals', () => {
    fc.assert(
      fc.property(minors, currencies, notations, (minor, currency, notation) => {
        expect(figuresOfRefused(writeAmount({ minor, currency }, notation))).toContain(String(minor));
      }),
    );
  });
});
