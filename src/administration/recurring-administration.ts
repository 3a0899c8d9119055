// What an operator does with recurring payments: look at them, pause, resume and stop them.

import type { Clock } from '../domain/clock.ts';
import { type Refusal, refuse } from '../domain/errors.ts';
import { type RecurringPayment, type RecurringState, resumeAt } from '../domain/recurring/recurring.ts';
import { againOnConflict } from '../processing/orders/conflicts.ts';
import type { Charge, RecurringKey, RecurringProfile, RecurringQuery, RecurringStore } from '../storage/recurring.ts';

/** Rows of a list, and charges shown with one. */
const LIST_LIMIT = 100;
const SHOWN_CHARGES = 20;

export type RecurringAdministrationParts = { readonly recurring: RecurringStore; readonly clock: Clock };

/** The newest first. */
export function listRecurringPayments(
  { recurring }: RecurringAdministrationParts,
  { limit = LIST_LIMIT, ...query }: Omit<RecurringQuery, 'limit'> & { readonly limit?: number } = {},
): Promise<RecurringPayment[]> {
  return recurring.list({ ...query, limit });
}

export type ShownRecurringPayment = { readonly payment: RecurringProfile; readonly charges: readonly Charge[] };

export async function showRecurringPayment(
  { recurring }: RecurringAdministrationParts,
  key: RecurringKey,
): Promise<ShownRecurringPayment | Refusal> {
  const payment = await recurring.find(key);
  if (!payment) return refuse('recurring-payment-not-found');
  return { payment, charges: await recurring.recentCharges(key, SHOWN_CHARGES) };
}

/** Nothing is charged until it is resumed. An order that was accepted before goes its way. */
export function pauseRecurringPayment(
  parts: RecurringAdministrationParts,
  key: RecurringKey,
): Promise<RecurringPayment | Refusal> {
  return change(parts, key, ['active'], (payment) => ({ ...payment, state: 'paused', nextRunAt: undefined }));
}

/** Goes on with the first day to come: what fell into the pause is not charged. */
export function resumeRecurringPayment(
  parts: RecurringAdministrationParts,
  key: RecurringKey,
): Promise<RecurringPayment | Refusal> {
  return change(parts, key, ['paused', 'suspended'], (payment) => {
    const active = { ...payment, state: 'active', note: undefined } as const;
    if (!payment.schedule) return active;
    const { schedule, endsAt } = payment;
    const step = resumeAt({ schedule, endsAt }, payment.progress, parts.clock.now());
    const { progress } = step;
    return step.do === 'wait'
      ? { ...active, progress, nextRunAt: step.until }
      : { ...active, progress, state: 'finished', nextRunAt: undefined };
  });
}

/** For ever. */
export function stopRecurringPayment(
  parts: RecurringAdministrationParts,
  key: RecurringKey,
): Promise<RecurringPayment | Refusal> {
  const from = ['active', 'paused', 'suspended'] as const;
  return change(parts, key, from, (payment) => ({ ...payment, state: 'stopped', nextRunAt: undefined }));
}

/** Made anew when a node was charging at the same time. */
function change(
  { recurring, clock }: RecurringAdministrationParts,
  key: RecurringKey,
  from: readonly RecurringState[],
  changed: (payment: RecurringPayment) => RecurringPayment,
): Promise<RecurringPayment | Refusal> {
  return againOnConflict(`Recurring payment ${key.recurringPaymentId}`, async () => {
    const payment = await recurring.find(key);
    if (!payment) return refuse('recurring-payment-not-found');
    if (!from.includes(payment.state)) return refuse('recurring-payment-refused', { hint: `it is ${payment.state}` });
    const next = changed(payment);
    if (!(await recurring.save(next, clock.now()))) return 'conflict';
    return { ...next, version: payment.version + 1 };
  });
}
