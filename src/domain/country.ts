// Countries by their ISO 3166-1 codes. The library's index.js has the codes alone, its main entry all translations too.

import countries from 'i18n-iso-countries/index.js';

const CODES: ReadonlySet<string> = new Set(Object.keys(countries.getAlpha2Codes()));

export function isCountry(alpha2: string): boolean {
  return CODES.has(alpha2);
}

/** `840` for `US`. */
export function countryNumber(alpha2: string): string | undefined {
  return isCountry(alpha2) ? countries.alpha2ToNumeric(alpha2) : undefined;
}

/** `USA` for `US`. */
export function countryAlphaThree(alpha2: string): string | undefined {
  return isCountry(alpha2) ? countries.alpha2ToAlpha3(alpha2) : undefined;
}

const THREE_LETTERS: ReadonlySet<string> = new Set(Object.keys(countries.getAlpha3Codes()));

export function isCountryAlphaThree(letters: string): boolean {
  return THREE_LETTERS.has(letters);
}

/** All countries by their two letters. */
export function countryCodes(): string[] {
  return [...CODES];
}
