import * as currencies from 'dinero.js/currencies';
import { expect, it } from 'vitest';
import { currencyNumber } from './currency-numbers.ts';
import { isCurrency } from './money.ts';

it.each([
  ['EUR', '978'],
  ['USD', '840'],
  ['JPY', '392'],
  ['AUD', '036'],
  ['KWD', '414'],
])('%s is %s', (code, number) => {
  expect(currencyNumber(code)).toBe(number);
});

it('gives every currency that can be paid in a number of its own', () => {
  const codes = Object.values(currencies)
    .map(({ code }) => code)
    .filter(isCurrency);
  const numbers = codes.map(currencyNumber);
  expect(numbers.filter((number) => !/^\d{3}$/.test(number))).toEqual([]);
  expect(new Set(numbers).size).toBe(codes.length);
});
