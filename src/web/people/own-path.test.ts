import { expect, it } from 'vitest';
import { ownPath } from './own-path.ts';

it.each([
  ['/console', '/console'],
  ['/console/orders/1042', '/console/orders/1042'],
  ['/console/orders?status=declined&after=b.1', '/console/orders?status=declined&after=b.1'],
  ['/console?said=done', '/console?said=done'],
  ['/account', '/account'],
  // A card number stays in no address.
  ['/console/orders?card=4444555566661111', '/console/orders'],
  ['/console/orders?card=4444+5555+6666+1111', '/console/orders'],
  ['/console/orders?card=4444%205555%206666%201111', '/console/orders'],
  ['/console/orders/4444555566661111', undefined],
  // Other pages, other places, and what a browser reads as such.
  ['', undefined],
  ['/', undefined],
  ['console', undefined],
  ['/consoles', undefined],
  ['/sign-out', undefined],
  ['/admin/api/openapi.json', undefined],
  ['/console/figures.json', undefined],
  ['https://evil.example/console', undefined],
  ['//evil.example/console', undefined],
  ['/\\evil.example', undefined],
  ['/console\\..\\..\\evil.example', undefined],
  ['/console/../sign-out', undefined],
  ['/console/%2e%2e/sign-out', undefined],
  ['/console\r\nSet-Cookie: a=b', undefined],
  ['/console/\ttab', undefined],
  ['/console#part', undefined],
  [`/console/${'a'.repeat(1_000)}`, undefined],
])('%j leads to %j', (text, path) => {
  expect(ownPath(text)).toBe(path);
});
