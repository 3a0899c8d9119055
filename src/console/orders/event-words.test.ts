import { expect, it } from 'vitest';
import type { ChangedOrder } from '../../administration/orders/order-text.ts';
import { eventWords } from './event-words.ts';

const told = (event: ChangedOrder) => {
  const { what, title, facts } = eventWords(event);
  const all = facts.filter(([, value]) => value !== undefined).map((fact) => fact.join(': '));
  return [what, title, ...all].join(' | ');
};

it.each<[ChangedOrder, string]>([
  [
    { type: 'order-started', stage: 'sending' },
    'change | The order is made. It is sent to the bank | Screening: limits and lists let it through',
  ],
  [{ type: 'order-started', stage: 'awaiting-payer' }, 'change | The order is made. The payer is asked for a card'],
  [
    { type: 'order-started', stage: 'filtered', filterReason: 'duplicate-payment' },
    'screening | The order is made. Limits or lists stopped it | Screening: ',
  ],
  [
    { type: 'transaction-moved', seq: 1, from: 'sending', to: 'approved', answer: { approvalCode: 'A1', rrn: '5' } },
    'bank | The bank approved it | Transaction: 1 | Approval code: A1 | RRN: 5',
  ],
  [
    { type: 'transaction-moved', seq: 1, from: 'sending', to: 'declined', answer: { code: '116' } },
    'bank | It was declined | Transaction: 1 | Decline code: 116: There are not enough funds.',
  ],
  [
    {
      type: 'transaction-begun',
      transaction: { seq: 2, type: 'reversal', stage: 'sending', terminal: 'bank' },
      by: { asked: 'ann by session 1', approved: 'bob by session 2' },
      reason: 'ticket 77',
    },
    'person | A return is begun | Transaction: 2 | Terminal: bank | Asked for by: ann by session 1 | Approved by: bob by session 2 | Because: ticket 77',
  ],
  [{ type: 'hold-ended', seq: 1 }, 'change | The hold has run out | Transaction: 1'],
  [{ type: 'something-new' }, 'change | something-new'],
])('%j', (event, words) => {
  expect(told(event)).toContain(words);
});
