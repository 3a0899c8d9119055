import { expect, it } from 'vitest';
import { whereMoneyIs } from './order-words.ts';

type Facts = Parameters<typeof whereMoneyIs>[0];

const order = (changes: Partial<Facts> = {}): Facts => ({
  status: 'approved',
  operation: 'sale',
  authorised: '10.42',
  captured: '10.42',
  released: '0.00',
  reversed: '0.00',
  transactions: [{ type: 'sale', stage: 'approved', declineCode: null, filterReason: null }],
  ...changes,
});

const ended = (stage: string, more: object = {}) => [
  { type: 'sale', stage, declineCode: null, filterReason: null, ...more },
];

it.each<[Partial<Facts>, RegExp]>([
  [{}, /^The money was taken\.$/],
  [{ reversed: '10.42' }, /taken and given back/],
  [{ reversed: '1.00' }, /part of it was given back/],
  [{ captured: '0.00' }, /held, not taken/],
  [{ captured: '0.00', released: '10.42' }, /hold was released/],
  [{ captured: '0.00', authorised: '0.00' }, /bank approved it/],
  [{ status: 'declined', transactions: ended('declined', { declineCode: '116' }) }, /^No money moved\..*enough funds/],
  [{ status: 'declined', transactions: ended('declined') }, /^No money moved\. The bank declined it/],
  [{ status: 'filtered', transactions: ended('filtered', { filterReason: 'duplicate-payment' }) }, /before any bank/],
  [{ status: 'unknown' }, /Nobody knows yet/],
  [{ status: 'error' }, /without a payment/],
  [{ status: 'processing', transactions: ended('waiting') }, /somebody's word/],
  [{ status: 'processing', transactions: ended('awaiting-payer') }, /not entered a card/],
  [{ status: 'processing', transactions: ended('sending') }, /on its way/],
])('%j', (changes, words) => {
  expect(whereMoneyIs(order(changes))).toMatch(words);
});
