// What is said above a list of orders when some look as if a card was charged twice: which, how much, how far apart.

import type { AnswerTo } from '../../administration/administration.ts';
import { apartMs } from '../../domain/search/likely-twice.ts';
import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { sum } from '../pieces/values.ts';
import { HOME } from './search-fields.ts';

type Found = AnswerTo<'listOrders'>['found'];

const MOST_PAIRS = 5;

export function twiceNote(visit: Visit, found: Found, twins: ReadonlyMap<number, Found[number]>): Html {
  const pairs = found.flatMap((later) => {
    const earlier = twins.get(later.orderId);
    return earlier !== undefined && earlier.orderId < later.orderId ? [{ earlier, later }] : [];
  });
  const lines = pairs.slice(0, MOST_PAIRS).map(
    ({
      earlier,
      later,
    }) => html`<li>${linkTo(visit, earlier.orderId)} and ${linkTo(visit, later.orderId)}: ${sum(later.amount, later.currency)},
${later.card ?? ''}, ${apartText(apartMs(earlier, later))} apart</li>`,
  );
  return html`<div class="notice"><p>${twins.size} of these orders look as if a card was charged twice: the same card and amount
within an hour.</p><ul>${lines}</ul></div>`;
}

export const linkTo = (visit: Visit, orderId: number): Piece =>
  visit.may('showOrder') ? html`<a href="${HOME}/${orderId}">${orderId}</a>` : String(orderId);

/** `less than a second`, `40 s`, `12 min`. */
export function apartText(ms: number): string {
  if (ms < 1000) return 'less than a second';
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
