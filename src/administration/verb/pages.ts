// Lists that are too long for one answer: a page of what was found, and the mark by which the next page is asked for.

import { line, wholeNumber } from '../../domain/input-kinds.ts';
import { readMark } from '../../domain/search/mark.ts';
import { type AnswerShape, aList, anObject, aText, orNull } from './answers.ts';
import { mayGive } from './inputs.ts';
import { InvalidInput } from './invalid-input.ts';
import { rowsOf } from './table.ts';

export const USUAL_PAGE = 100;
export const LONGEST_PAGE = 500;
const LONGEST_MARK = 200;

/** What every verb takes that answers with a page. */
export const pageInputs = {
  after: mayGive(line(LONGEST_MARK), 'go on after a page, by the mark that it ended with', { as: '--after <mark>' }),
  limit: mayGive(wholeNumber(1, LONGEST_PAGE), `how many at most (default: ${USUAL_PAGE})`, { as: '--limit <number>' }),
};

/** What a mark says of where the last page ended; `like` says which of it are numbers and which texts. */
export function placeAfter(search: object, mark: string | undefined, like: readonly ('number' | 'string')[]) {
  if (mark === undefined) return undefined;
  const key = readMark(search, mark, like);
  if (key) return key;
  throw new InvalidInput(
    'after: this is no mark of this search; a mark goes with what was looked for, and the same again',
  );
}

export const aPageOf = <T, Raw>(entry: AnswerShape<T, Raw>) =>
  anObject({
    found: aList(entry),
    next: orNull(aText('By this mark the next page is asked for; null when there is none.')),
  });

type ShownPage<T> = { readonly found: readonly T[]; readonly next: string | null };

/** Shows a page as a table of these columns, and how to go on behind it. */
export function pageRowsOf<T>(
  columns: Readonly<Record<string, (one: T) => string | number | null>>,
  otherwise: string,
): (page: ShownPage<T>) => string {
  const rows = rowsOf(columns, otherwise);
  return ({ found, next }) => {
    if (next === null) return rows(found);
    const seen = found.length === 0 ? 'Nothing was found so far.' : rows(found);
    return `${seen}\n\nThere may be more: the same command goes on with --after ${next}`;
  };
}
