import { expect, test } from 'vitest';
import { countryAlphaThree, isCountry } from './country.ts';

test.each([
  ['US', true, 'USA'],
  ['GB', true, 'GBR'],
  ['CY', true, 'CYP'],
  ['us', false, undefined],
  ['UK', false, undefined],
  ['', false, undefined],
  ['constructor', false, undefined],
])('%s is a country: %s', (code, known, alphaThree) => {
  expect(isCountry(code)).toBe(known);
  expect(countryAlphaThree(code)).toBe(alphaThree);
});
