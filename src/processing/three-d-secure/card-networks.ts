// Which directory server is asked about a card: the one of its brand, else the general one. Servers of brands are
// opened as the configuration names them, and opened anew when it names them otherwise. What a server told about ranges
// of cards stays known while its address is the same: networks let nobody ask for all of it often.

import { isDeepStrictEqual } from 'node:util';
import type { CardBrand } from '../../domain/card/card.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CardNetwork, NetworkConnection, NetworkIdentity } from '../../domain/three-d-secure/card-network.ts';
import type { DirectoryServer } from '../../threeds/directory.ts';
import type { OpenedNetworks } from '../node/opened-networks.ts';
import { CardRangeBook } from './card-range-book.ts';

/** A directory server as it is asked about a card. */
export type NetworkLine = {
  readonly server: DirectoryServer;
  readonly ranges: CardRangeBook;
  /** How a brand's own server knows us. */
  readonly identity: NetworkIdentity | undefined;
};

export type CardNetworksParts = {
  readonly clock: Clock;
  /** `networks` is another map as soon as one of them differs. */
  readonly configuration: { readonly networks: OpenedNetworks };
  /** For brands that have no server of their own. It is closed by who opened it. */
  readonly general: DirectoryServer | undefined;
  readonly open: (connection: NetworkConnection) => DirectoryServer;
};

type BrandLine = NetworkLine & { readonly network: CardNetwork };

export class CardNetworks {
  readonly #parts: CardNetworksParts;
  readonly #general: NetworkLine | undefined;
  #named: OpenedNetworks = new Map();
  #lines: ReadonlyMap<CardBrand, BrandLine> = new Map();

  constructor(parts: CardNetworksParts) {
    const { clock, general: server } = parts;
    this.#parts = parts;
    this.#general = server && { server, ranges: new CardRangeBook(server, clock), identity: undefined };
  }

  /** Whether no card at all can be asked about. */
  get isEmpty(): boolean {
    return this.#general === undefined && this.#parts.configuration.networks.size === 0;
  }

  lineFor(brand: CardBrand): NetworkLine | undefined {
    return this.#opened().get(brand) ?? this.#general;
  }

  /** 1.0.2: the keys that sign PARes. Only the general server speaks that version. */
  async signers(asked?: 'anew'): ReturnType<DirectoryServer['signers']> {
    return this.#general?.server.signers(asked) ?? [];
  }

  /** Closes the servers of brands. */
  async close(): Promise<void> {
    for (const { server } of this.#lines.values()) await server.close();
  }

  #opened(): ReadonlyMap<CardBrand, NetworkLine> {
    const { networks } = this.#parts.configuration;
    if (networks === this.#named) return this.#lines;
    const before = this.#lines;
    this.#lines = new Map([...networks].map(([brand, network]) => [brand, this.#lineTo(network, before.get(brand))]));
    this.#named = networks;
    // What was asked is still answered.
    for (const [brand, { server }] of before) if (this.#lines.get(brand)?.server !== server) server.retire();
    return this.#lines;
  }

  #lineTo(network: CardNetwork, before: BrandLine | undefined): BrandLine {
    const isSame = before !== undefined && isDeepStrictEqual(connectionTo(before.network), connectionTo(network));
    const server = isSame ? before.server : this.#parts.open(network);
    const { operatorId } = network;
    const teller: Pick<DirectoryServer, 'cardRanges'> = {
      cardRanges: (request) =>
        server.cardRanges(operatorId === undefined ? request : { ...request, threeDSServerOperatorID: operatorId }),
    };
    const isSameAddress = before?.network.address === network.address;
    const ranges = isSameAddress ? before.ranges.toldBy(teller) : new CardRangeBook(teller, this.#parts.clock);
    return { network, server, ranges, identity: network };
  }
}

function connectionTo({ address, ca, certificate, privateKey }: NetworkConnection) {
  return { address, ca, certificate, privateKey: privateKey?.reveal() };
}
