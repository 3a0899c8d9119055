// What people type into a form, and what they mean by it: the same rules for the page's script and the server.

const BEYOND_ASCII = /[^\0-\x7f]/;
const OTHER_DIGIT = /[^\P{Nd}0-9]/gu;
const DIGIT = /\p{Nd}/u;

/** Digits of every script as 0 to 9. */
export function plainDigits(text: string): string {
  return BEYOND_ASCII.test(text) ? text.replace(OTHER_DIGIT, (digit) => String(digitValue(digit))) : text;
}

/** Unicode has the ten digits of a script in a row, and rows of two scripts never meet in the middle of one. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

/** The digits alone. */
export function digitsOf(text: string): string {
  return plainDigits(text).replace(/\D/g, '');
}

/** A phone number without what only makes it easier to read: `+44 (20) 7946-0958` is +442079460958. */
export function plainPhone(text: string): string {
  return plainDigits(text).replace(/[\s()./\u2010-\u2015-]/g, '');
}
