import { expect, it } from 'vitest';
import { mayBeReached, networkSettings, requestorIdFor } from './card-network.ts';

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

it.each<[string | undefined, string | undefined]>([
  ['12345678*{merchant}', '12345678*SHOP$&1'],
  ['MER_{merchant}', 'MER_SHOP$&1'],
  ['{merchant}{merchant}', 'SHOP$&1SHOP$&1'],
  ['assigned', 'assigned'],
  [undefined, undefined],
])('requestor id %s for a merchant', (requestorId, expected) => {
  const nothing = { operatorId: undefined, requestorName: undefined, acquirerBin: undefined };
  expect(requestorIdFor({ ...nothing, requestorId }, 'SHOP$&1')).toBe(expected);
});

it.each([
  ['12345678*{merchant}', true],
  ['a'.repeat(35), true],
  ['a'.repeat(36), false],
  ['{merchant', false],
  ['{mid}', false],
  ['a b', false],
  ['', false],
])('requestor id %s may be given: %s', (given, expected) => {
  const kind = networkSettings.find(({ name }) => name === 'requestorId')?.kind;
  expect(kind?.read(given, { vocabulary: { operations: [], fields: [] } }) === given).toBe(expected);
});
