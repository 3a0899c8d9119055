import { expect, it } from 'vitest';
import { shortened, wellFormed } from './text.ts';

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
