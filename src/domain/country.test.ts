import { expect, test } from 'vitest';
import { countryNumber, isCountry } from './country.ts';

test.each([
  ['US', true, '840'],
  ['GB', true, '826'],
  ['CY', true, '196'],
  ['AU', true, '036'],
  ['us', false, undefined],
  ['UK', false, undefined],
  ['', false, undefined],
  ['constructor', false, undefined],
])('%s is a country: %s', (code, known, number) => {
  expect(isCountry(code)).toBe(known);
  expect(countryNumber(code)).toBe(number);
});
