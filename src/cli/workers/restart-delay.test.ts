import { expect, it } from 'vitest';
import { failuresAfter, restartDelayMs } from './restart-delay.ts';

it.each([
  [1, 100],
  [2, 200],
  [3, 400],
  [9, 25_600],
  [10, 30_000],
  [2_000, 30_000],
])('after %i failures in a row a worker is replaced in %i ms', (failures, ms) => {
  expect(restartDelayMs(failures)).toBe(ms);
});

it.each([
  ['the first', 0, 5, 1],
  ['one that soon ends again', 3, 59_999, 4],
  ['one that lived for a minute', 3, 60_000, 1],
])('counts %s', (_, failures, livedMs, counted) => {
  expect(failuresAfter(failures, livedMs)).toBe(counted);
});
