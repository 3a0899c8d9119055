// Card references, as an operator lists and deletes them. Deleted, the name goes, and with it every way to charge the
// card by it; the orders that were paid with the card stay.

import { id } from '../../domain/input-kinds.ts';
import type { StoredCard } from '../../storage/store.ts';
import { merchantLogin, merchantOf } from '../lookups.ts';
import { aList, aMoment, aNumber, anObject, aText, orNull, told } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineVerb } from '../verb/verb.ts';

const LIST_LIMIT = 100;

const theMerchant = mustGive(merchantLogin, 'the merchant', { as: '<login>', told: 'merchant' });

const reference = {
  login: told(aText(), 'merchant'),
  cardReference: told(aNumber(), 'card reference'),
  card: told(aText('The ends of its number.')),
  brand: aText(),
};

export const listCardReferences = defineVerb({
  name: 'listCardReferences',
  command: 'card list',
  summary: "list a merchant's card references, the newest first, 100 at a time",
  merchants: 'own',
  example: 'tender card list shop',
  role: 'operator',
  conduct: 'cards',
  given: {
    login: theMerchant,
    before: mayGive(id, 'only those older than this one', { as: '--before <reference>', told: true }),
  },
  answer: aList(
    anObject({
      ...reference,
      expires: orNull(aText('Null of a card that only receives money.')),
      holder: orNull(aText()),
      createdAt: aMoment(),
    }),
  ),
  run: async ({ login, before }, { cardReferences, configuration }) => {
    const { merchantId } = merchantOf(login, await configuration.read());
    const listed = await cardReferences.list({ merchantId, before, limit: LIST_LIMIT });
    return listed.map(({ referenceId, card, createdAt }) => {
      return { ...viewOf(login, referenceId, card), expires: writtenExpiry(card), holder: card.holder, createdAt };
    });
  },
  show: rowsOf(
    {
      REFERENCE: (one) => one.cardReference,
      CARD: (one) => one.card,
      BRAND: (one) => one.brand,
      EXPIRES: (one) => one.expires,
      HOLDER: (one) => one.holder,
      MADE: (one) => minute(one.createdAt),
    },
    'There are no such card references.',
  ),
});

export const deleteCardReference = defineVerb({
  name: 'deleteCardReference',
  command: 'card delete',
  summary: 'delete a card reference for good; orders paid with it stay',
  merchants: 'own',
  example: 'tender card delete shop 1234567',
  role: 'operator',
  conduct: 'change',
  given: {
    login: theMerchant,
    cardReference: mustGive(id, 'the card reference, or the id of a recurring payment whose card shall go', {
      as: '<reference>',
      told: 'card reference',
      what: 'a card reference',
    }),
  },
  answer: anObject(reference),
  run: async ({ login, cardReference }, { cardReferences, clock, configuration }) => {
    const { merchantId } = merchantOf(login, await configuration.read());
    const card = await cardReferences.find(merchantId, cardReference);
    if (!card || !(await cardReferences.remove(merchantId, cardReference, clock.now()))) {
      throw new InvalidInput(`merchant "${login}" has no card reference ${cardReference}`);
    }
    return viewOf(login, cardReference, card);
  },
  show: ({ login, cardReference, card }) =>
    `Deleted card reference ${cardReference} of merchant ${login}, card ${card}.`,
});

function viewOf(login: string, cardReference: number, card: StoredCard) {
  return { login, cardReference, card: endsOfNumber(card), brand: card.brand };
}

/** The ends of its number. */
export function endsOfNumber({ bin, lastFour }: StoredCard): string {
  return `${bin}...${lastFour}`;
}

export function writtenExpiry({ expireMonth, expireYear }: StoredCard): string | undefined {
  return expireMonth === undefined ? undefined : `${String(expireMonth).padStart(2, '0')}/${expireYear}`;
}
