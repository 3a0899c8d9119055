import { describe, expect, it } from 'vitest';
import type { ControlKey, Merchant } from '../domain/merchant/merchant.ts';
import { Secret } from '../domain/secret.ts';
import { signingKeys } from './message.ts';

const NOW = 1_000;

const key = (name: string, changes: Partial<ControlKey> = {}): ControlKey => ({
  ...{ keyId: name, validFrom: 0, validUntil: undefined, operations: [], key: new Secret(name) },
  ...changes,
});

const signing = (...controlKeys: ControlKey[]) =>
  signingKeys({ controlKeys } as unknown as Merchant, NOW).map((one) => one.reveal());

describe('callbacks are signed', () => {
  it('with the keys that are valid, the newest first', () => {
    expect(signing(key('old'), key('ended', { validUntil: NOW }), key('new', { validFrom: 1 }))).toEqual([
      'new',
      'old',
    ]);
  });

  it('with no key that is limited to operations, however new it is', () => {
    expect(signing(key('shop'), key('poll', { validFrom: 1, operations: ['STATUS'] }))).toEqual(['shop']);
  });

  it('with limited keys where the merchant has no other', () => {
    expect(signing(key('poll', { operations: ['STATUS'] }))).toEqual(['poll']);
  });
});
