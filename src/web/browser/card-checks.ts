// The checks that a page can make by itself, of the card and of the payer's other details.

import { digitsOf, plainDigits, plainPhone } from '../../domain/as-typed.ts';
import { passesLuhn } from '../../domain/card/luhn.ts';

const SHORTEST = 13;
const LONGEST = 19;

export function numberFault(digits: string): boolean {
  return digits.length < SHORTEST || digits.length > LONGEST || !passesLuhn(digits);
}

/** Shows `0829` as `08 / 29` while it is typed. A separator ends a month of one digit: `1/` becomes `01 / `. */
export function formatExpiry(text: string): string {
  const digits = digitsOf(text);
  const isShortMonth = /^[2-9]/.test(digits) || /^\s*[1-9][\s/.-]/.test(plainDigits(text));
  const padded = isShortMonth ? `0${digits}` : digits;
  return padded.length < 2 ? padded : `${padded.slice(0, 2)} / ${padded.slice(2, 6)}`;
}

/** A card is valid through the last day of its month, in the time zone where that day ends last. */
export function expiryFault(text: string, now: Date): 'wrong' | 'expired' | undefined {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*[/.\s-]?\s*(\d{2}|\d{4})\s*$/.exec(text) ?? [];
  if (month === '' || Number(month) < 1 || Number(month) > 12) return 'wrong';
  const full = year.length === 2 ? 2000 + Number(year) : Number(year);
  const ends = Date.UTC(full, Number(month), 1) + 12 * 60 * 60 * 1000;
  return now.getTime() >= ends ? 'expired' : undefined;
}

export function emailFault(text: string): boolean {
  return !/^[^\s@]+@[^\s@]+$/.test(text.trim());
}

export function phoneFault(text: string): boolean {
  return !/^(?=.{1,15}$)\+?\d+$/.test(plainPhone(text));
}

/** `text` is a day as browsers write it: 1984-02-29. */
export function birthdayFault(text: string, now: Date): boolean {
  return text > now.toISOString().slice(0, 10);
}
