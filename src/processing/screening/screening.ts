// Runs the fraud checks. Block lists end an order before it is written; limits are counted by the door, in the
// transaction that writes it. Either way the merchant's request is accepted and the order ends as filtered, with
// nothing sent to the acquirer.

import { payerRange, readAddressRange, writeAddressRange } from '../../domain/address/address-ranges.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { Order, OrderOperation } from '../../domain/order/order.ts';
import { present } from '../../domain/present.ts';
import type { FilterReason } from '../../domain/screening/filter-reason.ts';
import { type Counted, countedBy, screened, type VelocityLimit } from '../../domain/screening/screening.ts';
import type { Involved } from '../../domain/screening/screening-lists.ts';
import type { Secret } from '../../domain/secret.ts';
import type { ScreeningStore } from '../../storage/screening.ts';
import type { OrderRecord, PlacedLimit, StoredCard } from '../../storage/store.ts';
import { type Fingerprint, fingerprintsIn, type Vault } from '../../vault/vault.ts';
import { fingerprintsOfStored } from '../cards/card-fingerprints.ts';
import type { Payee } from '../cards/payee.ts';
import { forgetOld } from '../node/forgetting.ts';
import { filteredRecord } from '../orders/conditional-writes.ts';
import type { MaterialsStore } from '../orders/materials.ts';
import type { PayingCard } from '../orders/order-request.ts';
import type { CardTesting } from './card-testing.ts';
import type { OrderRules } from './screening-rules.ts';

const FORGET_EVERY_MS = 60_000;
const FORGET_LIMIT = 5_000;

/** A late order counts others as of the moment it was made: their marks must still be there. */
const LATEST_MS = 10 * 60_000;

export type ScreeningParts = {
  readonly store: ScreeningStore;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly materials: MaterialsStore;
  readonly testing?: CardTesting;
};

/** The parts of a request that the rules look at. */
export type Screened = {
  readonly operation: OrderOperation;
  readonly card?: PayingCard | undefined;
  readonly payee?: Payee | undefined;
  readonly details: OrderDetails;
};

export class Screening {
  readonly #parts: ScreeningParts;

  constructor(parts: ScreeningParts) {
    this.#parts = parts;
  }

  /** The record, filtered if a block list says so. */
  async throughLists(record: OrderRecord, rules: OrderRules, request: Screened): Promise<OrderRecord> {
    const reason = await this.listedReason(record.order.merchantId, rules, request);
    return reason === undefined ? record : filteredRecord(record, reason);
  }

  /** Why a block list stops the order, if one does. */
  async listedReason(merchantId: number, { lists }: OrderRules, request: Screened): Promise<FilterReason | undefined> {
    if (lists.length === 0 || !screened[request.operation].lists) return undefined;
    const looksAtCards = lists.some((list) => list.looksAtCards);
    const involved = {
      cards: looksAtCards ? await this.#cardsOf(merchantId, request) : [],
      email: request.details.email,
      address: request.details.ipAddress,
      country: request.details.country,
    };
    const reasons = lists.map((list) => list.reasonFor(involved));
    return reasons.find((one) => one !== undefined);
  }

  /** The record, filtered if its payer tests cards. */
  throughCardTesting(record: OrderRecord, endpoint: Endpoint, request: Screened): OrderRecord {
    const reason = this.testedReason(record, endpoint, request);
    return reason === undefined ? record : filteredRecord(record, reason);
  }

  /** Why a card that was typed in is stopped: whoever typed it tests cards. Stored cards are not typed. */
  testedReason(
    { order, cards: [typed] }: Pick<OrderRecord, 'order' | 'cards'>,
    endpoint: Endpoint,
    { card, details }: Screened,
  ): FilterReason | undefined {
    if (!typed || !card || 'stored' in card) return undefined;
    return this.#parts.testing?.reasonFor(endpoint, { order, card: typed.fingerprint, details });
  }

  /**
   * The limits the order is counted by: those of its endpoint that look at something the order has. A promise only
   * where a stored card has to be opened, because the lookup key changes.
   */
  limitsOn(
    record: Pick<OrderRecord, 'order' | 'cards'>,
    { limits }: OrderRules,
    request: Screened,
  ): PlacedLimit[] | Promise<PlacedLimit[]> {
    if (limits.length === 0 || !screened[request.operation].limits) return [];
    const card = countedCard(record, request);
    const placed = (fingerprints: readonly Buffer[]) =>
      limits.flatMap((limit) => this.#placed(limit, record.order, request, fingerprints));
    if (!card) return placed([]);
    if ('made' in card) return placed(fingerprintsIn(card.made));
    const known = fingerprintsOfStored(this.#parts.vault, record.order.merchantId, card.stored);
    return known instanceof Promise ? known.then(placed) : placed(known);
  }

  #placed(limit: VelocityLimit, order: Order, request: Screened, fingerprints: readonly Buffer[]): PlacedLimit[] {
    const { vault } = this.#parts;
    const place = ['velocity', `${order.merchantId}`, `${order.endpointId}`];
    const counted = countedOf(order, request);
    if (limit.kind === 'card' || limit.kind === 'payment') {
      // Counted by the card's fingerprint, which is under a key itself: both are under the same.
      const [digest, ...older] = fingerprints.map((one) => {
        const value = countedBy(limit.kind, { ...counted, card: one.toString('hex') }) ?? [];
        return vault.fingerprintLike(one, [...place, ...value]);
      });
      return digest ? [{ limit, digest, older }] : [];
    }
    const value = countedBy(limit.kind, counted);
    const digest = value && vault.fingerprint([...place, ...value]);
    return digest ? [{ limit, digest, older: digest.older ?? [] }] : [];
  }

  /** Removes the marks of old orders until the signal is aborted. */
  async run(signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { clock, store } = this.#parts;
    const forget = (before: number, limit: number) => store.forget(before, limit);
    await forgetOld({ clock, keptMs: LATEST_MS, everyMs: FORGET_EVERY_MS, lot: FORGET_LIMIT, forget }, signal, onError);
  }

  async #cardsOf(merchantId: number, { card, payee }: Screened): Promise<Involved['cards']> {
    const { materials, vault } = this.#parts;
    const cards: Involved['cards'][number][] = [];
    for (const one of [card, payee]) {
      if (!one || 'account' in one) continue;
      const number = 'typed' in one ? one.typed.number : await materials.cardNumber(merchantId, one.stored);
      cards.push({ digests: blockedCardDigests(vault, number), leading: number.reveal().slice(0, 8) });
    }
    return cards;
  }
}

/** A card has the same digest for every merchant, as the operator's list needs it. */
export function blockedCardDigest(vault: Vault, number: Secret<string>): string {
  return present(blockedCardDigests(vault, number)[0]);
}

/** Under every lookup key that it may be on a list by. */
export function blockedCardDigests(vault: Vault, number: Secret<string>): readonly string[] {
  return fingerprintsIn(vault.fingerprint(['blocked card', number.reveal()])).map((one) => one.toString('hex'));
}

/** The card that pays counts; where none pays, the one that is paid. */
function countedCard(
  { cards }: Pick<OrderRecord, 'cards'>,
  { card, payee }: Screened,
): { readonly stored: StoredCard } | { readonly made: Fingerprint } | undefined {
  const chosen = card ?? (payee && 'account' in payee ? undefined : payee);
  if (!chosen) return undefined;
  return 'stored' in chosen ? { stored: chosen.stored } : { made: present(cards[0]).fingerprint };
}

function countedOf({ amount }: Pick<Order, 'amount'>, { card, details }: Screened): Counted {
  const range = details.ipAddress === undefined ? undefined : readAddressRange(details.ipAddress);
  return {
    direction: card ? 'in' : 'out',
    amount,
    card: undefined,
    email: details.email?.toLowerCase(),
    address: range && writeAddressRange(payerRange(range)),
  };
}
