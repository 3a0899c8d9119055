// How equal cards of a merchant are recognised: by fingerprints of their numbers. While the lookup key changes a card
// may have been noted under the older key or the newer one, so it is looked for by both.

import type { Secret } from '../../domain/secret.ts';
import type { StoredCard } from '../../storage/store.ts';
import { cardPlace } from '../../vault/places.ts';
import { type Fingerprint, fingerprintsIn, type Vault } from '../../vault/vault.ts';

export function fingerprintOfCard(vault: Vault, merchantId: number, number: string | Secret<string>): Fingerprint {
  return vault.fingerprint(['card', String(merchantId), number]);
}

/** The current key's first. The card is opened only where there are several lookup keys. */
export function fingerprintsOfStored(
  vault: Vault,
  merchantId: number,
  card: Pick<StoredCard, 'cardId' | 'sealed' | 'fingerprint'>,
): readonly Buffer[] | Promise<readonly Buffer[]> {
  if (!vault.hasOlderLookupKeys) return [card.fingerprint];
  const { cardId, fingerprint, sealed } = card;
  return vault.reveal(sealed, cardPlace({ merchantId, cardId })).then(
    (number) => fingerprintsIn(fingerprintOfCard(vault, merchantId, number)),
    // One that cannot be opened is known by what was noted with it.
    () => [fingerprint],
  );
}
