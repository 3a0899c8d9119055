import { describe, expect, it } from 'vitest';
import type { Order, Transaction } from '../order/order.ts';
import { isCardAttempt } from './network-limits.ts';

type Case = readonly [Order['operation'], Transaction['type'], Transaction['stage'], code: string | undefined, boolean];

describe('an attempt on a card', () => {
  it.each<Case>([
    // A merchant's own charge counts from its start.
    ['rebill', 'sale', 'sending', undefined, true],
    ['rebill', 'preauth', 'sending', undefined, true],
    ['recurring', 'sale', 'sending', undefined, true],
    ['rebill', 'sale', 'asking', undefined, true],
    ['rebill', 'sale', 'declined', '116', true],
    ['recurring', 'sale', 'approved', undefined, true],
    ['rebill', 'sale', 'filtered', undefined, true],
    // A payer's payment counts once it is declined.
    ['sale', 'sale', 'sending', undefined, false],
    ['sale', 'sale', 'asking', undefined, false],
    ['sale', 'sale', 'approved', undefined, false],
    ['sale', 'sale', 'filtered', undefined, false],
    ['sale', 'sale', 'error', undefined, false],
    ['sale', 'sale', 'awaiting-payer', undefined, false],
    ['sale', 'sale', 'declined', '116', true],
    ['preauth', 'preauth', 'declined', '100', true],
    ['account-verification', 'account-verification', 'declined', '111', true],
    // An operator settled it without a code.
    ['sale', 'sale', 'declined', undefined, true],
    // Nobody asked the issuer: 3-D Secure refused, was not there, took too long, or was cancelled; the code was lost.
    ['sale', 'sale', 'declined', '189', true],
    ['sale', 'sale', 'declined', '190', false],
    ['sale', 'sale', 'declined', '191', false],
    ['sale', 'sale', 'declined', '192', false],
    ['preauth', 'preauth', 'declined', '193', false],
    ['sale', 'sale', 'declined', '194', false],
    ['sale', 'sale', 'declined', '195', true],
    // Money that is sent to a card asks nothing of it.
    ['transfer', 'transfer', 'declined', '116', false],
    ['payout', 'payout', 'declined', '116', false],
    ['pan-eligibility', 'pan-eligibility', 'declined', '116', false],
  ])('%s: a %s that is %s with code %s: %s', (operation, type, stage, code, expected) => {
    const answer = code === undefined ? undefined : ({ word: 'declined', code } as const);
    expect(isCardAttempt({ operation }, { type, stage, answer, originalSeq: undefined })).toBe(expected);
  });

  it.each<[Order['operation'], Transaction['type']]>([
    ['sale', 'void'],
    ['preauth', 'capture'],
    ['rebill', 'reversal'],
  ])('%s: a %s of what was paid is none, also when it is declined', (operation, type) => {
    const answer = { word: 'declined', code: '116' } as const;
    expect(isCardAttempt({ operation }, { type, stage: 'declined', answer, originalSeq: 1 })).toBe(false);
  });
});
