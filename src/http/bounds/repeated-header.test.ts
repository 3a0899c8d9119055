import { expect, it } from 'vitest';
import { repeatedHeader } from './repeated-header.ts';

it.each<[string, string[], string | undefined]>([
  ['none at all', [], undefined],
  ['each once', ['Host', 'a', 'Authorization', 'x', 'Content-Type', 'y', 'Content-Length', '3'], undefined],
  [
    'one that may come several times',
    ['Accept', 'a', 'Accept', 'b', 'X-Forwarded-For', 'c', 'x-forwarded-for', 'd'],
    undefined,
  ],
  ['two of them', ['Authorization', 'a', 'Host', 'h', 'Authorization', 'b'], 'authorization'],
  ['two spellings', ['X-Signature', 'a', 'x-SIGNATURE', 'a'], 'x-signature'],
  ['two keys', ['Idempotency-Key', 'a', 'Idempotency-Key', 'a'], 'idempotency-key'],
  ['a value like a name', ['Host', 'host', 'X-Host', 'Host'], undefined],
])('headers: %s', (_which, raw, repeated) => {
  expect(repeatedHeader(raw)).toBe(repeated);
});
