import { expect, it } from 'vitest';
import { present } from './present.ts';

it.each([0, '', false, null, 'a'])('gives what is there: %j', (value) => {
  expect(present(value)).toBe(value);
});

it('throws where nothing is', () => {
  expect(() => present([][0])).toThrow('missing');
});
