import { describe, expect, it } from 'vitest';
import { canonicalJson, isRepeatKey, judgeAskedAgain } from './repeat-key.ts';

describe('the key of a change that may be repeated', () => {
  it.each([
    ['a', true],
    ['0197a5c2-6f8e-4c1b-9f0a-3d2e1b4c5a69', true],
    ['!~', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['', false],
    ['two words', false],
    ['tab\t', false],
    ['é', false],
  ])('%j: %s', (text, isOne) => {
    expect(isRepeatKey(text)).toBe(isOne);
  });
});

it.each([
  [{ b: 1, a: [{ d: 2, c: 3 }] }, '{"a":[{"c":3,"d":2}],"b":1}'],
  [{ a: ['b', 'a'] }, '{"a":["b","a"]}'],
  [null, 'null'],
])('the same is the same in whatever order its members stand: %j', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

describe('a request whose key was used', () => {
  const body = Buffer.from('one');
  it.each([
    ['never', undefined, { do: 'anew' }],
    ['for the same', { body: Buffer.from('one'), answer: 'done' }, { do: 'answer', answer: 'done' }],
    [
      'for another',
      { body: Buffer.from('two'), answer: 'done' },
      { do: 'refuse', why: expect.stringMatching(/another/) },
    ],
    [
      'and not ended',
      { body: Buffer.from('one'), answer: undefined },
      { do: 'refuse', why: expect.stringMatching(/end/) },
    ],
  ])('%s', (_, before, judged) => {
    expect(judgeAskedAgain(before, body)).toEqual(judged);
  });
});
