import { describe, expect, it } from 'vitest';
import { differences } from './signed-strings.ts';

const part = (name: string, value = name) => ({ name, value });
const expected = [part('endpoint', '101'), part('amount', '1042'), part('key')];
const marks = (pieces: readonly { value: string; differs: boolean }[]) =>
  pieces.map(({ value, differs }) => (differs ? `[${value}]` : value)).join('');

describe('two signed strings beside each other', () => {
  it.each([
    ['the same', expected, '1011042key', '1011042key'],
    ['another value', [part('endpoint', '101'), part('amount', '10.42'), part('key')], '101[1042]key', '101[10.42]key'],
    ['one left out', [part('endpoint', '101'), part('key')], '101[1042]key', '101key'],
    [
      'one too many',
      [part('endpoint', '101'), part('amount', '1042'), part('x'), part('key')],
      '1011042key',
      '1011042[x]key',
    ],
    ['another order', [part('amount', '1042'), part('endpoint', '101'), part('key')], '[101]1042key', '1042[101]key'],
  ])('marks %s', (_, came, left, right) => {
    const marked = differences(expected, came);
    expect([marks(marked.expected), marks(marked.came)]).toEqual([left, right]);
  });

  it('marks what stands between', () => {
    expect(marks(differences(expected, expected, '|').came)).toBe('101[|]1042[|]key');
  });
});
