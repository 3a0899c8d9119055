import { expect, it } from 'vitest';
import { type Comparable, likelyTwice, nearestTwin } from './likely-twice.ts';

const order = (orderId: number, changes: Partial<Comparable> = {}): Comparable => ({
  orderId,
  login: 'shop',
  operation: 'sale',
  status: 'approved',
  card: '411111...1111',
  amount: '10.42',
  currency: 'USD',
  reversed: '0.00',
  createdAt: '2027-01-31T12:00:00Z',
  ...changes,
});

const twinsOf = (...orders: Comparable[]) => [...likelyTwice(orders)].map(([id, twin]) => [id, twin.orderId]);

it('the same card and amount, a short time apart, is marked on both', () => {
  expect(twinsOf(order(1), order(2, { createdAt: '2027-01-31T12:59:00Z' }))).toEqual([
    [1, 2],
    [2, 1],
  ]);
});

it('of three the nearest is named', () => {
  const [second, third] = ['2027-01-31T12:30:00Z', '2027-01-31T12:31:00Z'];
  expect(twinsOf(order(1), order(2, { createdAt: second }), order(3, { createdAt: third }))).toEqual([
    [1, 2],
    [2, 3],
    [3, 2],
  ]);
});

it.each<[string, Partial<Comparable>]>([
  ['another card', { card: '411111...1112' }],
  ['another amount', { amount: '10.43' }],
  ['another currency', { currency: 'EUR' }],
  ['another merchant', { login: 'other' }],
  ['a decline', { status: 'declined' }],
  ['a payout', { operation: 'payout' }],
  ['one that was given back', { reversed: '10.42' }],
  ['one long after', { createdAt: '2027-01-31T13:00:01Z' }],
])('%s is no twin', (_, changes) => {
  expect(twinsOf(order(1), order(2, changes))).toEqual([]);
});

it('no card is nobody’s card', () => {
  expect(twinsOf(order(1, { card: null }), order(2, { card: null }))).toEqual([]);
});

it('what may have been charged counts too', () => {
  expect(twinsOf(order(1), order(2, { status: 'unknown' }))).toHaveLength(2);
});

it('what was given back is no twin any more, and is still named to whoever looks at one of them', () => {
  const [kept, back] = [order(1), order(2, { reversed: '10.42' })];
  expect(twinsOf(kept, back)).toEqual([]);
  expect([nearestTwin(kept, [kept, back]), nearestTwin(back, [kept, back])]).toEqual([back, kept]);
});
