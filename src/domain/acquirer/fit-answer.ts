// What a bank says in its own words, made fit to be stored and shown. Whatever it wrote, the outcome must be written
// down: a character that the database does not take would leave the order open for ever. Banks also echo card numbers.

import { maskCardNumbers } from '../card/numbers-in-text.ts';
import { shortened, wellFormed } from '../text.ts';
import type { Answer, InquiryAnswer, ReversalAnswer } from './acquirer-answer.ts';

const MAX_REASON = 300;
const MAX_WORD = 64;
const MAX_ID = 256;

/** The bank is asked by these later, and their digits may look like a card number. */
const IDS: ReadonlySet<string> = new Set(['processorTxId', 'networkTransactionId']);

export function fitAnswer<A extends Answer | InquiryAnswer | ReversalAnswer>(answer: A): A {
  switch (answer.word) {
    case 'approved':
    case 'declined':
      return fitTexts(answer);
    case 'challenge':
      return { ...answer, url: fitAddress(answer.url) };
    case 'unknown':
    case 'unsent':
      return { ...answer, reason: fitReason(answer.reason) };
    default:
      return answer;
  }
}

/** One line of text for people, without card numbers. */
export function fitReason(reason: string): string {
  // A number that begins before the end of the text is masked as a whole, and a very long text is not searched.
  return shortened(maskCardNumbers(oneLine(reason.slice(0, 2 * MAX_REASON))), MAX_REASON);
}

/** The same address, as browsers write it. */
function fitAddress(url: string): string {
  return /[^\x21-\x7e]/.test(url) && URL.canParse(url) ? new URL(url).href : url;
}

const PLAIN = /^[\x20-\x7e]{0,64}$/;
/** Enough for a card number, whatever stands between. */
const MANY_DIGITS = /(?:\d\D*){12}\d/;

/** Nearly all answers are, and every sale has one. */
function isFit(texts: object): boolean {
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === 'object') return false;
    if (typeof value !== 'string') continue;
    if (!PLAIN.test(value) || (!IDS.has(name) && value.length > 12 && MANY_DIGITS.test(value))) return false;
  }
  return true;
}

function fitTexts<T extends object>(texts: T): T {
  if (isFit(texts)) return texts;
  const fit = Object.entries(texts).map(([name, value]) => {
    if (typeof value === 'object' && value !== null) return [name, fitTexts(value)];
    return [name, typeof value === 'string' ? fitText(name, value) : value];
  });
  return Object.fromEntries(fit) as T;
}

function fitText(name: string, text: string): string {
  if (IDS.has(name)) return oneLine(text.slice(0, MAX_ID));
  return maskCardNumbers(oneLine(text.slice(0, 2 * MAX_WORD))).slice(0, MAX_WORD);
}

function oneLine(text: string): string {
  return wellFormed(text.replaceAll(/\p{Cc}/gu, ' '));
}
