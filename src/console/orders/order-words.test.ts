import { expect, it } from 'vitest';
import { movedName, whereMoneyIs } from './order-words.ts';

type Facts = Parameters<typeof whereMoneyIs>[0];

const order = (changes: Partial<Facts> = {}): Facts => ({
  status: 'approved',
  operation: 'sale',
  authorised: '10.42',
  captured: '10.42',
  released: '0.00',
  reversed: '0.00',
  transactions: [{ type: 'sale', stage: 'approved', declineCode: null, filterReason: null }],
  bookings: [{ account: 'clearing' }, { account: 'merchant' }],
  ...changes,
});

const ended = (stage: string, more: object = {}) => [
  { type: 'sale', stage, declineCode: null, filterReason: null, ...more },
];

const booked = (...accounts: string[]) => ({ bookings: accounts.map((account) => ({ account })) });
const toCard = { operation: 'transfer', ...booked('clearing', 'transit', 'transit', 'clearing') };
const fromBalance = booked('merchant', 'reserved', 'reserved', 'clearing');

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
  [{ status: 'unknown', transactions: ended('asking') }, /bank is being asked/],
  [{ status: 'unknown', transactions: ended('stuck') }, /^The bank gave no answer.*A person has to settle it\.$/],
  [{ operation: 'payout', ...fromBalance }, /^The money was paid out\.$/],
  [{ operation: 'transfer', ...fromBalance }, /^The money was paid out\.$/],
  [toCard, /^The money was moved from card to card\.$/],
  [
    { ...toCard, status: 'declined', captured: '0.00', transactions: ended('declined', { declineCode: '116' }) },
    /^The money was taken from the sender's card and given back: .*enough funds/,
  ],
  [{ operation: 'transfer', status: 'declined', captured: '0.00', ...booked() }, /^No money moved\./],
  [{ status: 'error' }, /without a payment/],
  [{ status: 'processing', transactions: ended('waiting') }, /somebody's word/],
  [{ status: 'processing', transactions: ended('awaiting-payer') }, /not entered a card/],
  [{ status: 'processing', transactions: ended('sending') }, /on its way/],
])('%j', (changes, words) => {
  expect(whereMoneyIs(order(changes))).toMatch(words);
});

it.each<[Partial<Facts>, string]>([
  [{}, 'Taken'],
  [{ operation: 'payout', ...fromBalance }, 'Paid out'],
  [{ operation: 'transfer', ...fromBalance }, 'Paid out'],
  [toCard, 'Moved from card to card'],
])('%j: %s', (changes, name) => {
  expect(movedName(order(changes))).toBe(name);
});
