import { describe, expect, it } from 'vitest';
import { meaningOf } from '../acquirer/action-codes.ts';
import type { Endpoint } from '../merchant/merchant.ts';
import type { OrderOperation } from '../order/order.ts';
import {
  type AuthenticationStatus,
  type AuthenticationVerdict,
  eciFor,
  isAuthenticationDecline,
  judgeAuthentication,
  needsAuthentication,
} from './authentication.ts';

const typed = { typed: {} };
const stored = { stored: {} };

describe('who must prove to be the cardholder', () => {
  it.each<[Endpoint['threeDSecure'], OrderOperation, typeof typed | typeof stored | undefined, boolean]>([
    ['required', 'sale', typed, true],
    ['required', 'preauth', typed, true],
    ['required', 'account-verification', typed, true],
    ['required', 'transfer', typed, true],
    ['optional', 'sale', typed, true],
    ['none', 'sale', typed, false],
    ['required', 'transfer', stored, false],
    ['required', 'transfer', undefined, false],
    ['required', 'rebill', stored, false],
    ['required', 'rebill', typed, false],
    ['required', 'recurring', stored, false],
    ['required', 'payout', typed, false],
    ['required', 'pan-eligibility', typed, false],
  ])('gate %s · %s · %j → %s', (threeDSecure, operation, card, needed) => {
    expect(needsAuthentication({ threeDSecure }, operation, card)).toBe(needed);
  });
});

describe('the indicator where the issuer gave none', () => {
  it.each<[string, AuthenticationStatus, string]>([
    ['VISA', 'Y', '05'],
    ['VISA', 'A', '06'],
    ['AMEX', 'U', '07'],
    ['MASTERCARD', 'Y', '02'],
    ['MAESTRO', 'A', '01'],
    ['MASTERCARD', 'I', '00'],
  ])('%s · %s → %s', (brand, status, eci) => {
    expect(eciFor(brand, status)).toBe(eci);
  });
});

describe('what follows from how it went', () => {
  const shift: AuthenticationVerdict = { word: 'pass', liabilityShift: true };
  const pass: AuthenticationVerdict = { word: 'pass', liabilityShift: false };
  const refuse = (code: string): AuthenticationVerdict => ({ word: 'refuse', code });

  it.each<[Endpoint['threeDSecure'], Endpoint['unauthenticated'], AuthenticationStatus, AuthenticationVerdict]>([
    ['required', 'by-gate', 'Y', shift],
    ['required', 'by-gate', 'A', shift],
    ['required', 'by-gate', 'N', refuse('190')],
    ['required', 'by-gate', 'R', refuse('190')],
    ['required', 'by-gate', 'U', refuse('191')],
    ['required', 'by-gate', 'I', refuse('191')],
    ['optional', 'by-gate', 'Y', shift],
    ['optional', 'by-gate', 'A', shift],
    ['optional', 'by-gate', 'N', refuse('190')],
    ['optional', 'by-gate', 'R', refuse('190')],
    ['optional', 'by-gate', 'U', pass],
    ['optional', 'by-gate', 'I', pass],
    ['required', 'pass', 'U', pass],
    ['required', 'pass', 'I', pass],
    ['required', 'pass', 'N', refuse('190')],
    ['optional', 'refuse', 'U', refuse('191')],
    ['optional', 'refuse', 'I', refuse('191')],
    ['optional', 'refuse', 'Y', shift],
  ])('gate %s, set to %s · %s → %j', (threeDSecure, unauthenticated, status, verdict) => {
    expect(judgeAuthentication({ threeDSecure, unauthenticated }, { status, cancelled: false })).toEqual(verdict);
  });

  it('says so when the payer cancelled', () => {
    const endpoint = { threeDSecure: 'optional', unauthenticated: 'by-gate' } as const;
    expect(judgeAuthentication(endpoint, { status: 'N', cancelled: true })).toEqual(refuse('193'));
  });

  it('is told in words of its own, which speak of 3-D Secure', () => {
    for (const code of ['190', '191', '192', '193']) {
      expect(isAuthenticationDecline(code)).toBe(true);
      expect(meaningOf(code)).toContain('3-D Secure');
    }
    for (const code of ['100', '189', '194', '209']) expect(isAuthenticationDecline(code)).toBe(false);
  });
});
