// A payout that the simulated bank returns after it had approved it, as banks do days later when an account is closed.

import { DEMO_TERMINAL } from '../../domain/acquirer/terminal.ts';
import { refuse } from '../../domain/errors.ts';
import { mayComeBack } from '../../domain/order/follow-up.ts';
import { acquirerReference, type Order, purposeOf } from '../../domain/order/order.ts';
import { bankOf } from '../bank.ts';
import { merchantIdsOf } from '../lookups.ts';
import { theOrder } from '../money/deed-inputs.ts';
import { refusedAs } from '../money/money-by-people.ts';
import type { Parts } from '../parts.ts';
import { aNumber, anObject, told } from '../verb/answers.ts';
import { InvalidInput, OutOfReach } from '../verb/invalid-input.ts';
import { defineVerb } from '../verb/verb.ts';
import { sandboxOf } from './sandbox-of.ts';

type ReturnParts = Parts<'bank' | 'configuration' | 'mode' | 'orders' | 'sandbox' | 'timelines'>;

export const returnPayout = defineVerb({
  name: 'returnPayout',
  command: 'payout return',
  summary: 'let the simulated bank return a payout that it approved, as banks do days later',
  example: 'tender payout return 1234567890',
  role: 'operator',
  conduct: 'outside',
  given: { orderId: theOrder },
  answer: anObject({ orderId: told(aNumber(), 'order') }),
  run: async ({ orderId }, parts) => {
    await returnedByBank(orderId, parts);
    return { orderId };
  },
  show: ({ orderId }) => `The bank returned payout ${orderId}; its money is in the merchant's balance again.`,
});

/** Makes the bank return it and tell the gateway so. Throws `InvalidInput` when it cannot be returned. */
export async function returnedByBank(orderId: number, parts: ReturnParts): Promise<void> {
  const sandbox = sandboxOf(parts);
  const order = await orderOf(orderId, parts);
  if (!order) throw refusedAs(refuse('order-not-found'));
  const { seq, leg, terminal } = purposeOf(order);
  if (!mayComeBack(order, seq)) throw new InvalidInput('only an approved payout can be returned, and only once');
  if (terminal !== DEMO_TERMINAL) {
    throw new InvalidInput(`it was paid by terminal ${terminal}, and only the bank of this sandbox returns on demand`);
  }
  const reference = acquirerReference(order, { seq, leg });
  if (!(await bankOf(parts).returnPayout(reference))) throw new InvalidInput('the bank has no such payout to return');
  if (!(await sandbox.tellReturned(terminal, reference))) {
    throw new OutOfReach('the bank returned it and did not answer when the gateway asked; do this once more');
  }
}

async function orderOf(orderId: number, { configuration, orders, timelines }: ReturnParts): Promise<Order | undefined> {
  const merchantIds = merchantIdsOf(undefined, await configuration.read());
  const merchantId = await timelines.merchantOf(orderId, merchantIds);
  return merchantId === undefined ? undefined : (await orders.load([{ merchantId, orderId }])).get(orderId);
}
