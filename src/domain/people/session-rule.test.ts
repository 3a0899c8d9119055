import { expect, it } from 'vitest';
import { isOver, whyOver } from './session-rule.ts';

const MINUTE = 60_000;

it.each([
  [0, 0, false],
  [0, 15 * MINUTE - 1, false],
  [0, 15 * MINUTE, true],
  [11 * 60 * MINUTE, 11 * 60 * MINUTE + 14 * MINUTE, false],
  [12 * 60 * MINUTE - 1, 12 * 60 * MINUTE - 1, false],
  [12 * 60 * MINUTE - 1, 12 * 60 * MINUTE, true],
])('seen at %s, at %s it is over: %s', (seenAt, now, over) => {
  expect(isOver({ signedInAt: 0, seenAt }, now)).toBe(over);
});

it.each([
  [0, 14 * MINUTE, undefined],
  [0, 15 * MINUTE, 'unused'],
  [12 * 60 * MINUTE - 1, 12 * 60 * MINUTE, 'too-old'],
  [0, 13 * 60 * MINUTE, 'too-old'],
])('seen at %s, at %s it is over because it is %s', (seenAt, now, why) => {
  expect(whyOver({ signedInAt: 0, seenAt }, now)).toBe(why);
});
