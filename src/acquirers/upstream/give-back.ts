// Gives the whole money of a payment back that nobody here knew of, and waits until the provider has done so.

import type { FollowUpInstruction, ReversalAnswer } from '../acquirer.ts';
import type { CallLimit } from './call-limit.ts';
import type { ProviderOrder } from './client-order-id.ts';
import { type Exchange, followed, unknownAfter } from './questions.ts';
import { askFollowUp, keyOf } from './requests.ts';

export type Reversal = Pick<FollowUpInstruction, 'kind' | 'reference' | 'amount'> & {
  readonly order: ProviderOrder;
  /** The request that made the latest transaction of the order. */
  readonly after: string | undefined;
};

/**
 * Whoever finds the order in the same state asks under the same key, so that two nodes give it back once. After an
 * attempt that failed the state is another, and so is the key.
 */
export async function givenBack(exchange: Exchange, reversal: Reversal, limit: CallLimit): Promise<ReversalAnswer> {
  const { kind, reference, amount, order, after } = reversal;
  const idempotencyKey = `${keyOf(reference)}-back-${after ?? 'first'}`;
  const request = askFollowUp({ kind, reference, amount, idempotencyKey }, order, exchange.asker);
  const heard = await exchange.provider.ask(request, limit);
  if (heard.word !== 'replied') return unknownAfter(heard);
  const instruction = { kind, reference, original: reference, amount };
  const serial = heard.reply['serial-number'];
  const answer = await followed(exchange, { instruction, order, serial, name: order.orderId }, limit);
  if (answer.word === 'approved') return { word: 'reversed' };
  return answer.word === 'unknown' ? answer : { word: 'unknown', reason: `giving it back is ${answer.word} so far` };
}
