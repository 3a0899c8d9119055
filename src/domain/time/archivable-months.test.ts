import { expect, it } from 'vitest';
import { mayArchiveBefore } from './archivable-months.ts';

it.each([
  [Date.UTC(2026, 10, 19), '2026-11', true],
  [Date.UTC(2026, 10, 19), '2026-12', false],
  [Date.UTC(2026, 10, 2, 23, 59), '2026-11', false],
  [Date.UTC(2026, 10, 3), '2026-11', true],
  [Date.UTC(2026, 10, 3), '2025-01', true],
])('at %d what is before %s may be archived: %s', (now, month, may) => {
  expect(mayArchiveBefore(month, now)).toBe(may);
});
