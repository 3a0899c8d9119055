// What is typed into a search of the console may be a whole card number, in whichever field. Searches are sent by POST
// and led to an address with nothing but its ends, and so is whoever comes with an address that holds one: histories
// of browsers and logs of proxies keep addresses.

import { endsOnly, knownEnds } from '../domain/search/typed-cards.ts';
import type { FormValues } from './page.ts';

/** The last word of the address that every search is sent to, behind its page's own. */
export const SEARCH_WORD = 'search';

/** The query of the page that shows what was found. */
export function searchedQuery(given: FormValues): URLSearchParams {
  return endsInQuery(new URLSearchParams(Object.entries(given).filter(([, text]) => text.trim() !== '')));
}

export function endsInQuery(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].map(([name, text]): [string, string] => [name, endsIn(name, text)]));
}

/** Whether an address holds what may be a whole card number. */
export function holdsCard(query: URLSearchParams): boolean {
  return [...query].some(([name, text]) => endsIn(name, text) !== text);
}

/** Ids of merchants may have as many digits: only what the search refuses as a card number is masked in them. */
export function endsIn(name: string, text: string): string {
  if (name === 'after') return text;
  return name === 'clientOrderId' ? knownEnds(text) : endsOnly(text);
}
