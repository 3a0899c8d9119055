// What an administrator does with block lists: a merchant's own, and the operator's for all merchants.

import { maskCardNumber, maskCardNumbers } from '../domain/card/card.ts';
import { BLOCK_KINDS, type BlockKind, EVERY_MERCHANT, readBlocked } from '../domain/screening/screening-lists.ts';
import { blockedCardDigest } from '../processing/screening/screening.ts';
import type { Configuration } from '../storage/configuration.ts';
import type { StoredBlock } from '../storage/screening-rules.ts';
import type { StoredCard } from '../storage/store.ts';
import { cardPlace } from '../vault/places.ts';
import { flagOf, type Given, idOf, needed, shown, textOf, Unfit, wordOf } from './given.ts';
import { merchantOf } from './merchants.ts';
import type { ScreeningAdministrationParts } from './screening-administration.ts';
import { written } from './verb/moments.ts';

const MAX_NOTE = 200;
/** Every node keeps all lists in memory. */
const MAX_BLOCKS = 50_000;
const SHOWN_BLOCKS = 1_000;
/** How much of a card's digest stands for it in lists. */
const CARD_NAME_LENGTH = 16;

export type BlockView = {
  readonly kind: BlockKind;
  /** What names the entry when it is removed: of a card the beginning of its digest. */
  readonly value: string;
  /** The same for people: of a card the ends of its number. */
  readonly label: string;
  readonly note: string | null;
  /** Null: for every merchant. */
  readonly login: string | null;
  readonly createdAt: string;
};

/**
 * `kind`, and `value`, or for a card `orderId` or `cardReference` of the merchant `login`; `note`. The list is the
 * merchant's, or the operator's for all merchants when `everywhere` is true.
 */
export async function addBlock(parts: ScreeningAdministrationParts, given: Given): Promise<BlockView> {
  const all = await parts.configuration.read();
  const list = listOf(given, all);
  const kind = kindOf(given);
  const note = noteOf(given);
  const named = kind === 'card' ? await cardOf(parts, given, all) : plainOf(kind, given);
  if ((await parts.rules.countBlocks(list)) >= MAX_BLOCKS)
    throw new Unfit(`the list has ${MAX_BLOCKS} entries already`);
  const block = { ...named, kind, merchantId: list, note, createdAt: parts.clock.now() };
  await parts.rules.addBlock(block);
  await parts.changed();
  return blockView(block, all);
}

/** The list as for `addBlock`, `kind`, and `value` as the list shows it, or for a card `orderId` or `cardReference`. */
export async function removeBlock(parts: ScreeningAdministrationParts, given: Given): Promise<BlockView> {
  const all = await parts.configuration.read();
  const merchantId = listOf(given, all);
  const kind = kindOf(given);
  const blocks = await parts.rules.blocks({ merchantId, kind, limit: MAX_BLOCKS });
  const wanted = await valueToRemove(parts, given, kind, all);
  const block = blocks.find(({ value }) => (kind === 'card' ? value.startsWith(wanted) : value === wanted));
  if (!block) throw new Unfit(`the list has no ${kind} ${shown(given.value ?? given.orderId ?? given.cardReference)}`);
  await parts.rules.removeBlock(block);
  await parts.changed();
  return blockView(block, all);
}

/** The newest first: of the merchant `login`, or with `everywhere` the operator's; `kind` chooses among them. */
export async function listBlocks(parts: ScreeningAdministrationParts, given: Given): Promise<BlockView[]> {
  const all = await parts.configuration.read();
  const kind = wordOf(given, 'kind', BLOCK_KINDS);
  const blocks = await parts.rules.blocks({ merchantId: listOf(given, all), kind, limit: SHOWN_BLOCKS });
  return blocks.map((block) => blockView(block, all));
}

type Named = { readonly value: string; readonly label: string };

const EXAMPLES: Readonly<Record<Exclude<BlockKind, 'card'>, string>> = {
  bin: 'the first 6 or 8 digits of cards',
  email: 'an address such as ann@example.com or a domain such as @example.com',
  address: 'an address such as 192.0.2.7 or a network such as 192.0.2.0/24 or 2001:db8::/32',
  country: 'a two-letter ISO 3166-1 code such as US',
};

function plainOf(kind: Exclude<BlockKind, 'card'>, { value }: Given): Named {
  if (value === undefined) throw new Unfit(`value is missing: ${EXAMPLES[kind]} is needed`);
  const read = typeof value === 'string' ? readBlocked(kind, value.trim()) : undefined;
  if (read === undefined) throw new Unfit(`value: ${EXAMPLES[kind]} is needed, not ${shown(value)}`);
  return { value: read, label: read };
}

async function valueToRemove(
  parts: ScreeningAdministrationParts,
  given: Given,
  kind: BlockKind,
  all: Configuration,
): Promise<string> {
  if (kind !== 'card') return plainOf(kind, given).value;
  if (given.value === undefined) return (await cardOf(parts, given, all)).value;
  const pattern = new RegExp(`^[0-9a-f]{${CARD_NAME_LENGTH}}$`);
  if (typeof given.value === 'string' && pattern.test(given.value)) return given.value;
  throw new Unfit(`value: the ${CARD_NAME_LENGTH} letters and digits the list shows for a card are needed`);
}

/** A card by where it was used: numbers are not typed here. */
async function cardOf(parts: ScreeningAdministrationParts, given: Given, all: Configuration): Promise<Named> {
  const { value, orderId, cardReference } = given;
  if (value !== undefined || (orderId === undefined) === (cardReference === undefined)) {
    throw new Unfit('a card is named by one of orderId and cardReference, never by its number');
  }
  const { merchantId, login } = merchantOf(given, all);
  const card =
    orderId === undefined
      ? await parts.cardReferences.find(merchantId, numberOf(given, 'cardReference'))
      : await cardOfOrder(parts, merchantId, numberOf(given, 'orderId'));
  const where =
    orderId === undefined ? `card reference ${shown(cardReference)}` : `order ${shown(orderId)} with a card`;
  if (!card) throw new Unfit(`merchant ${login} has no ${where}`);
  const number = await parts.vault.reveal(card.sealed, cardPlace(merchantId, card.cardId));
  return { value: blockedCardDigest(parts.vault, number), label: maskCardNumber(number.reveal()) };
}

function numberOf(given: Given, name: 'cardReference' | 'orderId'): number {
  return needed(idOf(given, name), name, 'a whole number above 0');
}

/** The card that paid; where none did, the one that was paid. */
async function cardOfOrder(
  { orders }: ScreeningAdministrationParts,
  merchantId: number,
  orderId: number,
): Promise<StoredCard | undefined> {
  const view = await orders.findOrderView({ merchantId, orderId, clientOrderId: undefined });
  return view?.card ?? view?.targetCard;
}

function blockView({ kind, value, label, note, merchantId, createdAt }: StoredBlock, all: Configuration): BlockView {
  return {
    kind,
    value: kind === 'card' ? value.slice(0, CARD_NAME_LENGTH) : value,
    label,
    note: note ?? null,
    login: all.merchants.find((one) => one.merchantId === merchantId)?.login ?? null,
    createdAt: written(createdAt),
  };
}

/** Whose list. */
function listOf(given: Given, all: Configuration): number {
  return flagOf(given, 'everywhere') ? EVERY_MERCHANT : merchantOf(given, all).merchantId;
}

function kindOf(given: Given): BlockKind {
  return needed(wordOf(given, 'kind', BLOCK_KINDS), 'kind', `one of ${BLOCK_KINDS.join(', ')}`);
}

/** Whoever writes a card number down here has it masked. */
function noteOf(given: Given): string | undefined {
  const note = textOf(given, 'note', MAX_NOTE);
  return note && maskCardNumbers(note);
}
