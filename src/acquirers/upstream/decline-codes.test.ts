import { describe, expect, it } from 'vitest';
import { meaningOf } from '../../domain/acquirer/action-codes.ts';
import { isFinalDecline } from '../../domain/card/network-limits.ts';
import { errors } from '../../domain/errors.ts';
import { declineCodeOf, type EndedStatus, mayExistAlready, refusalCodeOf } from './decline-codes.ts';

describe('the action code of an order that ended without money', () => {
  it.each<[EndedStatus, string | undefined, string]>([
    ['declined', '116', '116'],
    ['declined', '209', '209'],
    ['declined', '907', '907'],
    ['declined', '190', '190'],
    ['declined', undefined, '100'],
    ['declined', '', '100'],
    ['declined', '000', '100'],
    ['declined', '400', '100'],
    ['declined', '1160', '100'],
    ['declined', 'no', '100'],
    ['filtered', '70', '104'],
    ['filtered', '72', '100'],
    ['filtered', '75', '123'],
    ['filtered', '9999', '100'],
    ['error', '504', '911'],
    ['error', '47', '909'],
    ['error', undefined, '909'],
  ])('%s %j is %s', (status, errorCode, action) => {
    expect(declineCodeOf(status, errorCode)).toBe(action);
  });
});

describe('a refusal of the provider', () => {
  const refusals = Object.values(errors).filter(({ code }) => code < 500);

  it.each(refusals)('with code $code is known: certain, or to be asked about', ({ code }) => {
    const action = refusalCodeOf(String(code));
    if (mayExistAlready(String(code))) return;
    expect(action).toMatch(/^[19]\d\d$/);
    expect(meaningOf(action ?? '')).not.toContain('not known');
    // No card is given up because of what a provider thinks of a request.
    expect(isFinalDecline(action ?? '')).toBe(false);
  });

  it('is not certain when the code is none of the interface', () => {
    for (const code of ['', '0', '499', '500', '503', 'x']) expect(refusalCodeOf(code)).toBeUndefined();
  });
});
