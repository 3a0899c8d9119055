// What somebody means who types a text into one box: each word is taken for the filter that it looks most like. A word
// with a name before it, such as rrn:512345678901, means that one. Words that only make a sentence of others, as in
// "card ending 1111 at noon", mean nothing. Whole card numbers are cut to their ends.

import { passesLuhn } from '../card/luhn.ts';
import { isCurrency } from '../money/currency.ts';
import { ORDER_OPERATIONS } from '../order/order.ts';
import { PUBLIC_STATUSES } from '../order/stages.ts';
import { isTime, type Speaker, spanOf } from './spoken-times.ts';
import { endsOnly } from './typed-cards.ts';

const STATUSES: ReadonlySet<string> = new Set(PUBLIC_STATUSES);
const OPERATIONS: ReadonlySet<string> = new Set(ORDER_OPERATIONS);

/** Words before a colon, and the filters they name. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['order', 'orderId'],
  ['id', 'clientOrderId'],
  ['rrn', 'rrn'],
  ['approval', 'approvalCode'],
  ['card', 'card'],
  ['email', 'email'],
  ['ip', 'address'],
  ['amount', 'amount'],
  ['currency', 'currency'],
  ['status', 'status'],
  ['type', 'operation'],
  ['endpoint', 'endpointId'],
  ['terminal', 'terminal'],
  ['merchant', 'login'],
]);

/** Said beside what is known. */
const FILLERS: ReadonlySet<string> = new Set(
  'a about an and around at by card charge charged dollar dollars double ended ending ends for from in of on payer the twice with'.split(
    ' ',
  ),
);

/** There are many dollars: of which, people are asked. */
const CURRENCIES_SAID: ReadonlyMap<string, string> = new Map([
  ...['€', 'euro', 'euros'].map((said) => [said, 'EUR'] as const),
  ...['£', 'pound', 'pounds'].map((said) => [said, 'GBP'] as const),
  ...['¥', 'yen'].map((said) => [said, 'JPY'] as const),
]);
const SUM_WITH_SIGN = /^(?:([$€£¥])(\d+(?:[.,]\d{1,3})?)|(\d+(?:[.,]\d{1,3})?)([$€£¥]))$/u;

type Filters = Readonly<Record<string, string>>;

const MOST_WORDS = 20;
const LONGEST_TEXT = 200;
/** Nobody types more; looking for card numbers in what somebody sends takes longer than there are characters. */
const MOST_READ = 2_000;
/** Within a word that says it is an id: only the check sum tells that it is a card's number all the same. */
const NUMBER_IN_ID = /(?<!\d)\d{13,19}(?!\d)(?<=(?<!\S)(?:id|order):\S*)/gi;
const ENDS_OF_CARD = /^\d{6}[*xX•.…-]{1,13}\d{4}$/u;
const RRN_LENGTH = 12;

/** Filters by their names; of two words for the same filter the later one counts. */
export function guessedFilters(text: string, speaker: Speaker): Filters {
  const words = withIds(readable(text))
    .split(/\s+/)
    .map((word) => word.replace(/[,;.!?]+$/, ''))
    .filter(Boolean)
    .slice(0, MOST_WORDS);
  const telling = words.filter((word) => !FILLERS.has(word.toLowerCase()));
  const times = telling.filter((word) => isTime(word, speaker));
  const others = (telling.length > 0 ? telling : words).filter((word) => !times.includes(word));
  return Object.assign({}, ...others.map((word, index) => filterOf(word, others[index + 1])), spanOf(times, speaker));
}

/** What was typed, as it may stand in an address. */
export const keptText = (text: string) => withIds(readable(text)).trim().slice(0, LONGEST_TEXT);

/** Without a last word that was cut: it may be a part of a card number. */
const readable = (text: string) => (text.length > MOST_READ ? text.slice(0, MOST_READ).replace(/\S+$/, '') : text);

/** As `endsOnly`, but ids that are called so stay whole. */
function withIds(text: string): string {
  let cut = '';
  let next = 0;
  for (const { 0: number, index } of text.matchAll(NUMBER_IN_ID)) {
    if (passesLuhn(number)) continue;
    cut += endsOnly(text.slice(next, index)) + number;
    next = index + number.length;
  }
  return cut + endsOnly(text.slice(next));
}

function filterOf(word: string, next = ''): Filters {
  const [, name = '', value = ''] = /^([a-z]+):(.+)$/i.exec(word) ?? [];
  const named = NAMED.get(name.toLowerCase());
  if (named !== undefined) return { [named]: value };
  if (ENDS_OF_CARD.test(word)) return { card: word };
  if (/^\d+$/.test(word)) return isCode(next) ? { amount: word } : ofDigits(word);
  if (/^\d+[.,]\d{1,3}$/.test(word)) return { amount: word.replace(',', '.') };
  const [, before = '', sum, sumBefore = '', after = ''] = SUM_WITH_SIGN.exec(word) ?? [];
  if (before || after) return { amount: (sum ?? sumBefore).replace(',', '.'), ...ofCurrency(before || after) };
  if (CURRENCIES_SAID.has(word.toLowerCase())) return ofCurrency(word.toLowerCase());
  if (word.includes('@')) return { email: word };
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(word) || /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i.test(word)) return { address: word };
  if (STATUSES.has(word.toLowerCase())) return { status: word.toLowerCase() };
  if (OPERATIONS.has(word.toLowerCase())) return { operation: word.toLowerCase() };
  if (isCode(word)) return { currency: word.toUpperCase() };
  return { clientOrderId: word };
}

function ofCurrency(said: string): Filters {
  const currency = CURRENCIES_SAID.get(said);
  return currency === undefined ? {} : { currency };
}

const isCode = (word: string) => word.length === 3 && isCurrency(word.toUpperCase());

function ofDigits(digits: string): Filters {
  if (digits.length === 4) return { card: digits };
  return digits.length === RRN_LENGTH ? { rrn: digits } : { orderId: digits };
}
