// Makes fingerprints of card numbers anew under the current lookup key: a few at a time, while payments go on. What
// cannot be opened keeps the fingerprint it has, and with it the key that the fingerprint is under.

import type { CardFingerprintStore } from '../../storage/cards/card-fingerprints.ts';
import type { StoredCard } from '../../storage/store.ts';
import { cardPlace } from '../../vault/places.ts';
import type { Vault, Walk } from '../../vault/vault.ts';
import { fingerprintOfCard } from './card-fingerprints.ts';

export type FingerprintWalkParts = {
  readonly vault: Vault;
  readonly store: CardFingerprintStore;
  /** Called for each fingerprint that was made anew. */
  readonly made: () => void;
};

/** One walk over all old fingerprints, at most `limit` at a time; resolves with how many it met, and 0 at the end. */
export function fingerprintWalk({ vault, store, made }: FingerprintWalkParts): Walk {
  let afterCard = { merchantId: 0, cardId: 0 };
  let afterAttempt = { merchantId: 0, orderId: 0, seq: 0 };
  const lookupKeyId = vault.currentLookupKeyId;
  const freshOf = async (merchantId: number, { cardId, sealed }: Pick<StoredCard, 'cardId' | 'sealed'>) => {
    const number = await vault.reveal(sealed, cardPlace({ merchantId, cardId })).catch(() => undefined);
    if (number) made();
    return number && fingerprintOfCard(vault, merchantId, number);
  };
  const cards = async (limit: number) => {
    const found = await store.cards(lookupKeyId, afterCard, limit);
    for (const { key, card } of found) {
      const fresh = await freshOf(key.merchantId, { ...card, cardId: key.cardId });
      if (fresh) await store.replace(key, card.fingerprint, fresh);
      afterCard = key;
    }
    return found.length;
  };
  const attempts = async (limit: number) => {
    const found = await store.attempts(lookupKeyId, afterAttempt, limit);
    for (const { key, card } of found) {
      const fresh = await freshOf(key.merchantId, card);
      if (fresh) await store.replaceAttempt(key, fresh);
      afterAttempt = key;
    }
    return found.length;
  };
  return async (limit) => (await cards(limit)) || attempts(limit);
}
