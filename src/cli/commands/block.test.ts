import { describe, expect, it } from 'vitest';
import { listIn } from './block.ts';

const where = { data: '', mode: 'sandbox', host: '', port: 0 } as const;

describe('whose block list is meant', () => {
  it.each([
    [{ merchant: 'acme' }, { login: 'acme' }],
    [{ everywhere: true }, { everywhere: true }],
    [
      { merchant: 'acme', everywhere: true, cardOfOrder: 7 },
      { login: 'acme', everywhere: true },
    ],
    [
      { merchant: 'acme', everywhere: true, cardReference: 7 },
      { login: 'acme', everywhere: true },
    ],
  ])('%j', (values, list) => {
    expect(listIn({ ...where, ...values })).toEqual(list);
  });

  it.each([
    [{}, /is missing/],
    [{ merchant: 'acme', everywhere: true }, /only one of them/],
    [{ merchant: 'acme', everywhere: true, bin: '411111' }, /only one of them/],
  ])('%j is refused', (values, refusal) => {
    expect(() => listIn({ ...where, ...values })).toThrow(refusal);
  });
});
