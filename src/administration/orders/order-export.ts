// Orders that leave the gateway as a file: who takes them, and by which filters, is in the audit chain before the first
// of them is read. The pages themselves are those of `listOrders`.

import { orderSearchOf } from '../../domain/search/order-search.ts';
import { merchantIdsOf, onlyMerchant } from '../lookups.ts';
import { anObject, aText } from '../verb/answers.ts';
import type { Inputs } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineVerb } from '../verb/verb.ts';
import { askedOrders, orderFilters } from './order-filters.ts';

/** The same inputs, which the audit chain keeps. */
function allTold<I extends Inputs>(inputs: I): I {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, one]) => [name, { ...one, told: true }]),
  ) as unknown as I;
}

export const beginExport = defineVerb({
  name: 'exportOrders',
  summary: 'write into the audit chain that you take these orders away as a file; listOrders gives them',
  merchants: 'own',
  role: 'operator',
  conduct: 'cards',
  given: allTold({ login: onlyMerchant, ...orderFilters }),
  answer: anObject({ name: aText('What to call the file.') }),
  run: async ({ login, ...given }, { clock, configuration }) => {
    const read = orderSearchOf(askedOrders(given));
    if ('faults' in read) throw new InvalidInput(...read.faults);
    merchantIdsOf(login, await configuration.read());
    return { name: `orders-${new Date(clock.now()).toISOString().slice(0, 16).replace(':', '')}Z.csv` };
  },
});
