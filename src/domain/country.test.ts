import { expect, test } from 'vitest';
import { countryAlphaThree, countryNumber, isCountry } from './country.ts';

test.each([
  ['US', true, 'USA', '840'],
  ['GB', true, 'GBR', '826'],
  ['CY', true, 'CYP', '196'],
  ['AU', true, 'AUS', '036'],
  ['us', false, undefined, undefined],
  ['UK', false, undefined, undefined],
  ['', false, undefined, undefined],
  ['constructor', false, undefined, undefined],
])('%s is a country: %s', (code, known, alphaThree, number) => {
  expect(isCountry(code)).toBe(known);
  expect(countryAlphaThree(code)).toBe(alphaThree);
  expect(countryNumber(code)).toBe(number);
});
