// Block lists: cards, issuers, e-mail addresses, ranges of internet addresses and countries that orders must not
// involve. A merchant has a list of its own, and the operator one for all merchants.

import { type AddressRange, readAddressRange, within, writeAddressRange } from '../address/address-ranges.ts';
import { isCountry } from '../country.ts';
import type { FilterReason } from './filter-reason.ts';

export const BLOCK_KINDS = ['card', 'bin', 'email', 'address', 'country'] as const;

export type BlockKind = (typeof BLOCK_KINDS)[number];

/** The merchant number of the operator's list for all merchants. */
export const EVERY_MERCHANT = 0;

/** `value` is a keyed digest for a card, and what `readBlocked` returns for everything else. */
export type Block = { readonly kind: BlockKind; readonly value: string };

/** The parts of an order that lists are asked about. */
export type Involved = {
  /** The cards that pay or are paid: digests of the number, one for each key, and its first eight digits. */
  readonly cards: readonly { readonly digests: readonly string[]; readonly leading: string }[];
  readonly email: string | undefined;
  readonly address: string | undefined;
  readonly country: string | undefined;
};

/** What a person wrote, as lists keep it; undefined when it is nothing of that kind. */
export function readBlocked(kind: Exclude<BlockKind, 'card'>, text: string): string | undefined {
  switch (kind) {
    case 'bin':
      return /^(?:\d{6}|\d{8})$/.test(text) ? text : undefined;
    case 'email':
      return /^[^\s@]*@[^\s@]+$/.test(text) ? text.toLowerCase() : undefined;
    case 'address': {
      const range = readAddressRange(text);
      return range && writeAddressRange(range);
    }
    case 'country':
      return isCountry(text.toUpperCase()) ? text.toUpperCase() : undefined;
  }
}

/** One list, arranged so that a question costs the same however long it is. */
export class BlockList {
  readonly #values: Readonly<Record<BlockKind, Set<string>>> = {
    card: new Set(),
    bin: new Set(),
    email: new Set(),
    address: new Set(),
    country: new Set(),
  };
  /** Prefix lengths that occur in the list, by family. */
  readonly #lengths = { 4: new Set<number>(), 6: new Set<number>() } as const;

  constructor(blocks: Iterable<Block>) {
    for (const { kind, value } of blocks) {
      const range = kind === 'address' ? readAddressRange(value) : undefined;
      if (range) this.#lengths[range.family].add(range.length);
      this.#values[kind].add(range ? keyOf(range) : value);
    }
  }

  /** Whether a card's number is needed to answer. */
  get looksAtCards(): boolean {
    return this.#values.card.size > 0 || this.#values.bin.size > 0;
  }

  reasonFor({ cards, email, address, country }: Involved): FilterReason | undefined {
    const { card, bin } = this.#values;
    if (cards.some(({ digests }) => digests.some((digest) => card.has(digest)))) return 'card-blocked';
    if (cards.some(({ leading }) => bin.has(leading) || bin.has(leading.slice(0, 6)))) return 'issuer-blocked';
    if (email !== undefined && this.#hasEmail(email.toLowerCase())) return 'email-blocked';
    if (address !== undefined && this.#hasAddress(address)) return 'address-blocked';
    if (country !== undefined && this.#values.country.has(country)) return 'country-blocked';
    return undefined;
  }

  /** The address itself or its domain. */
  #hasEmail(email: string): boolean {
    const { email: blocked } = this.#values;
    return blocked.has(email) || blocked.has(email.slice(email.lastIndexOf('@')));
  }

  #hasAddress(text: string): boolean {
    const address = readAddressRange(text);
    if (!address) return false;
    const lengths = [...this.#lengths[address.family]];
    return lengths.some((length) => this.#values.address.has(keyOf(within(address, length))));
  }
}

function keyOf({ family, bits, length }: AddressRange): string {
  return `${family}/${length}/${bits.toString(36)}`;
}
