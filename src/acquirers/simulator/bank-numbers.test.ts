import { describe, expect, it } from 'vitest';
import { approvalCodeOf, processorTxIdOf, rrnOf } from './bank-numbers.ts';

const serials = [...Array.from({ length: 20_000 }, (_, serial) => serial), 1e9, 2e9];

describe('numbers of the simulated bank', () => {
  it('a retrieval reference number has twelve digits and is never given twice', () => {
    const numbers = serials.map(rrnOf);
    expect(numbers.filter((number) => !/^\d{12}$/.test(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(serials.length);
  });

  it('an approval code has six letters or digits and is never given twice', () => {
    const codes = serials.map(approvalCodeOf);
    expect(codes.filter((code) => !/^[0-9A-Z]{6}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(serials.length);
  });

  it.each([
    ['1700000000123-1', 'PNTEST-1700000000123'],
    ['1700000000123', 'PNTEST-1700000000123'],
    ['sale-1', 'PNTEST-sale-1'],
  ])('reference %s has the processor transaction id %s', (reference, id) => {
    expect(processorTxIdOf(reference)).toBe(id);
  });
});
