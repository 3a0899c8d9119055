// Whether a hosted form kept its word: one card at a time, none that nobody entered, none too late, never more than
// allowed.

import { payableUntil } from '../../src/domain/order/hosted-form.ts';
import type { Order, Transaction } from '../../src/domain/order/order.ts';
import { MAX_CARDS } from '../../src/domain/order/retry-schedule.ts';
import { isFinal, type Stage } from '../../src/domain/order/stages.ts';
import type { Payers } from './payers.ts';

/** No card was entered, or none any more. */
const WITHOUT_CARD: ReadonlySet<Stage> = new Set(['awaiting-payer', 'abandoned']);

export function formBreaches(order: Order, before: Order | undefined, payers: Payers): string[] {
  if (order.form === undefined) return [];
  const tries = order.transactions.filter(({ originalSeq }) => originalSeq === undefined);
  const charged = tries.filter(({ stage }) => !WITHOUT_CARD.has(stage));
  return [
    ...(tries.filter(({ stage }) => stage === 'approved').length > 1 ? ['two cards paid'] : []),
    ...(tries.filter(({ stage }) => !isFinal(stage)).length > 1 ? ['two cards at once'] : []),
    ...(tries.length > MAX_CARDS ? ['more cards than allowed'] : []),
    ...charged
      .filter(({ seq }) => !payers.hasEntered(order.orderId, seq))
      .map(({ seq }) => `nobody entered card ${seq}`),
    ...charged.filter((one) => isLate(order, before, one)).map(({ seq }) => `card ${seq} was taken too late`),
  ];
}

/** Taken just now, and after the form's time. */
function isLate(order: Order, before: Order | undefined, { seq, changedAt }: Transaction): boolean {
  return before?.transactions[seq - 1]?.stage === 'awaiting-payer' && changedAt >= payableUntil(order);
}
