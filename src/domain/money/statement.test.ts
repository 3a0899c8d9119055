import { describe, expect, it } from 'vitest';
import { type BookedInDay, balanceStatement } from './statement.ts';

const booked = (day: string, type: BookedInDay['type'], amount: bigint, count = 1): BookedInDay => {
  return { day, type, amount, isIn: amount > 0n, count };
};

describe('a statement', () => {
  it('begins with what was there before, and ends with what is there when its last day is over', () => {
    const all = [
      booked('2027-01-02', 'sale', 1000n, 2),
      booked('2027-01-02', 'reversal', -300n),
      booked('2027-01-04', 'capture', 500n),
      booked('2027-01-04', 'payout', -400n),
      booked('2027-01-04', 'payout', 100n),
      booked('2027-01-05', 'chargeback', -50n),
      booked('2027-01-09', 'sale', 7n),
    ];
    expect(balanceStatement(all, 2000n, '2027-01-05')).toEqual({
      opening: 1143n,
      closing: 1993n,
      totals: { taken: 1500n, returned: -300n, chargedBack: -50n, paidOut: -300n },
      days: [
        { day: '2027-01-02', taken: 1000n, returned: -300n, chargedBack: 0n, paidOut: 0n, count: 3, balance: 1843n },
        { day: '2027-01-04', taken: 500n, returned: 0n, chargedBack: 0n, paidOut: -300n, count: 3, balance: 2043n },
        { day: '2027-01-05', taken: 0n, returned: 0n, chargedBack: -50n, paidOut: 0n, count: 1, balance: 1993n },
      ],
    });
  });

  it('counts a payout that came back as not paid out', () => {
    const all = [booked('2027-01-04', 'payout', -400n), booked('2027-01-04', 'reversal', 400n)];
    expect(balanceStatement(all, 500n, '2027-01-05').totals).toMatchObject({ returned: 0n, paidOut: 0n });
  });

  it('of nothing is what is there', () => {
    expect(balanceStatement([], 5n, '2027-01-05')).toMatchObject({ opening: 5n, closing: 5n, days: [] });
  });

  it('is refused where something is booked that nobody knows', () => {
    expect(() => balanceStatement([booked('2027-01-01', 'preauth', 1n)], 1n, '2027-01-01')).toThrow(/preauth/);
  });
});
