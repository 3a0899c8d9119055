// Countries by their ISO 3166-1 codes. The library's index.js has the codes alone, its main entry all translations too.

import countries from 'i18n-iso-countries/index.js';

const ALPHA_THREE: ReadonlyMap<string, string> = new Map(Object.entries(countries.getAlpha2Codes()));

export function isCountry(alpha2: string): boolean {
  return ALPHA_THREE.has(alpha2);
}

/** `840` for `US`. */
export function countryNumber(alpha2: string): string | undefined {
  return isCountry(alpha2) ? countries.alpha2ToNumeric(alpha2) : undefined;
}

/** `USA` for `US`. */
export function countryAlphaThree(alpha2: string): string | undefined {
  return ALPHA_THREE.get(alpha2);
}

/** All countries by their two letters. */
export function countryCodes(): string[] {
  return [...ALPHA_THREE.keys()];
}
