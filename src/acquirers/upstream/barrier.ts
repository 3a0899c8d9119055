// Makes sure that an instruction which may still be on its way is never carried out. The interface has no such request,
// but it makes one order of a client order id, and does one thing under an idempotency key: so both are taken for a
// payment form that nobody is ever sent to.

import type { Money } from '../../domain/money/money.ts';
import type { Unknown } from '../acquirer.ts';
import type { CallLimit } from './call-limit.ts';
import { ID_USED, KEY_USED } from './decline-codes.ts';
import { type Exchange, unknownAfter } from './questions.ts';
import { askBarrier } from './requests.ts';

/** `taken`: the provider has the instruction. `not-found`: it never took it and never will. */
export type Barred = { readonly word: 'not-found' } | { readonly word: 'taken' } | Unknown;

export async function barred(
  { provider, asker }: Exchange,
  { reference, amount, withKey }: { readonly reference: string; readonly amount: Money; readonly withKey: boolean },
  limit: CallLimit,
): Promise<Barred> {
  const heard = await provider.ask(askBarrier(reference, amount, asker, { withKey }), limit);
  if (heard.word === 'replied') {
    const isMade = heard.reply['paynet-order-id'] !== undefined;
    return isMade ? { word: 'not-found' } : { word: 'unknown', reason: 'the provider did not say that it bars the id' };
  }
  const taken = withKey ? KEY_USED : ID_USED;
  return heard.word === 'refused' && heard.code === taken ? { word: 'taken' } : unknownAfter(heard);
}
