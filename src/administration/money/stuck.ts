// The manual queue: transactions the bank never gave an answer about, and the word of a person who asked it by other
// means. That word is booked like the bank's own.

import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { id, instant, line, word } from '../../domain/input-kinds.ts';
import { referenceAt, transactionOf } from '../../domain/order/order.ts';
import { loginOf } from '../lookups.ts';
import { aList, aMoment, aNumber, anAmount, anObject, aText, aWord, orNull, told } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { waitingText, waitsAnswer } from './deed-inputs.ts';
import { doOrWait, lockedOrder } from './money-by-people.ts';

const OUTCOMES = ['approved', 'declined', 'reversed'] as const;

const LIST_LIMIT = 100;
const MAX_NOTE = 200;

const stuckView = anObject({
  orderId: aNumber(),
  seq: aNumber('Its number within the order.'),
  login: aText(),
  endpointId: aNumber(),
  clientOrderId: aText(),
  type: aText(),
  amount: anAmount(),
  currency: aText(),
  reference: aText('The name the bank knows it by.'),
  createdAt: aMoment(),
  stuckAt: aMoment('Since when it waits for a person.'),
  reason: orNull(aText()),
});

export const listStuck = defineReading({
  name: 'listStuck',
  command: 'stuck list',
  summary: 'list what waits for a person, the longest first, 100 at a time',
  merchants: 'own',
  example: 'tender stuck list',
  given: { after: mayGive(instant, 'only what waits since later than this', { as: '--after <moment>' }) },
  answer: aList(stuckView),
  run: async ({ after }, { configuration, merchantId, unfinished }) => {
    const all = await configuration.read();
    const stuck = await unfinished.listStuck({ after, merchantId, limit: LIST_LIMIT });
    return stuck.map((one) => {
      const { merchantId, amount: minor, currency } = one;
      return { ...one, login: loginOf(merchantId, all), amount: { minor, currency }, reference: referenceAt(one) };
    });
  },
  show: rowsOf(
    {
      ORDER: (one) => one.orderId,
      TRANSACTION: (one) => one.seq,
      TYPE: (one) => one.type,
      AMOUNT: (one) => `${one.amount} ${one.currency}`,
      MERCHANT: (one) => one.login,
      "MERCHANT'S ID": (one) => one.clientOrderId,
      "BANK'S REFERENCE": (one) => one.reference,
      'WAITS SINCE': (one) => minute(one.stuckAt),
      BECAUSE: (one) => one.reason,
    },
    'Nothing waits for a person.',
  ),
});

export const settleStuck = defineVerb({
  name: 'settleStuck',
  command: 'stuck settle',
  summary: 'book what the bank told you about a transaction',
  example: "tender stuck settle 1042 1 --as approved --note 'bank e-mail of 3 May'",
  role: 'operator',
  conduct: 'change',
  given: {
    orderId: mustGive(id, 'the id of the order', { as: '<order>', told: 'order', what: 'the id of an order' }),
    seq: mustGive(id, 'its number within the order', {
      as: '<transaction>',
      told: true,
      what: 'the number of its transaction',
    }),
    outcome: mustGive(word(OUTCOMES), 'approved: money moved; declined: it did not; reversed: it did and went back', {
      as: '--as <outcome>',
      told: true,
    }),
    note: mustGive(line(MAX_NOTE), 'where you have it from; kept with the order and in the audit chain', {
      as: '--note <text>',
      told: true,
      what: 'where the outcome is known from',
    }),
  },
  answer: anObject({
    orderId: told(aNumber(), 'order'),
    seq: told(aNumber()),
    outcome: told(aWord(OUTCOMES)),
    stage: told(aText('Where it stands now: final, going on with another leg, or stuck while it waits.')),
    waits: waitsAnswer,
  }),
  run: async ({ orderId, seq, outcome, note }, parts) => {
    const order = await lockedOrder(orderId, parts);
    const stuck = order && (await parts.unfinished.lockStuck(orderId, seq));
    if (!stuck) throw new InvalidInput(`order ${orderId} has no transaction ${seq} that waits for a person`);
    const amount = { minor: stuck.amount, currency: stuck.currency };
    const reason = maskCardNumbers(note);
    const done = await doOrWait({ kind: 'settlement', order, seq, outcome, amount, reason }, parts);
    return { orderId, seq, outcome, stage: transactionOf(done.order, seq).stage, waits: done.waits };
  },
  show: ({ orderId, seq, stage, waits }) =>
    waits ? waitingText(orderId, waits) : `Order ${orderId}, transaction ${seq} is ${stage} now.`,
});
