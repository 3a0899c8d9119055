// How single values look in the console: moments, amounts, states, texts of machines, and lists of facts.

import { attributes, type Html, html, type Piece } from '../../web/design/html.ts';

/** As the script that shows moments in the reader's own time zone writes them (src/web/browser/console/moments.ts). */
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** In UTC as the server writes it; a script shows it in the reader's own time zone, and the other on pointing at it. */
export function moment(at: string | number | null | undefined): Piece {
  if (at === null || at === undefined) return undefined;
  const iso = new Date(at).toISOString();
  return html`<time${attributes({ datetime: iso, title: iso, 'data-local': true })}>${MOMENT.format(new Date(at))} UTC</time>`;
}

/** A day of a calendar, such as 2026-11-18: the same one in every time zone. */
export const dayText = (day: string) => DAY.format(new Date(day));

export function sum(value: string | number | null | undefined, currency?: string | null): Piece {
  if (value === null || value === undefined) return undefined;
  return html`<span class="amount">${value}${currency ? ` ${currency}` : ''}</span>`;
}

export type Tone = 'good' | 'bad' | 'waiting' | 'plain';

/** A state in a word; the word says it, the colour only helps. */
export function badge(text: string, tone: Tone = 'plain'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

const TONES: Readonly<Record<string, Tone>> = {
  approved: 'good',
  delivered: 'good',
  enabled: 'good',
  active: 'good',
  ok: 'good',
  declined: 'bad',
  error: 'bad',
  filtered: 'bad',
  failed: 'bad',
  'given up': 'bad',
  refused: 'bad',
  processing: 'waiting',
  unknown: 'waiting',
  due: 'waiting',
  waiting: 'waiting',
  paused: 'waiting',
};

export const stateBadge = (state: string) => badge(state, TONES[state.toLowerCase()] ?? 'plain');

/** Something a machine writes: an id, a digest, a field's name. */
export const mono = (text: string | number | null | undefined): Piece =>
  text !== null && text !== undefined && html`<code>${text}</code>`;

const LONGEST_WHOLE = 20;
const SHOWN_TAIL = 8;

/** A long text is cut in its middle, where people compare least: it is whole on pointing at it, and when copied. */
export function longText(text: string | null | undefined): Piece {
  if (text === null || text === undefined || text.length <= LONGEST_WHOLE) return text ?? undefined;
  const [head, tail] = [text.slice(0, -SHOWN_TAIL), text.slice(-SHOWN_TAIL)];
  return html`<span class="long" title="${text}"><span class="long-head">${head}</span>${tail}</span>`;
}

/** What belongs to it stands below it, smaller; nothing where there is none. */
export const below = (first: Piece, second: Piece): Html =>
  html`${html`${first}`.text === '' ? '–' : first}${second && html`<div class="below">${second}</div>`}`;

/** Long lines scroll, also with the keyboard. */
export function block(text: string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}

/** Pairs of a name and a value; those without a value are left out. */
export function facts(pairs: readonly (readonly [name: string, value: Piece])[]): Html {
  const rows = pairs.filter(([, value]) => value !== undefined && value !== false && value !== '');
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function panel(id: string, title: string, body: Piece, { wide = false } = {}): Html {
  return html`<section class="panel${wide && ' wide'}" aria-labelledby="${id}-title" id="${id}">
<h2 id="${id}-title">${title}</h2>${body}</section>`;
}

/** Where there is nothing to list: what would be here, and what to do. */
export const nothing = (text: Piece) => html`<p class="nothing">${text}</p>`;

/** A page that is brought up to date by itself, every so many seconds: the element is replaced by its newer self. */
export const live = (id: string, seconds: number, body: Piece) =>
  html`<div id="${id}" data-live="${seconds}" aria-live="off">${body}</div>`;

export const onOrOff = ({ enabled }: { readonly enabled: boolean }) =>
  enabled ? badge('enabled', 'good') : badge('disabled', 'bad');
