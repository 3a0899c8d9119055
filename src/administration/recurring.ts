// Recurring payments, as an operator sees them: a list, one with its charges, and the ways to pause, resume and stop one.

import { Refusal } from '../domain/errors.ts';
import { writeAmount } from '../domain/money/money.ts';
import { type Amounts, figuresOf, type RecurringPayment, type RecurringState } from '../domain/recurring/recurring.ts';
import type { Configuration } from '../storage/configuration.ts';
import type { RecurringKey } from '../storage/recurring.ts';
import type { AdministrationParts } from './administration.ts';
import { numberOf } from './cards.ts';
import { type Given, idOf, needed, Unfit, wordOf } from './given.ts';
import { loginOf, merchantOf } from './merchants.ts';
import {
  listRecurringPayments,
  pauseRecurringPayment,
  resumeRecurringPayment,
  type ShownRecurringPayment,
  showRecurringPayment,
  stopRecurringPayment,
} from './recurring-administration.ts';
import { written, writtenIfAny } from './verb/moments.ts';

const STATES = ['active', 'paused', 'suspended', 'stopped', 'finished'] as const satisfies RecurringState[];

export type RecurringView = {
  readonly recurringPaymentId: number;
  readonly login: string;
  readonly endpointId: number;
  readonly clientOrderId: string;
  readonly direction: RecurringPayment['direction'];
  readonly state: RecurringState;
  /** Why it is suspended. */
  readonly note: string | null;
  readonly currency: string;
  readonly amountKind: Amounts['kind'];
  /** In major units with a point: the one, the least and the most, or all of a sequence. */
  readonly amounts: readonly string[];
  /** Null: the merchant asks for each charge. */
  readonly every: { readonly interval: number; readonly unit: 'day' | 'week' | 'month' } | null;
  readonly nextRunAt: string | null;
  readonly endsAt: string | null;
  readonly createdAt: string;
};

export type ChargeView = {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly amount: string;
  readonly stage: string;
  readonly declineCode: string | null;
  readonly createdAt: string;
};

export type WholeRecurringView = RecurringView & {
  /** The ends of the card's number; null when its reference was deleted. */
  readonly card: string | null;
  readonly charges: readonly ChargeView[];
};

export function recurringVerbs(parts: AdministrationParts) {
  const { configuration } = parts;
  const changing = (change: typeof pauseRecurringPayment) => async (given: Given) => {
    const key = await keyOf(parts, given);
    const payment = taken(await change(parts, key), key);
    return viewOf(payment, await configuration.read());
  };
  return {
    /** The newest first: of the merchant `login` or of all, in one `state` or in any, made before the one `before` names. */
    async listRecurring(given: Given): Promise<RecurringView[]> {
      const all = await configuration.read();
      const merchantId = given.login === undefined ? undefined : merchantOf(given, all).merchantId;
      const query = { merchantId, state: wordOf(given, 'state', STATES), before: idOf(given, 'before') };
      return (await listRecurringPayments(parts, query)).map((payment) => viewOf(payment, all));
    },

    async showRecurring(given: Given): Promise<WholeRecurringView> {
      const key = await keyOf(parts, given);
      return wholeView(taken(await showRecurringPayment(parts, key), key), await configuration.read());
    },

    pauseRecurring: changing(pauseRecurringPayment),
    resumeRecurring: changing(resumeRecurringPayment),
    stopRecurring: changing(stopRecurringPayment),
  };
}

/** Ids are unique among all merchants, so nobody has to say whose it is. */
async function keyOf({ recurring }: AdministrationParts, given: Given): Promise<RecurringKey> {
  const id = needed(idOf(given, 'recurringPaymentId'), 'recurringPaymentId', 'the id of a recurring payment');
  const [newest] = await recurring.list({ before: id + 1, limit: 1 });
  if (newest?.recurringPaymentId === id) return newest;
  throw new Unfit(`there is no recurring payment ${id}; "tender recurring list" shows the newest`);
}

function taken<T>(outcome: T | Refusal, { recurringPaymentId }: RecurringKey): T {
  if (!(outcome instanceof Refusal)) return outcome;
  const [{ message }] = outcome.faults;
  throw new Unfit(`recurring payment ${recurringPaymentId}: ${message}`);
}

function viewOf(payment: RecurringPayment, all: Configuration): RecurringView {
  const { merchantId, amounts, currency, schedule } = payment;
  return {
    recurringPaymentId: payment.recurringPaymentId,
    login: loginOf(merchantId, all),
    endpointId: payment.endpointId,
    clientOrderId: payment.clientOrderId,
    direction: payment.direction,
    state: payment.state,
    note: payment.note ?? null,
    currency,
    amountKind: amounts.kind,
    amounts: figuresOf(amounts).map((minor) => writeAmount({ minor, currency }, 'major')),
    every: schedule ? { interval: schedule.interval, unit: schedule.unit } : null,
    nextRunAt: writtenIfAny(payment.nextRunAt),
    endsAt: writtenIfAny(payment.endsAt),
    createdAt: written(payment.createdAt),
  };
}

function wholeView({ payment, charges }: ShownRecurringPayment, all: Configuration): WholeRecurringView {
  const { card, currency } = payment;
  return {
    ...viewOf(payment, all),
    card: card ? numberOf(card) : null,
    charges: charges.map(({ orderId, clientOrderId, amount, stage, declineCode, createdAt }) => ({
      orderId,
      clientOrderId,
      amount: writeAmount({ minor: amount, currency }, 'major'),
      stage,
      declineCode: declineCode ?? null,
      createdAt: written(createdAt),
    })),
  };
}
