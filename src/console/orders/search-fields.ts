// What a search for orders is made of, in addresses and in forms: the inputs of `listOrders` by their names, and
// `within`, a time up to now.

import { listOrders } from '../../administration/orders/orders.ts';
import type { Given } from '../../administration/verb/inputs.ts';
import { ORDER_OPERATIONS } from '../../domain/order/order.ts';
import { PUBLIC_STATUSES } from '../../domain/order/stages.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { choiceField, searchForm, textField } from '../pieces/forms.ts';
import { isOfMerchant } from '../pieces/reader.ts';
import { moment } from '../pieces/values.ts';
import { endsIn } from '../searches.ts';

/** Where orders are looked for. */
export const HOME = '/console/orders';

const { after: _after, limit: _limit, ...filters } = listOrders.given;

export const FILTERS: readonly string[] = [...Object.keys(filters), 'within'];

const HOUR_MS = 60 * 60 * 1000;

/** Times up to now, by the word in the address. */
const WITHIN: ReadonlyMap<string, readonly [hours: number, text: string]> = new Map([
  ['1h', [1, 'the last hour']],
  ['24h', [24, 'the last 24 hours']],
  ['7d', [7 * 24, 'the last 7 days']],
  ['30d', [30 * 24, 'the last 30 days']],
]);

/** What is looked for, without what is empty or of another page, and of whole card numbers their ends alone. */
export function soughtIn(query: URLSearchParams): URLSearchParams {
  const sought = new URLSearchParams();
  for (const name of FILTERS) {
    const text = endsIn(name, query.get(name)?.trim() ?? '');
    if (text !== '') sought.set(name, text);
  }
  return sought;
}

/** As the verb takes it. Times without a zone are in UTC. */
export function givenBy(sought: URLSearchParams, now: number): Given {
  const given: Record<string, unknown> = {};
  for (const [name, text] of sought) {
    if (name === 'within') continue;
    given[name] = readAs(filters[name as keyof typeof filters].kind.spelling, name, text);
  }
  const [hours] = WITHIN.get(sought.get('within') ?? '') ?? [];
  if (hours !== undefined && given.from === undefined) given.from = new Date(now - hours * HOUR_MS).toISOString();
  return given;
}

function readAs(spelling: string, name: string, text: string): unknown {
  if (spelling === 'id' || spelling === 'number') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  const isWithoutZone = (name === 'from' || name === 'to') && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text);
  return isWithoutZone ? `${text}Z` : text;
}

export function preciseFilters(visit: Visit, sought: URLSearchParams): Html {
  const names = Object.keys(filters).filter(
    (name) => !(isOfMerchant(visit) && (name === 'login' || name === 'terminal')),
  );
  const fields = names.map((name) => fieldOf(name, sought.get(name) ?? ''));
  const within = choiceField({ name: 'within', label: 'Made within', value: sought.get('within') }, [
    ['', 'any time'],
    ...[...WITHIN].map(([word, [, text]]) => [word, text] as const),
  ]);
  return searchForm(HOME, html`${fields}${within}`);
}

function fieldOf(name: string, value: string): Piece {
  if (name === 'status') return choiceField({ name, label: titleOf(name), value }, choicesOf(PUBLIC_STATUSES));
  if (name === 'operation') return choiceField({ name, label: titleOf(name), value }, choicesOf(ORDER_OPERATIONS));
  if (name === 'from' || name === 'to') return momentField(name, value);
  return textField({ name, label: titleOf(name), value });
}

const choicesOf = (words: readonly string[]) => [['', 'any'] as const, ...words.map((one) => [one, one] as const)];

const DAY_MS = 24 * HOUR_MS;

/** A script turns it into the reader's own time zone and back. */
function momentField(name: 'from' | 'to', value: string): Piece {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const at = Date.parse(/T[\d:]+$/.test(value) ? `${value}Z` : value) + (isDay && name === 'to' ? DAY_MS : 0);
  const utc = Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 16);
  const hint = html`<span data-zone>in UTC</span>`;
  const label = name === 'from' ? 'Made from' : 'Made before';
  return html`<div class="moment-field">${textField({ name, label, value: utc, type: 'datetime-local', hint })}</div>`;
}

/** What was looked for, in words, each with the way to leave it out. */
export function soughtChips(sought: URLSearchParams): Piece {
  if (sought.size === 0) return undefined;
  const chips = [...sought].map(([name, text]) => {
    const without = new URLSearchParams(sought);
    without.delete(name);
    const label = html`${nameOfFilter(name)}: ${valueOfFilter(name, text)}`;
    return html`<li><a class="chip" href="${HOME}?${without.toString()}">${label}
<span aria-hidden="true">×</span><span class="sr-only"> (leave out)</span></a></li>`;
  });
  return html`<ul class="chips" aria-label="What is looked for">${chips}</ul>`;
}

function valueOfFilter(name: string, text: string): Piece {
  if (name === 'within') return WITHIN.get(text)?.[1] ?? text;
  const isMoment = (name === 'from' || name === 'to') && text.includes('T') && !Number.isNaN(Date.parse(text));
  return isMoment ? moment(readAs('', name, text) as string) : text;
}

const SHORT: Readonly<Record<string, string>> = {
  card: 'Card',
  from: 'From',
  to: 'Before',
  within: 'Within',
};

const nameOfFilter = (name: string) => SHORT[name] ?? titleOf(name);

const titleOf = (name: string) => filters[name as keyof typeof filters]?.title ?? name;

/** What was typed into the box, in the address of what was found by it. */
export const ASKED_WORDS = 'asked';
