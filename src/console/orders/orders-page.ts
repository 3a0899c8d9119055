// The search for orders: one box for whatever is known, precise filters below, searches that were kept, and what was
// found, with a mark on what looks as if it was charged twice.

import { InvalidInput } from '../../administration/verb/invalid-input.ts';
import { guessedFilters, keptText } from '../../domain/search/guessed-filter.ts';
import { likelyTwice } from '../../domain/search/likely-twice.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { seeOther } from '../../web/route.ts';
import { definePage, type Visit } from '../page.ts';
import { typedIn } from '../pieces/forms.ts';
import { isOfMerchant } from '../pieces/reader.ts';
import { nextPage, tableOf } from '../pieces/tables.ts';
import { badge, below, longText, moment, stateBadge, sum } from '../pieces/values.ts';
import { holdsCard } from '../searches.ts';
import { findBox } from './find-box.ts';
import { kept } from './kept-searches.ts';
import { ASKED_WORDS, givenBy, HOME, preciseFilters, soughtChips, soughtIn } from './search-fields.ts';
import { linkTo, twiceNote } from './twice-note.ts';

type Found = Awaited<ReturnType<typeof find>>['found'];
type Line = Found[number];

const PAGE_ROWS = 50;

export const ordersPage = definePage({
  path: 'orders',
  needs: 'listOrders',
  cutsCards: true,
  menu: { section: 'Payments', name: 'Orders' },
  sayings: { kept: 'The search is kept.', forgotten: 'The search is forgotten.' },
  async show(visit) {
    const sought = soughtIn(visit.query);
    if (holdsCard(visit.query)) return seeOther(`${HOME}?${sought.toString()}`);
    const result = await find(visit, sought).catch((error) => asTrouble(visit, sought, error));
    const { chips, keeping } = await kept(visit, sought);
    return {
      title: 'Orders',
      status: 'found' in result ? 200 : 422,
      body: html`${findBox(visit)}
${chips}
<details class="folded precise"${sought.size > 0 && 'trouble' in result && html` open`}><summary>All filters</summary>
${preciseFilters(visit, sought)}</details>
${'trouble' in result ? html`<div class="notice bad" role="alert">${result.trouble}</div>` : undefined}
${'question' in result ? html`<div class="notice" role="alert">${result.question}</div>` : undefined}
<div class="kept-searches">${soughtChips(sought)}${keeping}</div>
${'found' in result ? list(visit, sought, result) : undefined}`,
    };
  },
  forms: {
    find: async (visit) => {
      const { text = '', zone = '' } = visit.given;
      const sought = new URLSearchParams(guessedFilters(text, { now: visit.now, zone }));
      if (sought.size === 0) return { to: HOME };
      sought.set(ASKED_WORDS, keptText(text));
      return { to: `${HOME}?${sought.toString()}` };
    },
    keep: async (visit) => {
      const { query } = await visit.ask('saveFilter', { name: typedIn(visit, 'name'), query: visit.given.query ?? '' });
      return { to: `${HOME}?${query}`, said: 'kept' };
    },
    forget: async (visit) => {
      await visit.ask('removeFilter', { name: typedIn(visit, 'name') });
      return { to: HOME, said: 'forgotten' };
    },
  },
});

function find(visit: Visit, sought: URLSearchParams) {
  const after = visit.query.get('after') ?? undefined;
  return visit.ask('listOrders', { ...givenBy(sought, visit.now), after, limit: PAGE_ROWS });
}

async function asTrouble(visit: Visit, sought: URLSearchParams, error: unknown) {
  if (!(error instanceof InvalidInput)) throw error;
  const { faults, message } = error;
  if (/^currency is missing/.test(message) && faults.length <= 1) {
    const question = await whichCurrency(visit, sought);
    if (question) return { question };
  }
  return { trouble: faults.length > 1 ? html`<ul>${faults.map((fault) => html`<li>${fault}</li>`)}</ul>` : message };
}

/** Amounts are looked for in one currency; whoever named none is asked which. */
async function whichCurrency(visit: Visit, sought: URLSearchParams): Promise<Html | undefined> {
  if (!visit.may('listEndpoints')) return undefined;
  const currencies = [...new Set((await visit.ask('listEndpoints')).map(({ currency }) => currency))].sort();
  const links = currencies.map((currency) => {
    const query = new URLSearchParams([...sought, ['currency', currency]]);
    return html` <a class="chip" href="${HOME}?${query.toString()}">${currency}</a>`;
  });
  return links.length === 0 ? undefined : html`An amount is looked for in one currency. Which?${links}`;
}

function list(visit: Visit, sought: URLSearchParams, { found, next }: { found: Found; next: string | null }): Html {
  const twins = likelyTwice(found);
  const otherwise =
    next === null
      ? 'No order fits. Leave out a filter, or look at a longer time.'
      : 'None so far; there may be more on the next page.';
  return html`${orInstead(sought)}${next !== null && narrower(sought)}${twins.size > 0 && twiceNote(visit, found, twins)}
${tableOf({ label: 'Orders', columns: columnsFor(visit, twins), rows: found, otherwise })}
<div class="buttons">${nextPage(HOME, visit.query, next)}${found.length > 0 && exportLink(visit, sought)}</div>`;
}

/** Said where there is more than a page, to whoever did not say when. */
function narrower(sought: URLSearchParams): Piece {
  const isKnown = sought.size === 0 || ['from', 'to', 'within', 'orderId'].some((name) => sought.has(name));
  return (
    !isKnown &&
    html`<p class="hint">There are more than fit here. Say about when, such as noon or 14:30, to see fewer.</p>`
  );
}

/** Four digits are the end of a card before they are an order. */
function orInstead(sought: URLSearchParams): Piece {
  const card = sought.get('card') ?? '';
  if (sought.size !== 1 || !/^\d{4}$/.test(card)) return undefined;
  return html`<p class="hint">Of cards that end in ${card}. <a href="${HOME}?orderId=${card}">Look for order ${card} instead</a></p>`;
}

function columnsFor(visit: Visit, twins: ReadonlyMap<number, Line>) {
  return {
    Made: (one: Line) => moment(one.createdAt),
    Order: (one: Line) =>
      html`${linkTo(visit, one.orderId)}${twins.has(one.orderId) && html` ${badge('twice?', 'waiting')}`}`,
    Amount: { of: (one: Line) => below(sum(one.amount, one.currency), one.operation), kind: 'number' as const },
    Status: (one: Line) => html`${stateBadge(one.status)}${givenBackBadge(one)}`,
    'Card and payer': (one: Line) => below(one.card ?? undefined, longText(one.email)),
    ...(isOfMerchant(visit)
      ? { 'Your id': (one: Line) => html`<span class="given-id">${longText(one.clientOrderId)}</span>` }
      : { 'Merchant and its id': (one: Line) => below(longText(one.login), longText(one.clientOrderId)) }),
  };
}

export const givenBackBadge = ({ amount, reversed }: { readonly amount: string; readonly reversed: string }): Piece =>
  /[1-9]/.test(reversed) && html` ${badge(amount === reversed ? 'given back' : `${reversed} given back`)}`;

function exportLink(visit: Visit, sought: URLSearchParams): Piece {
  if (!visit.may('exportOrders')) return undefined;
  return html`<a class="button quiet small" href="${HOME}/export.csv?${sought.toString()}" download data-export>Save all of these as CSV</a>
<p class="hint" role="status" data-export-progress></p>`;
}

export const ORDERS: readonly [string, string] = [HOME, 'Orders'];
