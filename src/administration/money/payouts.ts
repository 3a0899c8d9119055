// Payouts that wait for somebody's word: an operator may give it instead of the merchant.

import { refuse } from '../../domain/errors.ts';
import { approvalRefusal } from '../../processing/payouts/payout.ts';
import { merchantLogin, merchantOf } from '../lookups.ts';
import { aNumber, anObject, aText, told } from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { defineVerb } from '../verb/verb.ts';
import { theOrder, theReason, waitingText, waitsAnswer } from './deed-inputs.ts';
import { doOrWait, lockedOrder, mustRun, refusedAs } from './money-by-people.ts';

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
