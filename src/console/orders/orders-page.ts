// The search for orders: one box for whatever is known, precise filters below, searches that were kept, and what was
// found, with a mark on what looks as if it was charged twice.

import { InvalidInput } from '../../administration/verb/invalid-input.ts';
import { guessedFilters } from '../../domain/search/guessed-filter.ts';
import { apartMs, likelyTwice } from '../../domain/search/likely-twice.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import { seeOther } from '../../web/route.ts';
import { definePage, type Visit } from '../page.ts';
import { formOf, textField, typed, typedIn } from '../pieces/forms.ts';
import { unlessOfMerchant } from '../pieces/reader.ts';
import { nextPage, tableOf } from '../pieces/tables.ts';
import { badge, moment, stateBadge, sum } from '../pieces/values.ts';
import { holdsCard } from '../searches.ts';
import { givenBy, preciseFilters, soughtChips, soughtIn } from './search-fields.ts';

type Found = Awaited<ReturnType<typeof find>>['found'];
type Line = Found[number];

const PAGE_ROWS = 50;
const HOME = '/console/orders';

export const ordersPage = definePage({
  path: 'orders',
  needs: 'listOrders',
  cutsCards: true,
  menu: { section: 'Payments', name: 'Orders' },
  sayings: { kept: 'The search is kept.', forgotten: 'The search is forgotten.' },
  async show(visit) {
    const sought = soughtIn(visit.query);
    if (holdsCard(visit.query)) return seeOther(`${HOME}?${sought.toString()}`);
    const result = await find(visit, sought).catch(asTrouble);
    return {
      title: 'Orders',
      status: 'trouble' in result ? 422 : 200,
      body: html`${box(visit)}
${await kept(visit, sought)}
<details class="folded precise"${sought.size > 0 && 'trouble' in result && html` open`}><summary>All filters</summary>
${preciseFilters(visit, sought)}</details>
${'trouble' in result ? html`<div class="notice bad" role="alert">${result.trouble}</div>` : undefined}
${soughtChips(sought)}
${'trouble' in result ? undefined : list(visit, sought, result)}`,
    };
  },
  forms: {
    find: async (visit) => {
      const sought = new URLSearchParams(guessedFilters(visit.given.text ?? ''));
      return { to: sought.size === 0 ? HOME : `${HOME}?${sought.toString()}` };
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

function asTrouble(error: unknown): { trouble: Piece } {
  if (!(error instanceof InvalidInput)) throw error;
  const { faults, message } = error;
  return { trouble: faults.length > 1 ? html`<ul>${faults.map((fault) => html`<li>${fault}</li>`)}</ul>` : message };
}

/** Sent by POST: whatever is typed, also a whole card number, is in no address. */
function box(visit: Visit): Html {
  const field = textField({
    name: 'text',
    label: 'Find orders by what you know',
    value: typed(visit, 'find', 'text'),
    placeholder: '1111 10.42 USD',
    hint: "Last four of the card, e-mail, order id, merchant's id, RRN, amount and currency, day, status: one or several",
  });
  return html`<div class="find-box">${formOf(visit, { action: `${HOME}/find`, submit: 'Find', inline: true }, field)}</div>`;
}

async function kept(visit: Visit, sought: URLSearchParams): Promise<Piece> {
  const filters = await visit.ask('listFilters');
  const here = sought.toString();
  const chips = filters.map(({ name, query }) => {
    const isHere = query === here && html` aria-current="true"`;
    return html`<li><a class="chip kept" href="${HOME}?${query}"${isHere}>${name}</a></li>`;
  });
  const current = filters.find(({ query }) => query === here);
  return html`<div class="kept-searches">
${chips.length > 0 && html`<ul class="chips" aria-label="Searches you keep">${chips}</ul>`}
${current && formOf(visit, { action: `${HOME}/forget`, submit: `Forget “${current.name}”`, kind: 'quiet', inline: true }, html`<input type="hidden" name="name" value="${current.name}">`)}
${sought.size > 0 && !current && keepForm(visit, here)}</div>`;
}

function keepForm(visit: Visit, query: string): Html {
  const isOpen = visit.refusedForm === 'keep' && html` open`;
  const field = textField({
    name: 'name',
    label: 'What to call it',
    value: typed(visit, 'keep', 'name'),
    required: true,
  });
  const form = { action: `${HOME}/keep`, submit: 'Keep it', inline: true };
  return html`<details class="folded"${isOpen}><summary>Keep this search</summary>
${formOf(visit, form, html`<input type="hidden" name="query" value="${query}">${field}`)}</details>`;
}

function list(visit: Visit, sought: URLSearchParams, { found, next }: { found: Found; next: string | null }): Html {
  const twins = likelyTwice(found);
  const otherwise =
    next === null
      ? 'No order fits. Leave out a filter, or look at a longer time.'
      : 'None so far; there may be more on the next page.';
  return html`${orInstead(sought)}${twins.size > 0 && twiceNote(twins.size)}
${tableOf({ label: 'Orders', columns: columnsFor(visit, twins), rows: found, otherwise })}
<div class="buttons">${nextPage(HOME, visit.query, next)}${found.length > 0 && exportLink(visit, sought)}</div>`;
}

const twiceNote = (count: number) =>
  html`<p class="notice">${count} of these orders look as if a card was charged twice: the same card and amount within an hour.</p>`;

/** Four digits are the end of a card before they are an order. */
function orInstead(sought: URLSearchParams): Piece {
  const card = sought.get('card') ?? '';
  if (sought.size !== 1 || !/^\d{4}$/.test(card)) return undefined;
  return html`<p class="hint">Of cards that end in ${card}. <a href="${HOME}?orderId=${card}">Look for order ${card} instead</a></p>`;
}

function columnsFor(visit: Visit, twins: ReadonlyMap<number, Line>) {
  const link = (orderId: number) =>
    visit.may('showOrder') ? html`<a href="${HOME}/${orderId}">${orderId}</a>` : String(orderId);
  return {
    Made: (one: Line) => moment(one.createdAt),
    Order: (one: Line) => html`${link(one.orderId)}${twinNote(one, twins.get(one.orderId))}`,
    Amount: { of: (one: Line) => sum(one.amount, one.currency), kind: 'number' as const },
    Status: (one: Line) =>
      html`${stateBadge(one.status)}${/[1-9]/.test(one.reversed) && html` ${badge(returned(one))}`}`,
    Card: (one: Line) => one.card ?? '–',
    Payer: (one: Line) => longText(one.email ?? '–'),
    "Merchant's id": (one: Line) => longText(one.clientOrderId),
    ...unlessOfMerchant(visit, { Merchant: (one: Line) => one.login }),
    Type: (one: Line) => one.operation,
    Endpoint: (one: Line) => String(one.endpointId),
  };
}

/** Cut off where it is long; whole on pointing at it. */
export const longText = (text: string) => html`<span class="long" title="${text}">${text}</span>`;

const returned = ({ amount, reversed }: Line) => (amount === reversed ? 'given back' : `${reversed} given back`);

function twinNote(one: Line, twin: Line | undefined): Piece {
  return (
    twin &&
    html` <span class="twin">${badge(`twice? ${apartText(apartMs(one, twin))} from ${twin.orderId}`, 'waiting')}</span>`
  );
}

/** `40 s`, `12 min`. */
export function apartText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

function exportLink(visit: Visit, sought: URLSearchParams): Piece {
  if (!visit.may('exportOrders')) return undefined;
  return html`<a class="button quiet small" href="${HOME}/export.csv?${sought.toString()}" download data-export>Save all of these as CSV</a>
<p class="hint" role="status" data-export-progress></p>`;
}

export const ORDERS: readonly [string, string] = [HOME, 'Orders'];
