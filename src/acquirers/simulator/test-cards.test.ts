import { describe, expect, it } from 'vitest';
import { isCardNumber } from '../../domain/card/card.ts';
import { Secret } from '../../domain/secret.ts';
import { canReceive, eligibilityOf, isAnsweredLate, isNeverTold } from './test-cards.ts';

const table = [
  ['4111111111111111', 'VISA', 'CREDIT', 'USA', true, true],
  ['4000056655665556', 'VISA', 'DEBIT', 'USA', true, true],
  ['5555555555554444', 'MASTERCARD', 'CREDIT', 'GBR', true, true],
  ['5200828282828210', 'MASTERCARD', 'DEBIT', 'DEU', true, true],
  ['5105105105105100', 'MASTERCARD', 'PREPAID', 'USA', false, false],
  ['378282246310005', 'AMEX', 'CHARGE', 'USA', true, false],
  ['4000060000000006', 'VISA', 'CREDIT', 'USA', true, true],
  ['4012888888881881', 'VISA', 'CREDIT', 'CAN', true, true],
  ['6011111111111117', 'DISCOVER', 'CREDIT', 'USA', true, true],
  ['9000000000000001', 'UNKNOWN', 'CREDIT', 'USA', false, false],
] as const;

describe('test cards', () => {
  it.each(table)('%s is %s %s of %s, sends: %s, receives: %s', (number, network, product, country, sends, receives) => {
    expect(isCardNumber(number)).toBe(true);
    expect(eligibilityOf(number, 'sends')).toMatchObject({ network, product, country, eligible: sends });
    expect(eligibilityOf(number, 'receives')).toMatchObject({ network, product, country, eligible: receives });
    expect(eligibilityOf(number.slice(0, 6), 'sends')).toEqual(eligibilityOf(number, 'sends'));
    expect(canReceive({ card: { number: new Secret(number) } })).toBe(receives);
    expect(isAnsweredLate(number)).toBe(number === '4012888888881881');
    expect(isNeverTold(number.slice(0, 6))).toBe(number === '4000060000000006');
  });

  it.each([
    ['DE89370400440532013000', true],
    ['000123', true],
    ['000000', false],
    ['', false],
  ])('the account %s receives: %s', (number, receives) => {
    expect(canReceive({ account: { number: new Secret(number) } })).toBe(receives);
  });
});
