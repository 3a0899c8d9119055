// The search: results come while somebody types, from one file that is read at the first letter. Enter leads to a page
// with all of them.

import { ranked, type Searched, wordsOf } from './ranking.ts';

const SHOWN_AT_ONCE = 8;
const EXCERPT = 140;

export function offerSearch(root: string): void {
  const input = document.querySelector<HTMLInputElement>('#search');
  const form = input?.form;
  if (!input || !form) return;
  let index: Promise<readonly Searched[]> | undefined;
  const entries = () => {
    index ??= fetch(`${root}search.json`).then((reply) => reply.json() as Promise<Searched[]>);
    return index;
  };
  const list = document.createElement('ul');
  list.className = 'suggestions';
  list.hidden = true;
  form.append(list);
  input.addEventListener('input', async () => {
    const query = input.value;
    const found = query.trim() === '' ? [] : ranked(await entries(), query);
    if (query !== input.value) return;
    list.replaceChildren(...found.slice(0, SHOWN_AT_ONCE).map((entry) => resultOf(entry, root, query)));
    if (found.length === 0) list.append(nothingFor(query));
    list.hidden = query.trim() === '';
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target as Node)) list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') list.hidden = true;
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  void showAll(input, entries, root);
}

/** The page of results: what was asked for stands in its address. */
async function showAll(
  input: HTMLInputElement,
  entries: () => Promise<readonly Searched[]>,
  root: string,
): Promise<void> {
  const results = document.querySelector('[data-results]');
  const told = document.querySelector('[data-found]');
  const query = new URLSearchParams(location.search).get('q')?.trim() ?? '';
  if (!results || !told || query === '') return;
  input.value = query;
  const found = ranked(await entries(), query);
  told.textContent = found.length === 0 ? nothingFor(query).textContent : `Found for “${query}”:`;
  results.replaceChildren(...found.map((entry) => resultOf(entry, root, query)));
}

function nothingFor(query: string): HTMLLIElement {
  const item = document.createElement('li');
  item.textContent = `Nothing was found for “${query.trim()}”.`;
  return item;
}

function resultOf({ p, a, t, h, x }: Searched, root: string, query: string): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}${p}${a === undefined ? '' : `#${a}`}`;
  link.textContent = h === undefined ? t : `${t} › ${h}`;
  const text = document.createElement('p');
  text.textContent = excerpt(x, query);
  item.append(link, text);
  return item;
}

/** The text around the first word that was found. */
function excerpt(text: string, query: string): string {
  const small = text.toLowerCase();
  const places = wordsOf(query)
    .map((word) => small.indexOf(word))
    .filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...(places.length === 0 ? [0] : places)) - EXCERPT / 3);
  const part = text.slice(from, from + EXCERPT);
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT < text.length ? '…' : ''}`;
}
