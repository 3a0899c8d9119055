// Block lists: a merchant's own, and the operator's for all merchants.

import { maskCardNumber } from '../../domain/card/card.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { flag, id, line, nameOf, word } from '../../domain/input-kinds.ts';
import { BLOCK_KINDS, type BlockKind, EVERY_MERCHANT, readBlocked } from '../../domain/screening/screening-lists.ts';
import type { Secret } from '../../domain/secret.ts';
import { shown } from '../../domain/text.ts';
import { blockedCardDigest, blockedCardDigests } from '../../processing/screening/screening.ts';
import type { Configuration } from '../../storage/configuration.ts';
import type { StoredBlock } from '../../storage/screening-rules.ts';
import type { StoredCard } from '../../storage/store.ts';
import { cardPlace } from '../../vault/places.ts';
import { merchantLogin, merchantOf } from '../lookups.ts';
import type { Parts } from '../parts.ts';
import { type Answered, aList, aMoment, anObject, aText, aWord, orNull, told } from '../verb/answers.ts';
import { type InputValues, mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { minute, rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';

const MAX_NOTE = 200;
/** Every node keeps all lists in memory. */
const MAX_BLOCKS = 50_000;
const SHOWN_BLOCKS = 1_000;
/** How much of a card's digest stands for it in lists. */
const CARD_NAME_LENGTH = 16;

const blockView = anObject({
  kind: told(aWord(BLOCK_KINDS)),
  value: told(aText('What names the entry when it is removed: of a card the beginning of its digest.')),
  label: aText('The same for people: of a card the ends of its number.'),
  note: told(orNull(aText())),
  login: told(orNull(aText('Null: for every merchant.')), 'merchant'),
  createdAt: aMoment(),
});

const whoseList = {
  login: mayGive(merchantLogin, 'the merchant whose own list it is, or whose card is named', { told: 'merchant' }),
  everywhere: mayGive(flag, 'the list for all merchants', { told: true }),
};

const entry = {
  ...whoseList,
  kind: mustGive(word(BLOCK_KINDS, `one of ${BLOCK_KINDS.join(', ')}`), 'what is blocked', { told: true }),
  value: mayGive(nameOf('a value'), 'what is blocked; never the number of a card', { told: true }),
  orderId: mayGive(id, 'the card of this order of the merchant', { told: 'order' }),
  cardReference: mayGive(id, 'the card of this card reference of the merchant', { told: 'card reference' }),
};

type Entry = InputValues<typeof entry>;

export const addBlock = defineVerb({
  name: 'addBlock',
  summary: 'put something on a block list',
  role: 'operator',
  conduct: 'change',
  given: { ...entry, note: mayGive(line(MAX_NOTE), 'why, for people', { told: true }) },
  answer: blockView,
  run: async ({ note, ...given }, { clock, configuration, rules, ...parts }) => {
    const { kind } = given;
    const all = await configuration.read();
    const merchantId = listOf(given, all);
    const named = kind === 'card' ? listedCard(parts, await cardOf(parts, given, all)) : plainOf(kind, given);
    if ((await rules.countBlocks(merchantId)) >= MAX_BLOCKS) {
      throw new InvalidInput(`the list has ${MAX_BLOCKS} entries already`);
    }
    // Whoever writes a card number down here has it masked.
    const masked = note && maskCardNumbers(note);
    const block = { ...named, kind, merchantId, note: masked, createdAt: clock.now() };
    await rules.addBlock(block);
    return viewOf(block, all);
  },
  show: (block) => `Blocked ${named(block)}.`,
});

export const removeBlock = defineVerb({
  name: 'removeBlock',
  summary: 'take something off a block list',
  role: 'operator',
  conduct: 'change',
  given: entry,
  answer: blockView,
  run: async (given, { configuration, rules, ...parts }) => {
    const { kind } = given;
    const all = await configuration.read();
    const merchantId = listOf(given, all);
    const blocks = await rules.blocks({ merchantId, kind, limit: MAX_BLOCKS });
    const wanted = await valuesToRemove(parts, given, all);
    const block = blocks.find(({ value }) =>
      wanted.some((one) => (kind === 'card' ? value.startsWith(one) : value === one)),
    );
    if (!block) {
      throw new InvalidInput(`the list has no ${kind} ${shown(given.value ?? given.orderId ?? given.cardReference)}`);
    }
    await rules.removeBlock(block);
    return viewOf(block, all);
  },
  show: (block) => `No longer blocked: ${named(block)}.`,
});

export const listBlocks = defineReading({
  name: 'listBlocks',
  summary: 'list what is blocked, the newest first',
  merchants: 'own',
  given: { ...whoseList, kind: mayGive(word(BLOCK_KINDS), 'only this') },
  answer: aList(blockView),
  run: async ({ kind, ...given }, { configuration, rules, merchantId: only }) => {
    if (given.everywhere && only !== undefined) throw new InvalidInput(NOT_FOR_MERCHANTS);
    const all = await configuration.read();
    const blocks = await rules.blocks({ merchantId: listOf(given, all), kind, limit: SHOWN_BLOCKS });
    // Who runs the gateway wrote the notes for each other.
    const shownOf = only === undefined ? viewOf : withoutNote;
    return blocks.map((block) => shownOf(block, all));
  },
  show: rowsOf(
    {
      KIND: (one) => one.kind,
      VALUE: (one) => one.label,
      NAME: (one) => (one.kind === 'card' ? one.value : '-'),
      NOTE: (one) => one.note,
      SINCE: (one) => minute(one.createdAt),
    },
    'Nothing is blocked on this list.',
  ),
});

const NOT_FOR_MERCHANTS = 'everywhere: the list for all merchants is for who runs the gateway';

const withoutNote = (block: StoredBlock, all: Configuration) => viewOf({ ...block, note: undefined }, all);

type Named = { readonly value: string; readonly label: string };

const EXAMPLES: Readonly<Record<Exclude<BlockKind, 'card'>, string>> = {
  bin: 'the first 6 or 8 digits of cards',
  email: 'an address such as ann@example.com or a domain such as @example.com',
  address: 'an address such as 192.0.2.7 or an address range such as 192.0.2.0/24 or 2001:db8::/32',
  country: 'a two-letter ISO 3166-1 code such as US',
};

function plainOf(kind: Exclude<BlockKind, 'card'>, { value }: Entry): Named {
  if (value === undefined) throw new InvalidInput(`value is missing: ${EXAMPLES[kind]} is needed`);
  const read = readBlocked(kind, value.trim());
  if (read === undefined) throw new InvalidInput(`value: ${EXAMPLES[kind]} is needed, not ${shown(value)}`);
  return { value: read, label: read };
}

type CardParts = Parts<'cardReferences' | 'orders' | 'vault'>;

/** Of a card every digest that it may be listed by. */
async function valuesToRemove(parts: CardParts, given: Entry, all: Configuration): Promise<readonly string[]> {
  const { kind, value } = given;
  if (kind !== 'card') return [plainOf(kind, given).value];
  if (value === undefined) return blockedCardDigests(parts.vault, await cardOf(parts, given, all));
  if (new RegExp(`^[0-9a-f]{${CARD_NAME_LENGTH}}$`).test(value)) return [value];
  throw new InvalidInput(`value: the ${CARD_NAME_LENGTH} letters and digits the list shows for a card are needed`);
}

function listedCard({ vault }: Parts<'vault'>, number: Secret<string>): Named {
  return { value: blockedCardDigest(vault, number), label: maskCardNumber(number.reveal()) };
}

/** A card by where it was used: numbers are not typed here. */
async function cardOf(parts: CardParts, given: Entry, all: Configuration): Promise<Secret<string>> {
  const { value, orderId, cardReference } = given;
  if (value !== undefined || (orderId === undefined) === (cardReference === undefined)) {
    throw new InvalidInput('a card is named by one of orderId and cardReference, never by its number');
  }
  const { merchantId, login } = merchantOf(whose(given), all);
  const card = await storedCard(parts, merchantId, given);
  const where = orderId === undefined ? `card reference "${cardReference}"` : `order "${orderId}" with a card`;
  if (!card) throw new InvalidInput(`merchant ${login} has no ${where}`);
  return parts.vault.reveal(card.sealed, cardPlace({ merchantId, cardId: card.cardId }));
}

/** Of an order the card that paid; where none did, the one that was paid. */
async function storedCard(
  { cardReferences, orders }: CardParts,
  merchantId: number,
  { orderId, cardReference }: Entry,
): Promise<StoredCard | undefined> {
  if (cardReference !== undefined) return cardReferences.find(merchantId, cardReference);
  const view = await orders.findOrderView({ merchantId, orderId, clientOrderId: undefined });
  return view?.card ?? view?.targetCard;
}

type Whose = InputValues<typeof whoseList>;

/** Whose list. */
function listOf(given: Whose, all: Configuration): number {
  return given.everywhere ? EVERY_MERCHANT : merchantOf(whose(given), all).merchantId;
}

function whose({ login }: Whose): string {
  if (login === undefined) throw new InvalidInput('login is missing: the login of a merchant is needed');
  return login;
}

function viewOf(block: StoredBlock, all: Configuration) {
  const { kind, value, merchantId } = block;
  const login = all.merchants.find((one) => one.merchantId === merchantId)?.login;
  return { ...block, value: kind === 'card' ? value.slice(0, CARD_NAME_LENGTH) : value, login };
}

function named({ kind, label, login }: Answered<typeof blockView>): string {
  return `${kind} ${label} ${login === null ? 'at every merchant' : `at merchant ${login}`}`;
}
