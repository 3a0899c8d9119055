// A recurring payment as an operator is told it, and in words.

import { figuresOf, type RecurringPayment } from '../../domain/recurring/recurring.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { Charge, RecurringProfile } from '../../storage/recurring.ts';
import { endsOfNumber } from '../cards/cards.ts';
import { loginOf } from '../lookups.ts';
import {
  type Answered,
  aList,
  aMoment,
  aNumber,
  anAmount,
  anObject,
  aText,
  aWord,
  orNull,
  told,
} from '../verb/answers.ts';
import { minute, properties, textTable } from '../verb/table.ts';

export const RECURRING_STATES = ['active', 'paused', 'suspended', 'stopped', 'finished'] as const;

export const recurringView = anObject({
  recurringPaymentId: told(aNumber(), 'recurring payment'),
  login: told(aText(), 'merchant'),
  endpointId: told(aNumber(), 'endpoint'),
  clientOrderId: told(aText()),
  direction: aWord(['from-card', 'to-card']),
  state: told(aWord(RECURRING_STATES)),
  note: told(orNull(aText('Why it is suspended.'))),
  currency: told(aText()),
  amountKind: aWord(['fixed', 'range', 'sequence', 'open']),
  amounts: aList(anAmount(), 'The one, the least and the most, or all of a sequence.'),
  every: orNull(
    anObject(
      { interval: aNumber(), unit: aWord(['day', 'week', 'month']) },
      'Null: the merchant asks for each charge.',
    ),
  ),
  nextRunAt: orNull(aMoment()),
  endsAt: orNull(aMoment()),
  createdAt: aMoment(),
});

export type RecurringView = Answered<typeof recurringView>;

export const wholeRecurringView = anObject({
  ...recurringView.members,
  card: orNull(aText("The ends of the card's number; null when its reference was deleted.")),
  charges: aList(
    anObject({
      orderId: aNumber(),
      clientOrderId: aText(),
      amount: anAmount(),
      stage: aText(),
      declineCode: orNull(aText()),
      createdAt: aMoment(),
    }),
  ),
});

type WholeRecurringView = Answered<typeof wholeRecurringView>;

export function viewOfRecurring(payment: RecurringPayment, all: Configuration) {
  const { merchantId, amounts, currency, schedule } = payment;
  return {
    ...payment,
    login: loginOf(merchantId, all),
    amountKind: amounts.kind,
    amounts: figuresOf(amounts).map((minor) => ({ minor, currency })),
    every: schedule,
  };
}

export function wholeViewOfRecurring(payment: RecurringProfile, charges: readonly Charge[], all: Configuration) {
  const { card, currency } = payment;
  return {
    ...viewOfRecurring(payment, all),
    card: card && endsOfNumber(card),
    charges: charges.map((charge) => ({ ...charge, amount: { minor: charge.amount, currency } })),
  };
}

export function wholeRecurringText(payment: WholeRecurringView): string {
  const facts = properties([
    ['Recurring payment', String(payment.recurringPaymentId)],
    ['Merchant', payment.login],
    ['Endpoint', String(payment.endpointId)],
    ["Merchant's id", payment.clientOrderId],
    ['Direction', payment.direction === 'from-card' ? 'from the card' : 'to the card'],
    ['Card', payment.card ?? 'deleted'],
    ['State', payment.note === null ? payment.state : `${payment.state}: ${payment.note}`],
    ['Amount', recurringAmount(payment)],
    ['Every', everyText(payment)],
    ['Next', minute(payment.nextRunAt)],
    ['Ends', minute(payment.endsAt)],
    ['Made', minute(payment.createdAt)],
  ]);
  if (payment.charges.length === 0) return `${facts}\n\nNothing was charged yet.`;
  const rows = payment.charges.map(({ orderId, clientOrderId, amount, stage, declineCode, createdAt }) => [
    String(orderId),
    clientOrderId,
    amount,
    declineCode === null ? stage : `${stage} ${declineCode}`,
    minute(createdAt),
  ]);
  return `${facts}\n\n${textTable(['ORDER', "MERCHANT'S ID", 'AMOUNT', 'STATUS', 'MADE'], rows)}`;
}

export function recurringAmount({ amountKind, amounts, currency }: RecurringView): string {
  if (amountKind === 'open') return `any ${currency}`;
  return `${amounts.join(amountKind === 'range' ? ' to ' : ', ')} ${currency}`;
}

export function everyText({ every }: RecurringView): string {
  if (every === null) return 'when asked for';
  return every.interval === 1 ? every.unit : `${every.interval} ${every.unit}s`;
}
