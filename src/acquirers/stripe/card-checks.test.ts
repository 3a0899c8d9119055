import { describe, expect, it } from 'vitest';
import { checksOf } from './card-checks.ts';

const checks = (line1: string | null, postal: string | null, cvc: string | null) =>
  checksOf({
    checks: { address_line1_check: line1, address_postal_code_check: postal, cvc_check: cvc },
  });

describe('checksOf', () => {
  it.each([
    ['pass', 'pass', 'Y'],
    ['pass', 'fail', 'A'],
    ['fail', 'pass', 'Z'],
    ['fail', 'fail', 'N'],
    ['pass', null, 'B'],
    ['pass', 'unavailable', 'B'],
    [null, 'pass', 'P'],
    ['unchecked', 'pass', 'P'],
    [null, 'fail', 'N'],
    ['unavailable', 'fail', 'N'],
    ['unavailable', 'unavailable', 'U'],
    ['unavailable', null, 'U'],
  ])('street %s and postal code %s are %s', (street, postal, address) => {
    expect(checks(street, postal, null)).toEqual({ checks: { address } });
  });

  it.each([
    ['pass', 'M'],
    ['fail', 'N'],
    ['unavailable', 'U'],
    ['unchecked', 'P'],
  ])('a security code that is %s is %s', (result, securityCode) => {
    expect(checks(null, null, result)).toEqual({ checks: { securityCode } });
  });

  it('says nothing when nothing was checked', () => {
    expect(checks(null, null, null)).toEqual({});
    expect(checks('unchecked', 'unchecked', 'never seen')).toEqual({});
    expect(checksOf(undefined)).toEqual({});
  });
});
