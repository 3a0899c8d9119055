// Card references, as an operator deletes them: the name goes, and with it every way to charge the card by it; the orders
// that were paid with the card stay.

import type { AdministrationParts } from '../administration.ts';
import { type Given, idOf, needed, Unfit } from './given.ts';
import { merchantOf } from './merchants.ts';

export type CardReferenceView = {
  readonly login: string;
  readonly cardReference: number;
  /** The ends of its number. */
  readonly card: string;
  readonly brand: string;
};

export function cardVerbs({ cardReferences, clock, configuration }: AdministrationParts) {
  return {
    async deleteCardReference(given: Given): Promise<CardReferenceView> {
      const { login, merchantId } = merchantOf(given, await configuration.read());
      const cardReference = needed(idOf(given, 'cardReference'), 'cardReference', 'a card reference');
      const card = await cardReferences.find(merchantId, cardReference);
      if (!card || !(await cardReferences.remove(merchantId, cardReference, clock.now()))) {
        throw new Unfit(`merchant "${login}" has no card reference ${cardReference}`);
      }
      return { login, cardReference, card: `${card.bin}...${card.lastFour}`, brand: card.brand };
    },
  };
}
