// Payouts that wait for somebody's word: an operator may give it instead of the merchant.

import { Refusal } from '../domain/errors.ts';
import { id } from '../domain/input-kinds.ts';
import { merchantLogin, merchantOf } from './lookups.ts';
import { aNumber, anObject, aText, told } from './verb/answers.ts';
import { mustGive } from './verb/inputs.ts';
import { InvalidInput } from './verb/invalid-input.ts';
import { defineVerb } from './verb/verb.ts';

export const approveWaitingPayout = defineVerb({
  name: 'approvePayout',
  command: 'payout approve',
  summary: 'make a payout that waits, in the place of its merchant',
  merchants: 'own',
  example: 'tender payout approve shop 1234567890',
  role: 'operator',
  conduct: 'outside',
  given: {
    login: mustGive(merchantLogin, 'the merchant', { as: '<login>', told: 'merchant' }),
    orderId: mustGive(id, 'the id the service gave the order', { as: '<order>', told: 'order' }),
  },
  answer: anObject({ login: told(aText(), 'merchant'), orderId: told(aNumber(), 'order') }),
  run: async ({ login, orderId }, { configuration, payouts }) => {
    if (!payouts) throw new InvalidInput('no gateway runs here; start it, and approve the payout then');
    const { merchantId } = merchantOf(login, await configuration.read());
    const refused = await payouts.approve({ merchantId, orderId });
    if (refused instanceof Refusal) throw new InvalidInput(refused.faults[0].message);
    return { login, orderId };
  },
  show: ({ login, orderId }) => `Payout ${orderId} of merchant ${login} is approved and on its way.`,
});
