// The searches for orders that a reader keeps, and the form that keeps one more or forgets one.

import { type Html, html, type Piece } from '../../web/design/html.ts';
import type { Visit } from '../page.ts';
import { formOf, textField, typed } from '../pieces/forms.ts';
import { HOME } from './search-fields.ts';

/** The searches that its reader keeps, and the form that keeps this one or forgets it. */
export async function kept(visit: Visit, sought: URLSearchParams): Promise<{ chips: Piece; keeping: Piece }> {
  const filters = await visit.ask('listFilters');
  const here = sought.toString();
  const chips = filters.map(({ name, query }) => {
    const isHere = query === here && html` aria-current="true"`;
    return html`<li><a class="chip kept" href="${HOME}?${query}"${isHere}>${name}</a></li>`;
  });
  const current = filters.find(({ query }) => query === here);
  const forget = current && {
    action: `${HOME}/forget`,
    submit: `Forget “${current.name}”`,
    kind: 'quiet' as const,
    inline: true,
  };
  return {
    chips: chips.length > 0 && html`<ul class="chips" aria-label="Searches you keep">${chips}</ul>`,
    keeping: forget
      ? formOf(visit, forget, html`<input type="hidden" name="name" value="${current.name}">`)
      : sought.size > 0 && keepForm(visit, here),
  };
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
