import { expect, it } from 'vitest';
import { shortened, visible, wellFormed } from './text.ts';

it.each([
  ['short', 5, 'short'],
  ['longer', 5, 'longe…'],
  ['abc😀d', 4, 'abc…'],
  ['abc😀d', 5, 'abc😀…'],
  ['', 5, ''],
])('%j cut to %i characters is %j', (text, most, shown) => {
  expect(shortened(text, most)).toBe(shown);
  expect(() => encodeURIComponent(shortened(text, most))).not.toThrow();
});

it('leaves whole characters alone, and drops halves', () => {
  expect(wellFormed('a😀é')).toBe('a😀é');
  expect(wellFormed('a\ud83db\ude00')).toBe('ab');
});

it.each([
  ['a terminal is told to clear itself', '\u001b[2J\u001b]0;owned\u0007', '\\u001b[2J\\u001b]0;owned\\u0007'],
  ['the same in one character', '\u009b2J', '\\u009b2J'],
  ['a line is written over', 'paid\rdeclined', 'paid\\u000ddeclined'],
  ['amounts are shown the other way round', '\u202e00.1 DSU\u202c', '\\u202e00.1 DSU\\u202c'],
  ['a name is isolated', '\u2067abc\u2069', '\\u2067abc\\u2069'],
  ['plain words, lines and tabs', 'Ann 😀 é\n\tשלום', 'Ann 😀 é\n\tשלום'],
])('%s, and it is only read', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(JSON.parse(visible(JSON.stringify({ text })))).toEqual({ text });
});
