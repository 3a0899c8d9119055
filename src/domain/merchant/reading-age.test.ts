import { expect, it } from 'vitest';
import { readingsNeededSince } from './reading-age.ts';

const DAY = 24 * 60 * 60_000;
const NOW = 1_000 * DAY;
const key = (from: number, until?: number) => ({
  keyId: 'k',
  validFrom: from * DAY,
  validUntil: until === undefined ? undefined : until * DAY,
});

it.each<[string, ReturnType<typeof key>[], number]>([
  ['a key that does not end', [key(100)], 100],
  ['the older of two that overlap', [key(100), key(900)], 100],
  ['the newer once the older has ended for a month', [key(100, 960), key(900)], 900],
  ['the older when it ended a moment ago', [key(100, 999), key(900)], 100],
  ['a month back when the only key is new', [key(999)], 970],
  ['a month back when all keys have ended', [key(100, 200)], 970],
  ['a month back when there is no key', [], 970],
  ['a month back when the only key is not valid yet', [key(1_010)], 970],
  ['for ever when a key is valid since ever', [key(0), key(900)], 0],
])('readings are needed since %s', (_which, keys, day) => {
  expect(readingsNeededSince(keys, NOW)).toBe(day * DAY);
});
