import { expect, it } from 'vitest';
import { reachOf, type SignInWay } from './person.ts';

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
