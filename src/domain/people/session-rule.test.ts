import { expect, it } from 'vitest';
import { isOver } from './session-rule.ts';

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
