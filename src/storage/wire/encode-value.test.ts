import { describe, expect, it } from 'vitest';
import { encodeValue } from './encode-value.ts';

describe('a value as PostgreSQL reads it', () => {
  it.each([
    ['text', 'text'],
    [null, null],
    [undefined, null],
    [12, '12'],
    [2n ** 60n, '1152921504606846976'],
    [true, 'true'],
    [new Date('2026-02-03T04:05:06.789Z'), '2026-02-03T04:05:06.789Z'],
    [{ a: '"' }, '{"a":"\\""}'],
    [[], '{}'],
    [['a', 'b "c"', 'd\\e', null, ''], '{"a","b \\"c\\"","d\\\\e",NULL,""}'],
    [[1, 2n, false], '{1,2,false}'],
    [[['a'], ['b']], '{{"a"},{"b"}}'],
    [[new Uint8Array([1, 255])], '{"\\\\x01ff"}'],
    [[{ a: 1 }], '{"{\\"a\\":1}"}'],
  ])('%# is written as %s', (value: unknown, encoded: string | null) => {
    expect(encodeValue(value)).toBe(encoded);
  });

  it('keeps bytes as bytes', () => {
    expect(encodeValue(new Uint8Array([1, 2]).subarray(1))).toEqual(Buffer.from([2]));
  });

  it.each([[new Date(Number.NaN)], [() => {}], [Symbol('x')], [{ big: 1n }]])('refuses %s', (value) => {
    expect(() => encodeValue(value)).toThrow();
  });
});
