// What became of an order, in words for whoever talks to its payer.

import type { WholeOrderAnswer } from '../../administration/orders/order-answers.ts';
import { meaningOf } from '../../domain/acquirer/action-codes.ts';
import { type ErrorName, errors } from '../../domain/errors.ts';

type OrderFacts = Pick<
  WholeOrderAnswer,
  'status' | 'operation' | 'captured' | 'reversed' | 'authorised' | 'released'
> & {
  readonly bookings: readonly Pick<WholeOrderAnswer['bookings'][number], 'account'>[];
  readonly transactions: readonly Pick<
    WholeOrderAnswer['transactions'][number],
    'type' | 'stage' | 'declineCode' | 'filterReason'
  >[];
};

const isSome = (amount: string) => /[1-9]/.test(amount);

/** One sentence: where the money is. */
export function whereMoneyIs(order: OrderFacts): string {
  const { status, captured, authorised, released } = order;
  const first = order.transactions.findLast(({ declineCode, filterReason }) => declineCode ?? filterReason);
  switch (status) {
    case 'approved':
      if (isSome(captured)) return movedText(order);
      if (isSome(authorised))
        return authorised === released ? 'The hold was released.' : 'The money is held, not taken.';
      return 'The bank approved it.';
    case 'declined':
      return `${isFromCardToCard(order) ? GIVEN_BACK : 'No money moved.'} ${declineText(first?.declineCode ?? null)}`;
    case 'filtered':
      return `No money moved: it was stopped before any bank was asked. ${filterText(first?.filterReason ?? null)}`.trim();
    case 'unknown':
      return order.transactions.some(({ stage }) => stage === 'stuck')
        ? 'The bank gave no answer, so nobody knows whether money moved. A person has to settle it.'
        : 'Nobody knows yet whether money moved; the bank is being asked.';
    case 'error':
      return 'It ended without a payment; whatever may have moved was taken back.';
    case 'processing':
      return processingText(order);
  }
}

function processingText({ transactions }: OrderFacts): string {
  const stage = transactions.at(-1)?.stage;
  if (stage === 'waiting') return "It waits for somebody's word; nothing was sent yet.";
  if (stage === 'awaiting-payer') return 'The payer has not entered a card yet.';
  if (stage === 'authenticating' || stage === 'challenged') return 'The payer is proving to be the cardholder.';
  return 'It is on its way to the bank.';
}

/** What a transfer from card to card has taken is booked there until it is sent on, or back. */
const isFromCardToCard = ({ bookings }: OrderFacts) => bookings.some(({ account }) => account === 'transit');
const GIVEN_BACK = "The money was taken from the sender's card and given back: it could not be sent on.";

/** What was done with the money of an approved order, in short. */
export function movedName(order: OrderFacts): string {
  if (isFromCardToCard(order)) return 'Moved from card to card';
  return order.operation === 'payout' || order.operation === 'transfer' ? 'Paid out' : 'Taken';
}

function movedText(order: OrderFacts): string {
  const { captured, reversed } = order;
  const name = movedName(order);
  if (name !== 'Taken') return `The money was ${name.toLowerCase()}.`;
  if (!isSome(reversed)) return 'The money was taken.';
  return captured === reversed
    ? 'The money was taken and given back.'
    : 'The money was taken; part of it was given back.';
}

export function declineText(code: string | null): string {
  return code === null ? 'The bank declined it.' : meaningOf(code);
}

export function filterText(reason: string | null): string {
  return reason !== null && Object.hasOwn(errors, reason) ? `${errors[reason as ErrorName].text}.` : (reason ?? '');
}
