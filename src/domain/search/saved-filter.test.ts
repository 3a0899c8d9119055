import { expect, it } from 'vitest';
import { Misread } from '../input-kinds.ts';
import { filterQuery, MAX_FILTER_QUERY } from './saved-filter.ts';

const kind = filterQuery(['status', 'card', 'email']);

it.each([
  ['card=1111&status=approved', 'status=approved&card=1111'],
  ['email=a%2Bb%40c.example&card=', 'email=a%2Bb%40c.example'],
  ['card=1111&card=2222', 'card=1111'],
  ['email=%3Cscript%3E', 'email=%3Cscript%3E'],
])('%s is kept as %s', (given, kept) => {
  expect(kind.read(given, undefined)).toBe(kept);
});

it.each([
  ['nothing', ''],
  ['empty filters', 'card=&status='],
  ['no filter', 'card=1111&password=x'],
  ['a card number', 'email=4111111111111111'],
  ['too much', `email=${'x'.repeat(MAX_FILTER_QUERY)}`],
  ['no text', 7],
])('%s is not kept', (_, given) => {
  expect(kind.read(given, undefined)).toBeInstanceOf(Misread);
});
