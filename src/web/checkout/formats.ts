// Amounts, times and names of countries as people write them in each language.

import { countryCodes } from '../../domain/country.ts';
import type { Language } from '../../domain/merchant/look.ts';
import { exponentOf } from '../../domain/money/currency.ts';
import { type Money, writeAmount } from '../../domain/money/money.ts';
import { type Html, html } from '../design/html.ts';
import { directionOf } from './language.ts';

/** Exact: the amount is formatted from text, and the number of decimals is the gateway's, not the library's. */
export function shownAmount(amount: Money, language: Language): string {
  const decimals = exponentOf(amount.currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: amount.currency, ...digits });
  const text = format.format(writeAmount(amount, 'major') as unknown as number);
  // The amount is kept together and read from left to right, or "US$" would be torn apart in Arabic.
  return directionOf(language) === 'rtl' ? `\u2066${text.replaceAll('\u200f', '')}\u2069` : text;
}

const STYLES = {
  time: { timeStyle: 'short' },
  date: { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A time in UTC, which the page's script replaces by the payer's own time. */
export function momentText(at: number, style: keyof typeof STYLES, language: Language): Html {
  const date = new Date(at);
  const text = new Intl.DateTimeFormat(language, { ...STYLES[style], timeZone: 'UTC' }).format(date);
  return html`<time datetime="${date.toISOString()}" data-style="${style}">${text} UTC</time>`;
}

export function countries(language: Language): readonly (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  return countryCodes()
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, a], [, b]) => compare(a, b));
}
