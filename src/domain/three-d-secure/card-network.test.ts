import { expect, it } from 'vitest';
import { mayBeReached } from './card-network.ts';

it.each<[string, 'sandbox' | 'production', boolean]>([
  ['https://ds.example.com/3ds', 'production', true],
  ['https://127.0.0.1:8443/', 'production', true],
  ['http://ds.example.com/3ds', 'production', false],
  ['http://127.0.0.1:8082/emv-3ds', 'production', false],
  ['http://127.0.0.1:8082/emv-3ds', 'sandbox', true],
  ['http://localhost:8082/emv-3ds', 'sandbox', true],
  ['http://[::1]:8082/emv-3ds', 'sandbox', true],
  ['http://10.0.0.1/', 'sandbox', false],
  ['http://localhost.example.com/', 'sandbox', false],
  ['http://127.0.0.1.example.com/', 'sandbox', false],
  ['ftp://127.0.0.1/', 'sandbox', false],
])('%s in %s: %s', (address, mode, expected) => {
  expect(mayBeReached(address, mode)).toBe(expected);
});
