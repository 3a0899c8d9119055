// Card references, as an operator lists and deletes them. Deleted, the name goes, and with it every way to charge the card by it; the orders
// that were paid with the card stay.

import type { StoredCard } from '../storage/store.ts';
import type { AdministrationParts } from './administration.ts';
import { type Given, idOf, needed, Unfit } from './given.ts';
import { merchantOf } from './merchants.ts';
import { written } from './moments.ts';

export type CardReferenceView = {
  readonly login: string;
  readonly cardReference: number;
  /** The ends of its number. */
  readonly card: string;
  readonly brand: string;
};

export type ListedCardReference = CardReferenceView & {
  /** Null of a card that only receives money. */
  readonly expires: string | null;
  readonly holder: string | null;
  readonly createdAt: string;
};

const LIST_LIMIT = 100;

export function cardVerbs({ cardReferences, clock, configuration }: AdministrationParts) {
  return {
    async deleteCardReference(given: Given): Promise<CardReferenceView> {
      const { login, merchantId } = merchantOf(given, await configuration.read());
      const cardReference = needed(idOf(given, 'cardReference'), 'cardReference', 'a card reference');
      const card = await cardReferences.find(merchantId, cardReference);
      if (!card || !(await cardReferences.remove(merchantId, cardReference, clock.now()))) {
        throw new Unfit(`merchant "${login}" has no card reference ${cardReference}`);
      }
      return viewOf(login, cardReference, card);
    },

    /** The newest first. */
    async listCardReferences(given: Given): Promise<ListedCardReference[]> {
      const { login, merchantId } = merchantOf(given, await configuration.read());
      const listed = await cardReferences.list({ merchantId, before: idOf(given, 'before'), limit: LIST_LIMIT });
      return listed.map(({ referenceId, card, createdAt }) => ({
        ...viewOf(login, referenceId, card),
        expires: expiryOf(card),
        holder: card.holder ?? null,
        createdAt: written(createdAt),
      }));
    },
  };
}

function viewOf(login: string, cardReference: number, card: StoredCard): CardReferenceView {
  return { login, cardReference, card: numberOf(card), brand: card.brand };
}

/** The ends of its number. */
export function numberOf({ bin, lastFour }: StoredCard): string {
  return `${bin}...${lastFour}`;
}

export function expiryOf({ expireMonth, expireYear }: StoredCard): string | null {
  return expireMonth === undefined ? null : `${String(expireMonth).padStart(2, '0')}/${expireYear}`;
}
