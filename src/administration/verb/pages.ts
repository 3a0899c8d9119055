// Lists that are too long for one answer: a page of what was found, and the mark by which the next page is asked for.

import { line } from '../../domain/input-kinds.ts';
import { type AnswerShape, aList, anObject, aText, orNull } from './answers.ts';
import { mayGive } from './inputs.ts';

export const USUAL_PAGE = 100;
export const LONGEST_PAGE = 500;
const LONGEST_MARK = 200;

/** What every verb takes that answers with a page. */
export const pageInputs = {
  after: mayGive(line(LONGEST_MARK), 'go on after a page, by the mark that it ended with', { as: '--after <mark>' }),
};

export const aPageOf = <T, Raw>(entry: AnswerShape<T, Raw>) =>
  anObject({
    found: aList(entry),
    next: orNull(aText('By this mark the next page is asked for; null when there is none.')),
  });
