// Whatever looks like a card number in bytes that may be text: digits in the range of a brand with a right check digit,
// written together or in groups. Numbers of other kinds look so too, by chance one in ten of those in a range. Digits
// within a digest in hex are left out: a database is full of them.

import { brandOf, maskCardNumber, passesLuhn } from '../domain/card/card.ts';

const CANDIDATE = /(?<![0-9.])[2-6]\d{12,18}(?!\d)|(?<!\d)[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{1,7}(?!\d)/g;

/** SHA-1, SHA-256 and longer, written in lower case: 40 digits or more, some of them letters. */
const DIGEST = /(?=[0-9]*[a-f])[0-9a-f]{40,}/g;

/** Those that begin before `until`. */
export function* cardLikeNumbers(bytes: Buffer, until: number): Generator<{ shown: string; encoding: string }> {
  const everything = bytes.toString('latin1').replace(DIGEST, (digest) => '.'.repeat(digest.length));
  for (const match of everything.matchAll(CANDIDATE)) {
    if (match.index >= until) return;
    const [text, separator] = match;
    const digits = text.replace(/[ -]/g, '');
    if (!passesLuhn(digits) || brandOf(digits) === 'UNKNOWN') continue;
    yield { shown: maskCardNumber(digits), encoding: encodingOf(separator) };
  }
}

function encodingOf(separator: string | undefined): string {
  if (separator === undefined) return 'plain';
  return separator === ' ' ? 'blanks' : 'dashes';
}
