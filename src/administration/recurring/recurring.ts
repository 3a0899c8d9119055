// Recurring payments, as an operator looks after them: a list, one with its charges, and the ways to pause, resume and
// stop one.

import { refuse } from '../../domain/errors.ts';
import { id, word } from '../../domain/input-kinds.ts';
import { type RecurringPayment, type RecurringState, resumeAt } from '../../domain/recurring/recurring.ts';
import { againOnConflict } from '../../processing/orders/conflicts.ts';
import type { RecurringKey, RecurringProfile } from '../../storage/recurring.ts';
import { merchantOf, onlyMerchant } from '../lookups.ts';
import type { Parts } from '../parts.ts';
import { aList } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import {
  everyText,
  RECURRING_STATES,
  type RecurringView,
  recurringAmount,
  recurringView,
  viewOfRecurring,
  wholeRecurringText,
  wholeRecurringView,
  wholeViewOfRecurring,
} from './recurring-view.ts';

/** Rows of a list, and charges shown with one. */
const LIST_LIMIT = 100;
const SHOWN_CHARGES = 20;

export const listRecurring = defineReading({
  name: 'listRecurring',
  command: 'recurring list',
  summary: 'list recurring payments, the newest first, 100 at a time',
  merchants: 'own',
  example: 'tender recurring list --merchant shop --state suspended',
  given: {
    login: onlyMerchant,
    state: mayGive(word(RECURRING_STATES), 'only those in this state', { as: '--state <state>' }),
    before: mayGive(id, 'only those older than this one', { as: '--before <id>' }),
  },
  answer: aList(recurringView),
  run: async ({ login, state, before }, { configuration, merchantId: own, recurring }) => {
    const all = await configuration.read();
    const merchantId = login === undefined ? own : merchantOf(login, all).merchantId;
    const listed = await recurring.list({ merchantId, state, before, limit: LIST_LIMIT });
    return listed.map((payment) => viewOfRecurring(payment, all));
  },
  show: rowsOf(
    {
      ID: (one) => one.recurringPaymentId,
      MERCHANT: (one) => one.login,
      ENDPOINT: (one) => one.endpointId,
      STATE: (one) => one.state,
      AMOUNT: recurringAmount,
      EVERY: everyText,
      NEXT: (one) => minute(one.nextRunAt),
    },
    'There are no such recurring payments.',
  ),
});

const whichPayment = {
  recurringPaymentId: mustGive(id, 'its id', {
    as: '<id>',
    told: 'recurring payment',
    what: 'the id of a recurring payment',
  }),
};

export const showRecurring = defineVerb({
  name: 'showRecurring',
  command: 'recurring show',
  summary: 'show everything about a recurring payment, with its last charges',
  merchants: 'own',
  example: 'tender recurring show 1234567',
  role: 'operator',
  conduct: 'cards',
  given: whichPayment,
  answer: wholeRecurringView,
  run: async ({ recurringPaymentId }, { configuration, recurring }) => {
    const key = await keyOf(recurringPaymentId, { recurring });
    const payment = await findRecurring(key, { recurring });
    const charges = await recurring.recentCharges(key, SHOWN_CHARGES);
    return wholeViewOfRecurring(payment, charges, await configuration.read());
  },
  show: wholeRecurringText,
});

type Change = {
  readonly from: readonly RecurringState[];
  readonly changed: (payment: RecurringPayment, now: number) => RecurringPayment;
};

function changeVerb<const Name extends string>(
  name: Name,
  command: string,
  summary: string,
  done: string,
  change: Change,
) {
  return defineVerb({
    name,
    command,
    summary,
    merchants: 'own',
    example: `tender ${command} 1234567`,
    role: 'operator',
    conduct: 'change',
    given: whichPayment,
    answer: recurringView,
    run: async ({ recurringPaymentId }, { configuration, ...parts }) => {
      const payment = await changeRecurring(recurringPaymentId, parts, change);
      return viewOfRecurring(payment, await configuration.read());
    },
    show: (payment) => `Recurring payment ${payment.recurringPaymentId} is ${done}${whatNext(payment)}.`,
  });
}

/** An order that was accepted before goes its way. */
export const pauseRecurring = changeVerb(
  'pauseRecurring',
  'recurring pause',
  'charge nothing until it is resumed',
  'paused',
  { from: ['active'], changed: (payment) => ({ ...payment, state: 'paused', nextRunAt: undefined }) },
);

export const resumeRecurring = changeVerb(
  'resumeRecurring',
  'recurring resume',
  'go on with the first day to come; what fell into the pause is not charged',
  'resumed',
  { from: ['paused', 'suspended'], changed: resumed },
);

export const stopRecurring = changeVerb(
  'stopRecurring',
  'recurring stop',
  'charge nothing any more, for ever',
  'stopped',
  {
    from: ['active', 'paused', 'suspended'],
    changed: (payment) => ({ ...payment, state: 'stopped', nextRunAt: undefined }),
  },
);

function resumed(payment: RecurringPayment, now: number): RecurringPayment {
  const active = { ...payment, state: 'active', note: undefined } as const;
  if (!payment.schedule) return active;
  const { schedule, endsAt } = payment;
  const step = resumeAt({ schedule, endsAt }, payment.progress, now);
  const { progress } = step;
  return step.do === 'wait'
    ? { ...active, progress, nextRunAt: step.until }
    : { ...active, progress, state: 'finished', nextRunAt: undefined };
}

/** Made anew when a node was charging at the same time. */
async function changeRecurring(
  recurringPaymentId: number,
  { recurring, clock }: Parts<'clock' | 'recurring'>,
  { from, changed }: Change,
): Promise<RecurringPayment> {
  const key = await keyOf(recurringPaymentId, { recurring });
  return againOnConflict(`Recurring payment ${recurringPaymentId}`, async () => {
    const payment = await findRecurring(key, { recurring });
    if (!from.includes(payment.state)) throw refused(payment);
    const next = changed(payment, clock.now());
    return (await recurring.save(next, clock.now())) ? { ...next, version: payment.version + 1 } : 'conflict';
  });
}

async function findRecurring(key: RecurringKey, { recurring }: Parts<'recurring'>): Promise<RecurringProfile> {
  const payment = await recurring.find(key);
  if (payment) return payment;
  throw new Error(`Recurring payment ${key.recurringPaymentId} went away`);
}

function refused({ recurringPaymentId, state }: RecurringPayment): InvalidInput {
  const [{ message }] = refuse('recurring-payment-refused', { hint: `it is ${state}` }).faults;
  return new InvalidInput(`recurring payment ${recurringPaymentId}: ${message}`);
}

/** Ids are unique among all merchants, so nobody has to say whose it is. */
async function keyOf(recurringPaymentId: number, { recurring }: Parts<'recurring'>): Promise<RecurringKey> {
  const key = await recurring.keyOf(recurringPaymentId);
  if (key) return key;
  throw new InvalidInput(
    `there is no recurring payment ${recurringPaymentId}; "tender recurring list" shows the newest`,
  );
}

function whatNext({ state, nextRunAt }: RecurringView): string {
  if (state === 'finished') return ' and finished: no day is left to charge';
  return nextRunAt === null ? '' : `; the next charge is due ${minute(nextRunAt)}`;
}
