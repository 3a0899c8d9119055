import { describe, expect, it } from 'vitest';
import type { Order, Transaction } from '../order/order.ts';
import { attemptsOf, isCardAttempt, type NotedAttempt } from './card-attempts.ts';

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

describe('what an attempt counts as', () => {
  const NOTED: NotedAttempt = {
    ...{ at: 5, amount: 100n, currency: 'EUR', stage: 'sending', declineCode: undefined },
    ...{ alternatives: [], terminal: 'a', route: undefined },
  };
  const route = { terminals: ['a', 'b', 'c'], reason: 'by rules' };

  it.each<[string, Partial<NotedAttempt>, bigint[]]>([
    ['in flight', {}, [100n]],
    ['nobody knows about', { stage: 'stuck' }, [100n]],
    ['declined', { stage: 'declined', declineCode: '116' }, [100n]],
    ['settled by a person', { stage: 'declined' }, [100n]],
    ['passed on after a decline', { stage: 'passed-on', declineCode: '116' }, [100n]],
    ['passed on without an answer', { stage: 'passed-on' }, []],
    ['approved', { stage: 'approved' }, []],
    ['stopped by a rule', { stage: 'filtered' }, []],
    ['taken back', { stage: 'error' }, []],
    ['in flight, with other amounts to try', { alternatives: [70n, 50n] }, [100n, 70n, 50n]],
    ['declined, with other amounts', { stage: 'declined', declineCode: '116', alternatives: [70n] }, [100n]],
    ['at the first of three terminals', { route }, [100n, 100n, 100n]],
    ['at the last of them', { route, terminal: 'c' }, [100n]],
    ['declined at the first of them', { route, stage: 'declined', declineCode: '116' }, [100n]],
    ['with both', { route, terminal: 'b', alternatives: [70n] }, [100n, 70n, 100n]],
  ])('%s', (_, noted, minors) => {
    const attempts = minors.map((minor) => ({ at: 5, minor, currency: 'EUR' }));
    expect(attemptsOf({ ...NOTED, ...noted })).toEqual(attempts);
  });
});
