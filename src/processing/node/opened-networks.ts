// The directory servers of brands as they are used: with the private keys opened, and without those that a gateway in
// this mode must not reach.

import { isDeepStrictEqual } from 'node:util';
import type { CardBrand } from '../../domain/card/card.ts';
import { type CardNetwork, mayBeReached } from '../../domain/three-d-secure/card-network.ts';
import type { StoredNetwork } from '../../storage/card-networks.ts';
import { networkKeyPlace } from '../../vault/places.ts';
import type { Vault } from '../../vault/vault.ts';

export type OpenedNetworks = ReadonlyMap<CardBrand, CardNetwork>;

export type NetworkOpening = { readonly vault: Pick<Vault, 'reveal'>; readonly mode: 'sandbox' | 'production' };

/** The map from before when all of them are as they were. */
export async function openedNetworks(
  stored: readonly StoredNetwork[],
  { vault, mode }: NetworkOpening,
  before: OpenedNetworks,
): Promise<OpenedNetworks> {
  // A database that began as a sandbox may hold an address without TLS.
  const usable = stored.filter(({ address }) => mayBeReached(address, mode));
  const opened = await Promise.all(usable.map((one) => openedNetwork(one, vault)));
  const isSame = isDeepStrictEqual(opened.map(plain), [...before.values()].map(plain));
  return isSame ? before : new Map(opened.map((network) => [network.brand, network]));
}

export async function openedNetwork(
  { sealedKey, ...network }: StoredNetwork,
  vault: Pick<Vault, 'reveal'>,
): Promise<CardNetwork> {
  const privateKey = sealedKey && (await vault.reveal(sealedKey, networkKeyPlace(network)));
  return { ...network, privateKey };
}

/** A secret looks like every other. */
function plain(network: CardNetwork) {
  return { ...network, privateKey: network.privateKey?.reveal() };
}
