import { describe, expect, it } from 'vitest';
import type { VerificationFinding } from '../../domain/order/verification.ts';
import type { VerifiedPart } from './verify.ts';
import { checkedText, verdictOf, verifyWhole } from './whole-verification.ts';

/** So many parts, each with so many findings. */
function verified(parts: number, kind: VerificationFinding['kind'], each: number) {
  let asked = 0;
  const ask = async (): Promise<VerifiedPart> => {
    asked += 1;
    const findings = Array.from({ length: each }, (_, index) => ({ kind, place: `order ${index}`, cause: 'so' }));
    const next = asked < parts ? String(asked) : null;
    return {
      checked: { what: 'orders', count: each },
      findings,
      archived: { orders: 0, files: [], stored: [] },
      total: null,
      next,
    };
  };
  return verifyWhole(ask, { show: () => {} });
}

describe('a verification of everything', () => {
  it('is good when everything was looked at and nothing is wrong', async () => {
    const whole = await verified(3, 'violation', 0);
    expect([whole.ok, whole.isWhole, verdictOf(whole)]).toEqual([true, true, 'Everything is as it must be']);
  });

  it('never says that all is as it must be while orders could not be played again', async () => {
    const whole = await verified(1, 'violation', 0);
    const verdict = verdictOf({ ...whole, checked: { orders: 3 }, unreplayed: { orders: 2, files: ['a.gz'] } });
    expect(verdict).toBe('Nothing is wrong in what could be verified: of 3 orders 2 could not be played again');
  });

  it('tells how much was looked at, and one thing as one', () => {
    const checked = { orders: 1, merchants: 12_000, 'audit entries': 1 };
    expect(checkedText({ checked })).toBe('1 order, 12,000 merchants, 1 audit entry');
  });

  it('goes on however much waits for a person, and counts what it does not list', async () => {
    const { ok, isWhole, waiting, moreWaiting, checked } = await verified(5, 'waiting', 4_000);
    expect({ ok, isWhole, listed: waiting.length, moreWaiting, checked }).toEqual({
      ...{ ok: true, isWhole: true, listed: 10_000, moreWaiting: 10_000, checked: { orders: 20_000 } },
    });
  });

  it('ends at many violations, and says that it did not look at the rest', async () => {
    const broken = await verified(5, 'violation', 4_000);
    expect([broken.ok, broken.isWhole, broken.checked]).toEqual([false, false, { orders: 12_000 }]);
    expect(verdictOf(broken)).toBe('12000 violations, at which it ended: the rest was not looked at');
    const all = await verified(3, 'violation', 4_000);
    expect([all.ok, all.isWhole, verdictOf(all)]).toEqual([false, true, '12000 violations']);
  });
});
