// Forms of the console: each with the mark of its session, and a key by which a form that is sent twice is done once.

import { randomUUID } from 'node:crypto';
import { attributes, type Html, html, type Piece } from '../../web/design/html.ts';
import { markField } from '../../web/people/layout.ts';
import type { Visit } from '../page.ts';
import { SEARCH_WORD } from '../searches.ts';

type FormOptions = {
  /** The address it is sent to, whose last word is the form's: `/console/orders/17/return`. */
  readonly action: string;
  readonly submit: Piece;
  /** A quiet button for what is done often, a bad one for what cannot be undone. */
  readonly kind?: 'usual' | 'quiet' | 'bad';
  /** Asked before it is sent, where scripts run. */
  readonly confirm?: string | undefined;
  /** The button beside the fields, in one line. */
  readonly inline?: boolean;
  /** Whether it brings files. */
  readonly files?: boolean;
  /** Folded forms of one name are open one at a time. */
  readonly oneOf?: string;
};

export function formOf(visit: Visit, options: FormOptions, body?: Piece): Html {
  const { action, submit, kind = 'usual', confirm, inline = false, files = false } = options;
  const look = { usual: '', quiet: 'quiet', bad: 'bad' }[kind];
  return html`<form method="post" action="${action}"${inline && html` class="inline"`}${attributes({ 'data-confirm': confirm, enctype: files && 'multipart/form-data' })}>
${markField(visit.mark)}<input type="hidden" name="repeat" value="${randomUUID()}">
${body}
<button class="${look} small" type="submit">${submit}</button></form>`;
}

/** A form that is opened first: for what moves money or takes something away. */
export function foldedForm(visit: Visit, title: string, options: FormOptions, body?: Piece): Html {
  const isOpen = visit.refusedForm !== undefined && options.action.endsWith(`/${visit.refusedForm}`);
  return html`<details class="folded"${attributes({ name: options.oneOf, open: isOpen })}><summary>${title}</summary>${formOf(visit, options, body)}</details>`;
}

/** Filters and searches: sent by POST, and led to an address that can be kept and given to others. */
export function searchForm(action: string, body: Piece, submit = 'Search'): Html {
  return html`<form class="filters" role="search" method="post" action="${action}/${SEARCH_WORD}">${body}
<div class="filter-buttons"><button class="small" type="submit">${submit}</button>
<a class="button quiet small" href="${action}">Clear</a></div></form>`;
}

type FieldOptions = {
  readonly name: string;
  readonly label: string;
  readonly value?: string | number | null | undefined;
  readonly hint?: Piece;
  readonly type?: 'text' | 'number' | 'date' | 'datetime-local' | 'email' | 'url' | 'color' | 'file' | 'password';
  readonly required?: boolean;
  readonly numeric?: boolean;
  readonly placeholder?: string;
  /** Tells fields of the same name on one page apart. */
  readonly of?: string;
};

export function textField(options: FieldOptions): Html {
  const { name, label, value, hint, type = 'text', required = false, numeric, placeholder, of } = options;
  const id = idOf(name, of);
  const input = attributes({
    id,
    name,
    type,
    value: value ?? '',
    required,
    placeholder,
    inputmode: numeric ? 'decimal' : undefined,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-describedby': hint ? `${id}-hint` : undefined,
  });
  return html`<div class="field"><label for="${id}">${label}</label><input${input}>${hintOf(id, hint)}</div>`;
}

export function textArea({ name, label, value, hint, required = false, of }: FieldOptions): Html {
  const id = idOf(name, of);
  const area = attributes({ id, name, required, rows: 4, 'aria-describedby': hint ? `${id}-hint` : undefined });
  return html`<div class="field"><label for="${id}">${label}</label>
<textarea${area}>\n${value ?? ''}</textarea>${hintOf(id, hint)}</div>`;
}

/** Of these, each a value and the text for it. */
export function choiceField(
  { name, label, value, hint, required = false, of }: FieldOptions,
  choices: readonly (readonly [value: string, text: string])[],
): Html {
  const id = idOf(name, of);
  const select = attributes({ id, name, required, 'aria-describedby': hint ? `${id}-hint` : undefined });
  const options = choices.map(
    ([one, text]) => html`<option${attributes({ value: one, selected: String(value ?? '') === one })}>${text}</option>`,
  );
  return html`<div class="field"><label for="${id}">${label}</label><select${select}>${options}</select>${hintOf(id, hint)}</div>`;
}

export function checkField({ name, label, value, hint, of }: Omit<FieldOptions, 'value'> & { value?: boolean }): Html {
  const id = idOf(name, of);
  const box = attributes({ id, name, type: 'checkbox', value: 'yes', checked: value === true });
  return html`<div class="field check"><input${box}><label for="${id}">${label}</label>${hintOf(id, hint)}</div>`;
}

const idOf = (name: string, of: string | undefined) => (of === undefined ? name : `${of}-${name}`);

const hintOf = (id: string, hint: Piece) => hint && html`<p class="hint" id="${id}-hint">${hint}</p>`;

/** What stands in a field: what was typed when its form was refused, otherwise what is so now. */
export function typed(visit: Visit, form: string, name: string, now?: string | number | null): string {
  if (visit.refusedForm === form) return visit.given[name] ?? '';
  return now === undefined || now === null ? '' : String(now);
}

/** What was typed into a field, as an input of a verb: nothing when it was left empty. */
export function typedIn(visit: Visit, name: string): string | undefined {
  const text = visit.given[name]?.trim();
  return text === '' ? undefined : text;
}

/** The fields of a form, or of a search, that were filled in: ready to be given to a verb. */
export function filled(from: Visit['given'] | URLSearchParams, names: readonly string[]): Record<string, string> {
  const read = (name: string) => (from instanceof URLSearchParams ? from.get(name) : from[name])?.trim() ?? '';
  return Object.fromEntries(names.map((name) => [name, read(name)]).filter(([, text]) => text !== ''));
}
