import { expect, it } from 'vitest';
import { errorAdvice, errorOfCode } from './error-remedies.ts';
import { errors } from './errors.ts';

it('says of every error why it comes about and what to do, in sentences, and of no other', () => {
  expect(Object.keys(errorAdvice).sort()).toEqual(Object.keys(errors).sort());
  for (const [name, { cause, remedy }] of Object.entries(errorAdvice)) {
    expect(`${name}: ${cause}`).toMatch(/^[\w-]+: [A-Z'].{20,}\.$/);
    expect(`${name}: ${remedy}`).toMatch(/^[\w-]+: [A-Z'].{10,}\.$/);
  }
});

it('finds an error by its number, and none by the number of a decline', () => {
  for (const [name, { code }] of Object.entries(errors)) expect(errorOfCode(String(code))).toBe(name);
  expect(errorOfCode('116')).toBeUndefined();
});
