// One box that takes whatever somebody knows of an order, in any order: on the list of orders and on the first page.

import { type Html, html } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { formOf, textField, typed } from '../pieces/forms.ts';
import { ASKED_WORDS, HOME } from './search-fields.ts';

/** Sent by POST: whatever is typed, also a whole card number, is in no address. */
export function findBox(visit: Visit): Html {
  const field = textField({
    name: 'text',
    label: 'Find orders by what you know',
    value: typed(visit, 'find', 'text', visit.query.get(ASKED_WORDS)),
    placeholder: '1111 noon 10.42 USD',
    hint: "Last four of the card, about when, amount and currency, e-mail, order id, merchant's id, RRN, status: one or several",
  });
  const form = { action: `${HOME}/find`, submit: 'Find', inline: true };
  const zone = html`<input type="hidden" name="zone" data-own-zone>`;
  return html`<div class="find-box">${formOf(visit, form, html`${field}${zone}`)}</div>`;
}
