// Whether a hosted form kept its word: one card at a time, none that nobody entered, none too late, never more than
// allowed, and none given up that may be paying.

import { payableUntil, triesOf } from '../../src/domain/order/hosted-form.ts';
import type { Order, Transaction } from '../../src/domain/order/order.ts';
import { isFinal, type Stage } from '../../src/domain/order/stages.ts';
import type { Payers } from './payers.ts';

/** No card was entered, or none any more. */
const WITHOUT_CARD: ReadonlySet<Stage> = new Set(['awaiting-payer', 'abandoned', 'given-up']);

export function formBreaches(order: Order, before: Order | undefined, payers: Payers): string[] {
  if (order.form === undefined) return [];
  const tries = order.transactions.filter(({ originalSeq }) => originalSeq === undefined);
  // A card that was passed on to another bank is the same card.
  const cards = tries.filter(({ seq }) => order.transactions[seq - 2]?.stage !== 'passed-on');
  const charged = cards.filter(({ stage }) => !WITHOUT_CARD.has(stage));
  return [
    ...(tries.filter(({ stage }) => stage === 'approved').length > 1 ? ['two cards paid'] : []),
    ...(tries.filter(({ stage }) => !isFinal(stage)).length > 1 ? ['two cards at once'] : []),
    ...(cards.length > triesOf(order) ? ['more cards than allowed'] : []),
    ...charged
      .filter(({ seq }) => !payers.hasEntered(order.orderId, seq))
      .map(({ seq }) => `nobody entered card ${seq}`),
    ...tries.filter((one) => isWronglyGivenUp(order, one)).map(({ seq }) => `try ${seq} was given up wrongly`),
    ...charged.filter((one) => isLate(order, before, one)).map(({ seq }) => `card ${seq} was taken too late`),
  ];
}

/** A payer may give up only after a decline, with its code, and before another card was sent. */
function isWronglyGivenUp(order: Order, one: Transaction): boolean {
  const { seq, stage, sends } = one;
  if (stage !== 'given-up') return false;
  const before = order.transactions[seq - 2];
  return sends > 0 || before?.stage !== 'declined' || codeOf(before) !== codeOf(one);
}

/** Taken just now, and after the form's time. */
function isLate(order: Order, before: Order | undefined, { seq, changedAt }: Transaction): boolean {
  return before?.transactions[seq - 1]?.stage === 'awaiting-payer' && changedAt >= payableUntil(order);
}

function codeOf({ answer }: Transaction): string | undefined {
  return answer?.word === 'declined' ? answer.code : undefined;
}
