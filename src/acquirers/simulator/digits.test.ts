import { describe, expect, it } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { cardDigits, haveSameDigits, targetDigitsOf } from './digits.ts';

describe('what the books keep of a number', () => {
  it.each([
    ['4111111111111111', '411111', '1111'],
    ['411111111111', '411111', '1111'],
    ['41111111111', '', '1111'],
    ['411', '', '1'],
    ['4', '', ''],
  ])('of the card %s: %s and %s', (number, firstSix, lastFour) => {
    expect(cardDigits({ number: new Secret(number) })).toEqual({ firstSix, lastFour });
  });

  it.each([
    ['DE89370400440532013000', '3000'],
    ['98765', '65'],
    ['7', ''],
  ])('of the account %s: %s', (number, accountEnd) => {
    expect(targetDigitsOf({ account: { number: new Secret(number) } })).toEqual({ accountEnd });
  });

  it('tells cards and accounts apart', () => {
    const [card, account] = [{ firstSix: '411111', lastFour: '1111' }, { accountEnd: '1111' }];
    expect(haveSameDigits(card, { ...card })).toBe(true);
    expect(haveSameDigits(account, { ...account })).toBe(true);
    expect(haveSameDigits(undefined, undefined)).toBe(true);
    for (const other of [account, undefined, { ...card, lastFour: '1112' }, { ...card, firstSix: '411112' }]) {
      expect(haveSameDigits(card, other)).toBe(false);
      expect(haveSameDigits(other, card)).toBe(false);
    }
  });
});
