import { expect, it } from 'vitest';
import { Misread } from '../../domain/input-kinds.ts';
import { addBins } from './bins.ts';

it.each([
  ['whole', ['411111', 'Bank', 'USA'], true],
  ['without bank and country', ['411111', null, null], true],
  ['with a control character in the name', ['411111', 'Ba\u0000nk', 'USA'], false],
  ['with too long a name', ['411111', 'x'.repeat(101), 'USA'], false],
  ['with more digits than a table may hold', ['411111111', 'Bank', 'USA'], false],
  ['with a country that does not exist', ['411111', 'Bank', 'XXX'], false],
])('takes or refuses a row %s', (_, row, taken) => {
  expect(!(addBins.given.rows.kind.read([row], undefined) instanceof Misread)).toBe(taken);
});
