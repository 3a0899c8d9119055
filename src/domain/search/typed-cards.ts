// Card numbers that somebody typed into a search: whatever stands between their digits, only their ends may come into
// an address. In logs and journals, commas and colons part what does not belong together; people put them anywhere.

import { plainDigits } from '../as-typed.ts';
import { LONGEST_CARD_NUMBER } from '../card/card.ts';
import { passesLuhn } from '../card/luhn.ts';
import { maskCardNumbers, maskKnownCards } from '../card/numbers-in-text.ts';

/** Whatever is neither a letter nor a digit; more than four of them part one thing from the next. */
const BETWEEN = '[^\\p{L}\\p{N}]{1,4}';
const USUAL_LENGTH = 16;
/** Digits in a row, or in groups as on cards, whoever issued them. */
const GROUPED = [
  [4, 4, 4, 4],
  [4, 6, 5],
].map((groups) => groups.map((length) => `\\d{${length}}`).join(BETWEEN));
const WHOLE_CARD = new RegExp(`(?<!\\d)(?:\\d{13,19}|${GROUPED.join('|')})(?!\\d)`, 'gu');
const SEPARATED_DIGITS = new RegExp(`\\d(?:(?:${BETWEEN})?\\d){12,}`, 'gu');
const SEPARATOR = new RegExp(BETWEEN, 'gu');
/** A time of day beside other numbers is no part of them. */
const TIME_OF_DAY = /((?<!\S)\d{1,2}:\d{2}(?::\d{2})?(?![^\s,;.!?]))/;

/** The text with nothing but the ends of what may be a whole card number. */
export function endsOnly(text: string): string {
  return maskCardNumbers(knownEnds(masked(masked(text, longCards), wholeCards)));
}

/** As `endsOnly`, where other numbers may be as long: only a brand's numbers are masked. */
export function knownEnds(text: string): string {
  return maskKnownCards(masked(text, (plain) => plain.split(TIME_OF_DAY).map(inGroups).join('')));
}

/** Digits of other scripts stay as they are where nothing is masked. */
function masked(text: string, mask: (plain: string) => string): string {
  const plain = plainDigits(text);
  const cut = mask(plain);
  return cut === plain ? text : cut;
}

function wholeCards(plain: string): string {
  return plain.replace(WHOLE_CARD, (found) => endsOf(found.replaceAll(/\D/g, '')));
}

/** Numbers of more than 16 digits, of which no shorter one is cut out; a shorter one with a sum behind it is none. */
function longCards(plain: string): string {
  return plain.replace(SEPARATED_DIGITS, (run) => {
    const digits = run.replaceAll(/\D/g, '');
    const isLong = digits.length > USUAL_LENGTH && digits.length <= LONGEST_CARD_NUMBER && passesLuhn(digits);
    return isLong && !passesLuhn(digits.slice(0, USUAL_LENGTH)) ? endsOf(digits) : run;
  });
}

const endsOf = (digits: string) => `${digits.slice(0, 6)}******${digits.slice(-4)}`;

function inGroups(part: string): string {
  return part.replace(SEPARATED_DIGITS, (run) => {
    const spaced = run.replace(SEPARATOR, ' ');
    const cut = maskKnownCards(spaced);
    return cut === spaced ? run : cut;
  });
}
