import { expect, it } from 'vitest';
import { endOfArchive, mayArchiveBefore, nextArchiveName } from './archivable-months.ts';

it.each([
  [Date.UTC(2026, 10, 19), '2026-11', true],
  [Date.UTC(2026, 10, 19), '2026-12', false],
  [Date.UTC(2026, 10, 2, 23, 59), '2026-11', false],
  [Date.UTC(2026, 10, 3), '2026-11', true],
  [Date.UTC(2026, 10, 3), '2025-01', true],
])('at %d what is before %s may be archived: %s', (now, month, may) => {
  expect(mayArchiveBefore(month, now)).toBe(may);
});

it.each([
  ['2026-05', Date.UTC(2026, 5)],
  ['2026-12-2', Date.UTC(2027, 0)],
  ['before-2026-06', Date.UTC(2026, 5)],
  ['before-2026-06-13', Date.UTC(2026, 5)],
  ['2026-13', undefined],
  ['2026-05-1', undefined],
  ['../2026-05', undefined],
])('an archive named %s ends at %s', (name, end) => {
  expect(endOfArchive(name)).toBe(end);
});

it.each([
  [[], '2026-05'],
  [['2026-05'], '2026-05-2'],
  [['2026-05-2', '2026-05', '2026-06'], '2026-05-3'],
])('beside %j the next archive of a month is named %s', (taken, name) => {
  expect(nextArchiveName('2026-05', taken)).toBe(name);
});
