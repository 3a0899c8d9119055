import { expect, it } from 'vitest';
import { asksToClose } from './last-request.ts';

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['keep-alive', false],
  ['upgrade, keep-alive', false],
  ['closed', false],
  ['disclose', false],
  ['close', true],
  ['Close', true],
  ['\tclose\t', true],
  ['"close"', true],
  ['keep-alive, close', true],
  ['close,keep-alive', true],
  ['te,,\t close', true],
])('a request with the header Connection: %j asks to close: %j', (header, asks) => {
  expect(asksToClose(header)).toBe(asks);
});
