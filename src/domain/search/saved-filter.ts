// A search that somebody keeps: the names and values of its filters, as an address has them.

import { type InputKind, Misread } from '../input-kinds.ts';
import { knownEnds } from './typed-cards.ts';

export const MAX_FILTER_QUERY = 1_000;

/** Of these names only, each once, in this order, and without a card number. */
export function filterQuery(names: readonly string[]): InputKind<string> {
  const what = 'filters as in the address of a search, such as card=1111&status=approved';
  return {
    schema: { type: 'string', minLength: 1, maxLength: MAX_FILTER_QUERY },
    what,
    spelling: 'text',
    read: (value) => {
      if (typeof value !== 'string' || value.length > MAX_FILTER_QUERY) return new Misread(`${what} are needed`);
      const given = new URLSearchParams(value);
      const unknown = [...given.keys()].find((name) => !names.includes(name));
      if (unknown !== undefined) return new Misread(`${what} are needed, and one of them is no filter`);
      const kept = new URLSearchParams();
      for (const name of names) {
        const text = given.get(name)?.trim() ?? '';
        if (knownEnds(text) !== text) return new Misread('a card number is not taken here');
        if (text !== '') kept.set(name, text);
      }
      return kept.size === 0 ? new Misread(`${what} are needed`) : kept.toString();
    },
  };
}
