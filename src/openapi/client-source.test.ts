import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { clientExamples } from './client-examples.ts';
import { clientMethods, clientSource } from './client-source.ts';

it('is as generated; if not, run npm run generate', () => {
  expect(readFileSync(new URL('../client/operations.ts', import.meta.url), 'utf8')).toBe(clientSource());
});

it('has a method for every operation, each with an example', () => {
  const methods = clientMethods().map(({ method }) => method);
  expect(new Set(methods).size).toBe(methods.length);
  expect(methods).toEqual(expect.arrayContaining(['sale', 'saleForm', 'payout', 'payoutV4', 'uploadCresResult']));
  expect(Object.keys(clientExamples).sort()).toEqual([...methods].sort());
});
