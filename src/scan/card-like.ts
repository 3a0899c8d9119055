// Whatever looks like a card number in bytes that may be text: digits in the range of a brand with a right check digit,
// written together or in groups. Numbers of other kinds look so too, by chance one in ten of those in a range.

import { brandOf, maskCardNumber, passesLuhn } from '../domain/card/card.ts';

const CANDIDATE = /(?<![0-9.])[2-6]\d{12,18}(?!\d)|(?<!\d)[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{1,7}(?!\d)/g;

/** Those that begin before `until`. */
export function* cardLikeNumbers(bytes: Buffer, until: number): Generator<{ shown: string; encoding: string }> {
  for (const match of bytes.toString('latin1').matchAll(CANDIDATE)) {
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
