// What people type into a form, and what they mean by it: the same rules for the page's script and the server.

// Arabic, Persian, Devanagari and full-width digits, ten in a row each.
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g;
const ZEROS = [0x0660, 0x06f0, 0x0966, 0xff10];

/** Digits of other keyboards as 0 to 9. */
export function plainDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => {
    const code = digit.charCodeAt(0);
    return String(ZEROS.map((zero) => code - zero).find((value) => value >= 0 && value <= 9));
  });
}

/** The digits alone. */
export function digitsOf(text: string): string {
  return plainDigits(text).replace(/\D/g, '');
}

/** A phone number without what only makes it easier to read: `+44 (20) 7946-0958` is +442079460958. */
export function plainPhone(text: string): string {
  return plainDigits(text).replace(/[\s()./\u2010-\u2015-]/g, '');
}
