// Searches that people keep under names of their own: nobody else sees or changes them.

import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import { type InputKind, line } from '../../domain/input-kinds.ts';
import { filterQuery } from '../../domain/search/saved-filter.ts';
import { shown } from '../../domain/text.ts';
import { onlyMerchant } from '../lookups.ts';
import type { Parts } from '../parts.ts';
import { aList, anObject, aText, told } from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { orderFilters } from './order-filters.ts';

const MAX_NAME = 40;
const MOST_FILTERS = 30;

/** `within` is a time up to now, which the console turns into a moment. */
export const FILTER_NAMES: readonly string[] = [...Object.keys({ login: onlyMerchant, ...orderFilters }), 'within'];

// What is looked for may name a payer: the audit chain, which forgets nothing, is told the name alone.
const filterView = anObject({ name: told(aText()), query: aText('As the address of the search has it.') });

const nameLine: InputKind<string> = line(MAX_NAME);
const theName = mustGive(
  { ...nameLine, read: (value, context) => masked(nameLine.read(value, context)) },
  'what it is called',
  { told: true, what: 'a name' },
);

// A text stays a text.
const masked = <T>(read: T) => (typeof read === 'string' ? maskCardNumbers(read) : read) as T;

function ownerOf({ asker }: Parts<'asker'>): string {
  if (asker !== undefined) return asker;
  throw new InvalidInput('filters belong to people who have signed in, or to their tokens');
}

export const listFilters = defineReading({
  name: 'listFilters',
  summary: 'list the searches for orders that you keep',
  merchants: 'own',
  given: {},
  answer: aList(filterView),
  run: (_, parts) => parts.filters.list(ownerOf(parts)),
});

export const saveFilter = defineVerb({
  name: 'saveFilter',
  summary: 'keep a search for orders under a name, in the place of one with the same name',
  merchants: 'own',
  role: 'viewer',
  conduct: 'change',
  given: { name: theName, query: mustGive(filterQuery(FILTER_NAMES), 'what it looks for') },
  answer: filterView,
  run: async ({ name, query }, parts) => {
    const person = ownerOf(parts);
    const others = (await parts.filters.list(person)).filter((one) => one.name !== name);
    if (others.length >= MOST_FILTERS) throw new InvalidInput(`you keep ${MOST_FILTERS} searches already; remove one`);
    await parts.filters.save({ person, name, query, createdAt: parts.clock.now() });
    return { name, query };
  },
});

export const removeFilter = defineVerb({
  name: 'removeFilter',
  summary: 'forget a search for orders that you keep',
  merchants: 'own',
  role: 'viewer',
  conduct: 'change',
  given: { name: theName },
  answer: anObject({ name: told(aText()) }),
  run: async ({ name }, parts) => {
    if (await parts.filters.remove(ownerOf(parts), name)) return { name };
    throw new InvalidInput(`you keep no search ${shown(name)}`);
  },
});
