import { expect, it } from 'vitest';
import { PERSON_NAME, reachOf, type SignInWay } from './person.ts';

it.each<[SignInWay, 'sandbox' | 'production', string]>([
  ['link', 'sandbox', 'setup'],
  ['link', 'production', 'setup'],
  ['password', 'sandbox', 'whole'],
  ['password', 'production', 'setup'],
  ['password and code', 'production', 'whole'],
  ['passkey', 'production', 'whole'],
  ['passkey', 'sandbox', 'whole'],
])('who came by %s in a %s is %s', (way, mode, standing) => {
  expect(reachOf(way, mode)).toBe(standing);
});

it.each([
  ['ann', true],
  ['ann.example-2_x', true],
  ['7'.repeat(40), true],
  ['7'.repeat(41), false],
  ['', false],
  ['Ann', false],
  ['.ann', false],
  ['ann example', false],
  ['ann\n', false],
  ['ann/../bob', false],
])('%j is a name: %s', (name, isName) => {
  expect(PERSON_NAME.test(name)).toBe(isName);
});
