// Whatever looks like a card number in bytes that may be text: digits in the range of a brand with a right check digit,
// written together or in groups. Numbers of other kinds look so too, by chance one in ten of those in a range.

import { brandOf, maskCardNumber, passesLuhn } from '../domain/card/card.ts';
import { isInUuid } from '../domain/card/numbers-in-text.ts';

const CANDIDATE = /(?<![0-9.])[2-6]\d{12,18}(?!\d)|(?<!\d)[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{1,7}(?!\d)/g;

/** As long as hashes in hex are: digits in the midst of one are no number. */
const HASH_LENGTHS: ReadonlySet<number> = new Set([32, 40, 64, 96, 128]);
const LONGEST_HASH = 128;

/** Those that begin before `until`. */
export function* cardLikeNumbers(bytes: Buffer, until: number): Generator<{ shown: string; encoding: string }> {
  const all = bytes.toString('latin1');
  for (const match of all.matchAll(CANDIDATE)) {
    if (match.index >= until) return;
    const [text, separator] = match;
    const digits = text.replace(/[ -]/g, '');
    if (!passesLuhn(digits) || brandOf(digits) === 'UNKNOWN') continue;
    if (isInHash(all, match.index, text) || isInUuid(all, match.index, text.length)) continue;
    yield { shown: maskCardNumber(digits), encoding: encodingOf(separator) };
  }
}

function isInHash(all: string, at: number, text: string): boolean {
  const before = /[0-9a-f]*$/.exec(all.slice(Math.max(0, at - LONGEST_HASH), at))?.[0] ?? '';
  const end = at + text.length;
  const after = /^[0-9a-f]*/.exec(all.slice(end, end + LONGEST_HASH))?.[0] ?? '';
  const isMixed = /[a-f]/.test(before + after);
  return isMixed && HASH_LENGTHS.has(before.length + text.length + after.length);
}

function encodingOf(separator: string | undefined): string {
  if (separator === undefined) return 'plain';
  return separator === ' ' ? 'blanks' : 'dashes';
}
