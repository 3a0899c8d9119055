import { describe, expect, it } from 'vitest';
import type { Order, Transaction } from './order.ts';
import { laterMoves, type ReceiptStanding, restOf, standingAmount, standingOf } from './receipt.ts';
import type { Stage } from './stages.ts';
import type { TransactionType } from './transaction-types.ts';

type Sums = Partial<Pick<Order, 'authorised' | 'captured' | 'released' | 'reversed'>>;

function order(type: TransactionType, stage: Stage, sums: Sums = {}, later: Partial<Transaction>[] = []): Order {
  const transactions = [
    { seq: 1, type, stage, amount: 1000n, originalSeq: undefined },
    ...later.map((one, index) => ({ seq: index + 2, originalSeq: 1, ...one })),
  ];
  return { authorised: 0n, captured: 0n, released: 0n, reversed: 0n, ...sums, transactions } as unknown as Order;
}

const sold = { authorised: 1000n, captured: 1000n };
const held = { authorised: 1000n };

describe('how an order stands', () => {
  it.each<[TransactionType, Stage, Sums, ReceiptStanding]>([
    ['sale', 'approved', sold, 'paid'],
    ['sale', 'approved', { ...sold, reversed: 1n }, 'partly-refunded'],
    ['sale', 'approved', { ...sold, reversed: 1000n }, 'refunded'],
    ['preauth', 'approved', held, 'held'],
    ['preauth', 'approved', { ...held, released: 400n }, 'held'],
    ['preauth', 'approved', { ...held, released: 1000n }, 'released'],
    ['preauth', 'approved', { ...held, captured: 300n }, 'paid'],
    ['preauth', 'approved', { ...held, captured: 300n, released: 700n }, 'paid'],
    ['preauth', 'approved', { ...held, captured: 300n, reversed: 300n }, 'refunded'],
    ['account-verification', 'approved', {}, 'confirmed'],
    ['pan-eligibility', 'approved', {}, 'confirmed'],
    ['payout', 'approved', sold, 'sent'],
    ['payout', 'approved', { ...sold, reversed: 1000n }, 'returned'],
    ['transfer', 'approved', sold, 'sent'],
    ['sale', 'awaiting-payer', {}, 'in-progress'],
    ['sale', 'authenticating', {}, 'in-progress'],
    ['sale', 'sending', {}, 'in-progress'],
    ['sale', 'asking', {}, 'in-progress'],
    ['sale', 'stuck', {}, 'in-progress'],
    ['payout', 'waiting', {}, 'in-progress'],
    ['sale', 'declined', {}, 'declined'],
    ['sale', 'given-up', {}, 'declined'],
    ['sale', 'filtered', {}, 'filtered'],
    ['sale', 'error', {}, 'failed'],
    ['sale', 'abandoned', {}, 'failed'],
    ['payout', 'expired', {}, 'failed'],
  ])('%s, %s, %o: %s', (type, stage, sums, standing) => {
    expect(standingOf(order(type, stage, sums))).toBe(standing);
  });
});

describe('the amount that stands at the top', () => {
  it.each<[TransactionType, Stage, Sums, bigint]>([
    ['sale', 'approved', sold, 1000n],
    ['sale', 'approved', { ...sold, reversed: 400n }, 1000n],
    ['sale', 'declined', {}, 1000n],
    ['payout', 'approved', sold, 1000n],
    ['preauth', 'declined', {}, 1000n],
    ['preauth', 'sending', {}, 1000n],
    ['preauth', 'approved', held, 1000n],
    ['preauth', 'approved', { ...held, released: 400n }, 600n],
    ['preauth', 'approved', { ...held, released: 1000n }, 1000n],
    ['preauth', 'approved', { ...held, captured: 300n }, 300n],
    ['preauth', 'approved', { ...held, captured: 300n, released: 700n }, 300n],
    ['preauth', 'approved', { ...held, captured: 300n, reversed: 300n }, 300n],
  ])('%s, %s, %o: %d', (type, stage, sums, amount) => {
    expect(standingAmount(order(type, stage, sums))).toBe(amount);
  });
});

describe('what has happened since', () => {
  it('is what was made or is being made of the money', () => {
    const later = (['approved', 'declined', 'sending', 'error', 'stuck'] as const).map((stage) => ({
      ...{ type: 'reversal' as const, stage },
    }));
    const refunded = order('sale', 'approved', { ...sold, reversed: 300n }, later);
    expect(laterMoves(refunded).map(({ stage }) => stage)).toEqual(['approved', 'sending', 'stuck']);
    expect(restOf(refunded)).toBe(700n);
  });

  it.each([[[]], [[{ type: 'reversal' as const, stage: 'sending' as const }]]])('is nothing yet: %j', (later) => {
    expect(restOf(order('sale', 'approved', sold, later))).toBeUndefined();
  });

  it('is no sum of what somebody has paid who was to be paid', () => {
    const returned = order('payout', 'approved', { ...sold, reversed: 1000n }, [
      { type: 'reversal', stage: 'approved' },
    ]);
    expect(laterMoves(returned)).toHaveLength(1);
    expect(restOf(returned)).toBeUndefined();
  });

  it('leaves out earlier tries', () => {
    const tried = order('sale', 'declined', {}, [{ type: 'sale', stage: 'approved', originalSeq: undefined }]);
    expect(laterMoves(tried)).toEqual([]);
  });
});
