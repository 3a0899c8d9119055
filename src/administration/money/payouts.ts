// Payouts that wait for somebody's word, which an operator may give instead of the merchant, and payouts that came back
// without a word of the bank's that this service could read.

import { refuse } from '../../domain/errors.ts';
import { confirmableUntil } from '../../domain/order/decide.ts';
import { approvalRefusal } from '../../processing/payouts/payout.ts';
import { loginOf, merchantIdsOf, merchantLogin, merchantOf, onlyMerchant } from '../lookups.ts';
import { aList, aMoment, aNumber, anAmount, anObject, aText, orNull, told } from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { deedAnswer, theOrder, theReason, waitingText, waitsAnswer } from './deed-inputs.ts';
import { doOrWait, lockedOrder, mustFindOrder, mustHavePaidOut, mustRun, refusedAs } from './money-by-people.ts';

const LIST_LIMIT = 100;

export const listWaitingPayouts = defineReading({
  name: 'listPayouts',
  command: 'payout list',
  summary: "list payouts that wait for somebody's word, the longest first, 100 at a time",
  merchants: 'own',
  given: { login: onlyMerchant },
  answer: aList(
    anObject({
      orderId: aNumber(),
      login: aText(),
      endpointId: aNumber(),
      clientOrderId: aText(),
      amount: anAmount(),
      currency: aText(),
      payee: orNull(aText('The ends of the card, or of the account, that is paid to.')),
      createdAt: aMoment(),
      expiresAt: aMoment('When it is too late to confirm it.'),
    }),
  ),
  run: async ({ login }, { configuration, unfinished }) => {
    const all = await configuration.read();
    const waiting = await unfinished.listWaitingPayouts(merchantIdsOf(login, all), LIST_LIMIT);
    return waiting.map((one) => ({
      ...one,
      login: loginOf(one.merchantId, all),
      amount: { minor: one.amount, currency: one.currency },
      payee: one.cardEnds?.replace('-', '...') ?? one.payeeAccount,
      expiresAt: confirmableUntil(one),
    }));
  },
  show: rowsOf(
    {
      ORDER: (one) => one.orderId,
      MERCHANT: (one) => one.login,
      "MERCHANT'S ID": (one) => one.clientOrderId,
      AMOUNT: (one) => `${one.amount} ${one.currency}`,
      TO: (one) => one.payee,
      'ASKED FOR': (one) => minute(one.createdAt),
      UNTIL: (one) => minute(one.expiresAt),
    },
    'No payout waits.',
  ),
});

export const approveWaitingPayout = defineVerb({
  name: 'approvePayout',
  command: 'payout approve',
  summary: 'make a payout that waits, in the place of its merchant',
  merchants: 'own',
  example: "tender payout approve shop 1234567890 --reason 'confirmed by telephone'",
  role: 'operator',
  conduct: 'change',
  given: {
    login: mustGive(merchantLogin, 'the merchant', { as: '<login>', told: 'merchant' }),
    orderId: theOrder,
    reason: theReason,
  },
  answer: anObject({ login: told(aText(), 'merchant'), orderId: told(aNumber(), 'order'), waits: waitsAnswer }),
  run: async ({ login, orderId, reason }, parts) => {
    mustRun(parts);
    const { merchantId } = merchantOf(login, await parts.configuration.read());
    const order = await lockedOrder(orderId, parts);
    if (order?.merchantId !== merchantId) throw refusedAs(refuse('order-not-found'));
    const refused = approvalRefusal(order);
    if (refused) throw refusedAs(refused);
    const amount = { minor: order.amount, currency: order.currency };
    const { waits } = await doOrWait({ kind: 'payout', order, amount, reason }, parts);
    return { login, orderId, waits };
  },
  show: ({ login, orderId, waits }) =>
    waits ? waitingText(orderId, waits) : `Payout ${orderId} of merchant ${login} is approved and on its way.`,
});

/** Not for people of merchants: it raises their balance by their own word. */
export const bookReturnedPayout = defineVerb({
  name: 'bookReturnedPayout',
  command: 'payout came-back',
  summary: 'book that the bank returned a payout which it had approved, where it tells so by other means',
  example: "tender payout came-back 1234567890 --reason 'statement of 3 May, line 12'",
  role: 'operator',
  conduct: 'change',
  given: { orderId: theOrder, reason: theReason },
  answer: deedAnswer,
  run: async ({ orderId, reason }, parts) => {
    const order = await mustFindOrder(orderId, parts);
    const { currency } = order;
    const { seq, amount: minor } = mustHavePaidOut(order);
    const amount = { minor, currency };
    const settled = { kind: 'settlement', seq, outcome: 'reversed', source: 'payment' } as const;
    const done = await doOrWait({ ...settled, order, amount, reason }, parts);
    const login = loginOf(order.merchantId, await parts.configuration.read());
    const transaction = done.waits ? undefined : done.order.transactions.at(-1)?.seq;
    return { orderId, login, amount, currency, transaction, waits: done.waits };
  },
  show: ({ orderId, login, amount, currency, waits }) =>
    waits
      ? waitingText(orderId, waits)
      : `Payout ${orderId} came back: ${amount} ${currency} are in the balance of merchant ${login} again.`,
});
