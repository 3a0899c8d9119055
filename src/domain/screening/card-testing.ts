// Card testing, pure: thieves find out which stolen cards work by trying hundreds of them. Somebody who was declined
// with many different cards in a short time is filtered from then on; a payer who mistypes a code, or whose second card
// is taken, is not. The numbers and their reasons are in docs/guides/card-testing.md.

import { addressBlock } from '../address/address-blocks.ts';
import { addressKind } from '../address/public-address.ts';
import type { EndpointSettings } from '../merchant/endpoint-settings.ts';
import type { OrderDetails } from '../order/details.ts';
import type { FilterReason } from './filter-reason.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What tries are counted by. */
export type SourceKind = 'address' | 'email';

export const SOURCE_KINDS: readonly SourceKind[] = ['address', 'email'];

/** Address ranges are shared by strangers, an e-mail address is not: that may be remembered for longer. */
export const WINDOW_MS_OF: Readonly<Record<SourceKind, number>> = { address: HOUR_MS, email: 24 * HOUR_MS };

/** How many declined cards an approved one makes good for. */
export const MADE_GOOD = 2;

/** How the latest try of one card ended. */
export type CardTry = { readonly declined: boolean; readonly at: number };

type CardTestingSettings = Pick<EndpointSettings, 'cardTesting' | 'cardsPerNetwork' | 'cardsPerEmail' | 'sandbox'>;

/** Unless an operator has said otherwise, everywhere but in a sandbox. */
export function stopsCardTesting({ cardTesting, sandbox }: Pick<CardTestingSettings, 'cardTesting' | 'sandbox'>) {
  return cardTesting ?? !sandbox;
}

/** Whom tries are counted by: the address range the card came from, and the payer's mailbox. */
export function sourceOf(kind: SourceKind, details: OrderDetails): string | undefined {
  return kind === 'email' ? details.email && mailbox(details.email) : payerBlock(details);
}

/** What stands behind a plus is the payer's own choice, and leads to the same mailbox. */
function mailbox(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*(?=@)/, '');
}

/** A private address is that of a proxy or of the shop itself: it tells nothing of who pays. */
function payerBlock({ payerAddress, ipAddress }: OrderDetails): string | undefined {
  const address = payerAddress ?? ipAddress;
  return address !== undefined && addressKind(address) === 'public' ? addressBlock(address) : undefined;
}

/** How many more different cards were declined than those that were approved make good for. */
export function suspicion(kind: SourceKind, tries: Iterable<CardTry>, now: number): number {
  let count = 0;
  for (const { declined, at } of tries) {
    if (at > now - WINDOW_MS_OF[kind]) count += declined ? 1 : -MADE_GOOD;
  }
  return Math.max(count, 0);
}

const REASON: Readonly<Record<SourceKind, FilterReason>> = {
  address: 'address-tests-cards',
  email: 'email-tests-cards',
};

/** Why the next card of a source is filtered, if it is. */
export function testingReason(
  kind: SourceKind,
  count: number,
  { cardsPerNetwork, cardsPerEmail }: Pick<CardTestingSettings, 'cardsPerNetwork' | 'cardsPerEmail'>,
): FilterReason | undefined {
  return count >= (kind === 'address' ? cardsPerNetwork : cardsPerEmail) ? REASON[kind] : undefined;
}

/** How an endpoint's payments ended: different cards that were declined, and payments that were approved. */
export type Ended = { readonly declined: number; readonly approved: number };

/** An endpoint is looked at over this time. */
export const ATTACK_WINDOW_MS = 10 * MINUTE_MS;

/** Fewer declined cards are no attack: a small shop has three declines of three payments now and then. */
const ATTACK_CARDS = 30;

/** At least half is declined under attack, three times the usual share, and never more than nine of ten is demanded. */
const ATTACK_SHARE = { least: 0.5, most: 0.9, timesUsual: 3 } as const;

/** Before so many payments are known, one in seven is taken for the usual share of declines. */
const KNOWN_PAYMENTS = 100;
const SUPPOSED_SHARE = 1 / 7;

export function isUnderAttack(ended: Ended, usual: Ended): boolean {
  if (ended.declined < ATTACK_CARDS) return false;
  const { least, most, timesUsual } = ATTACK_SHARE;
  const usualShare = usual.declined + usual.approved < KNOWN_PAYMENTS ? SUPPOSED_SHARE : declinedShare(usual);
  return declinedShare(ended) >= Math.min(most, Math.max(least, timesUsual * usualShare));
}

export function declinedShare({ declined, approved }: Ended): number {
  return declined === 0 ? 0 : declined / (declined + approved);
}
