import { expect, it } from 'vitest';
import type { OutcomeRow } from '../../storage/figures/figures.ts';
import { totalsOf } from './overview-sums.ts';

const row = (operation: OutcomeRow['operation'], changes: Partial<OutcomeRow> = {}): OutcomeRow => ({
  ...{ status: 'approved', currency: 'USD', orders: 1, amount: 1042n },
  operation,
  ...changes,
});
const usd = (minor: bigint) => ({ minor, currency: 'USD' });

it('adds up payments and payouts, each by itself, and leaves transfers out of both', () => {
  const rows = [row('sale'), row('rebill'), row('payout', { amount: 7n }), row('transfer', { amount: 100_000n })];
  expect(totalsOf([...rows, row('sale', { status: 'declined' })])).toEqual({
    ...{ orders: 5, approved: 4, declined: 1, stopped: 0, unfinished: 0, approvalRate: 80 },
    volumes: [{ currency: 'USD', approved: usd(2084n), paidOut: usd(7n) }],
  });
});

it('has no money of a currency in which there were transfers alone', () => {
  expect(totalsOf([row('transfer')])).toMatchObject({ approved: 1, volumes: [] });
});
