// Tables of the console, and the way to their next page.

import { type Html, html, type Piece } from '../../web/design/html.ts';
import { nothing } from './values.ts';

type Column<T> = ((row: T) => Piece) | { readonly of: (row: T) => Piece; readonly kind: 'number' | 'wide' | 'actions' };

type TableOptions<T> = {
  /** Says what the table is, for whoever cannot see it. */
  readonly label: string;
  /** By their headings; the first is the heading of its row. */
  readonly columns: Readonly<Record<string, Column<T>>>;
  readonly rows: readonly T[];
  /** What is said in the place of an empty table. */
  readonly otherwise: Piece;
};

export function tableOf<T>({ label, columns, rows, otherwise }: TableOptions<T>): Html {
  if (rows.length === 0) return nothing(otherwise);
  const all = Object.entries(columns).map(([name, column]) =>
    typeof column === 'function' ? { name, of: column, kind: '' } : { name, ...column },
  );
  const heads = all.map(({ name, kind }) => html`<th scope="col"${kindOf(kind)}>${name}</th>`);
  const lines = rows.map(
    (row) => html`<tr>${all.map(({ of, kind }) => html`<td${kindOf(kind)}>${cell(of(row), kind)}</td>`)}</tr>`,
  );
  return html`<div class="table" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** What there is none of is a dash; only where something could be done, nothing says it best. */
function cell(value: Piece, kind: string): Piece {
  const written = html`${value}`;
  return written.text === '' && kind !== 'actions' ? '–' : written;
}

const kindOf = (kind: string) => kind !== '' && html` class="${kind}"`;

/** The link to the next page: the same search, after the mark of this one. */
export function nextPage(action: string, query: URLSearchParams, next: string | null): Piece {
  if (next === null) return undefined;
  const wanted = new URLSearchParams(query);
  wanted.delete('said');
  wanted.set('after', next);
  const first = new URLSearchParams(wanted);
  first.delete('after');
  const isFirst = !query.has('after');
  return html`<nav class="pages" aria-label="Pages">
${!isFirst && html`<a class="button quiet small" href="${action}?${first.toString()}">First page</a>`}
<a class="button quiet small" rel="next" href="${action}?${wanted.toString()}">Next page</a></nav>`;
}
