import { describe, expect, it } from 'vitest';
import { brandOf, brandRanges } from '../../domain/card/card.ts';
import { mail } from '../../operations/field-kinds.ts';
import { Unreadable } from '../../operations/form.ts';
import { brandFor, groupsOf, lengthOfCode, parseBrands } from '../browser/card-brands.ts';
import { emailFault, expiryFault, formatExpiry, numberFault, phoneFault } from '../browser/card-checks.ts';
import { expiryOf } from './fields.ts';

const ranges = parseBrands(brandRanges());

describe('the card form’s script', () => {
  it.each([
    '4111111111111111',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '30569309025904',
    '6011000990139424',
    '3566002020360505',
    '6200000000000005',
    '2200770239097761',
  ])('says the brand of %s as the service does', (number) => {
    expect(brandFor(number, ranges)).toBe(brandOf(number));
  });

  it('says a brand as soon as the first digits tell, and none before', () => {
    expect(brandFor('4', ranges)).toBe('VISA');
    expect(brandFor('34', ranges)).toBe('AMEX');
    expect(brandFor('3', ranges)).toBeUndefined();
    expect(brandFor('', ranges)).toBeUndefined();
  });

  it.each([
    ['4111111111111111', 'VISA', '4111 1111 1111 1111'],
    ['41111', 'VISA', '4111 1'],
    ['378282246310005', 'AMEX', '3782 822463 10005'],
    ['30569309025904', 'DINERS', '3056 930902 5904'],
    ['12345678901234567890123', undefined, '1234 5678 9012 3456 789'],
    ['', undefined, ''],
  ])('groups %s of %s', (digits, brand, text) => {
    expect(groupsOf(digits, brand)).toBe(text);
  });

  it('asks for as many digits of the security code as the brand has', () => {
    expect([lengthOfCode('AMEX'), lengthOfCode('VISA'), lengthOfCode(undefined)]).toEqual([4, 3, 4]);
  });

  it.each([
    ['1', '1'],
    ['8', '08 / '],
    ['08', '08 / '],
    ['082', '08 / 2'],
    ['0829', '08 / 29'],
    ['08/2029', '08 / 2029'],
    ['1/', '01 / '],
    ['1/30', '01 / 30'],
    ['1 ', '01 / '],
    ['01 / /', '01 / '],
    ['0/', '0'],
    ['٠٨٢٩', '08 / 29'],
    ['۱/', '01 / '],
  ])('writes %s as %s while it is typed', (typed, text) => {
    expect(formatExpiry(typed)).toBe(text);
  });

  it.each([
    ['08 / 29', undefined],
    ['8/29', undefined],
    ['0829', undefined],
    ['06 / 26', undefined],
    ['05 / 26', 'expired'],
    ['13 / 29', 'wrong'],
    ['00 / 29', 'wrong'],
    ['1', 'wrong'],
  ])('finds %s %s in June 2026', (text, fault) => {
    expect(expiryFault(text, new Date(Date.UTC(2026, 5, 15)))).toBe(fault);
  });

  it.each([
    ['ann@example.com', false],
    [' ann@localhost ', false],
    ['ann', true],
    ['ann@', true],
    ['a b@example.com', true],
    ['a@b@example.com', true],
  ])('finds the address %s wrong as the service does: %s', (text, isWrong) => {
    expect(emailFault(text)).toBe(isWrong);
    expect(mail.read(text.trim(), { now: 0 }) instanceof Unreadable).toBe(isWrong);
  });

  it.each([
    ['+44 20 7946 0958', false],
    ['+1 (555) 123-4567', false],
    ['none', true],
    ['+', true],
    ['1234567890123456', true],
  ])('finds the phone number %s wrong: %s', (text, isWrong) => {
    expect(phoneFault(text)).toBe(isWrong);
  });

  it('finds wrong numbers', () => {
    expect(['4111111111111111', '4111111111111112', '411111', ''].map(numberFault)).toEqual([false, true, true, true]);
  });
});

describe('the expiry on the server', () => {
  it.each([
    ['08 / 29', '08', '29'],
    ['8/2029', '8', '2029'],
    ['0829', '08', '29'],
    ['08-29', '08', '29'],
    ['082029', '08', '2029'],
  ])('reads %s', (text, month, year) => {
    expect(expiryOf(text)).toEqual([
      ['expire_month', month],
      ['expire_year', year],
    ]);
  });

  it('leaves anything else to be found wrong', () => {
    expect(expiryOf('soon')).toEqual([['expire_month', 'soon']]);
    // A pattern that tries every way to divide the blanks would take minutes.
    expect(expiryOf(`1${' '.repeat(130_000)}x`)).toEqual([['expire_month', `1${' '.repeat(39)}`]]);
    expect(expiryOf('')).toEqual([]);
  });
});
