// The manual queue: transactions the bank never gave an answer about, and the word of a person who asked it by other means.
// That word is booked like the bank's own.

import { writeAmount } from '../domain/money/money.ts';
import { acquirerReference, transactionOf } from '../domain/order/order.ts';
import type { StuckTransaction } from '../storage/orders/unfinished.ts';
import type { AdministrationParts } from './administration.ts';
import { type Given, idOf, momentOf, needed, textOf, Unfit, wordOf } from './given.ts';
import { loginOf } from './merchants.ts';
import { written } from './moments.ts';

export const OUTCOMES = ['approved', 'declined', 'reversed'] as const;

const LIST_LIMIT = 100;
const MAX_NOTE = 200;

export type StuckView = {
  readonly orderId: number;
  readonly seq: number;
  readonly login: string;
  readonly endpointId: number;
  readonly clientOrderId: string;
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  /** The name the bank knows it by. */
  readonly reference: string;
  readonly createdAt: string;
  /** Since when it waits for a person. */
  readonly stuckAt: string;
  readonly reason: string | null;
};

export type SettledView = {
  readonly orderId: number;
  readonly seq: number;
  readonly outcome: (typeof OUTCOMES)[number];
  /** Where it stands now: final, or going on with another leg. */
  readonly stage: string;
};

export function stuckVerbs({ configuration, door, unfinished }: AdministrationParts) {
  return {
    /** Those that wait longest first. */
    async listStuck(given: Given): Promise<StuckView[]> {
      const all = await configuration.read();
      const stuck = await unfinished.listStuck({ after: momentOf(given, 'after'), limit: LIST_LIMIT });
      return stuck.map((one) => viewOf(one, loginOf(one.merchantId, all)));
    },

    async settleStuck(given: Given): Promise<SettledView> {
      const orderId = needed(idOf(given, 'orderId'), 'orderId', 'the id of an order');
      const seq = needed(idOf(given, 'seq'), 'seq', 'the number of its transaction');
      const outcome = needed(wordOf(given, 'outcome', OUTCOMES), 'outcome', OUTCOMES.join(', '));
      const note = needed(textOf(given, 'note', MAX_NOTE), 'note', 'where the outcome is known from');
      const stuck = await unfinished.lockStuck(orderId, seq);
      if (!stuck) throw new Unfit(`order ${orderId} has no transaction ${seq} that waits for a person`);
      const after = await door.change(stuck, { type: 'settled', seq, outcome, note });
      const { stage } = transactionOf(after, seq);
      if (stage === 'stuck') {
        throw new Unfit(`order ${orderId}: its money was on the way back, so it can only be declined or reversed`);
      }
      return { orderId, seq, outcome, stage };
    },
  };
}

function viewOf(stuck: StuckTransaction, login: string): StuckView {
  const { orderId, seq, endpointId, clientOrderId, type, amount, currency, createdAt, stuckAt, reason } = stuck;
  return {
    orderId,
    seq,
    login,
    endpointId,
    clientOrderId,
    type,
    amount: writeAmount({ minor: amount, currency }, 'major'),
    currency,
    reference: acquirerReference(stuck, stuck),
    createdAt: written(createdAt),
    stuckAt: written(stuckAt),
    reason: reason ?? null,
  };
}
