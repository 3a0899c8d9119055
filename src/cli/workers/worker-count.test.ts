import { expect, it } from 'vitest';
import { workersOf } from './worker-count.ts';

const databaseUrl = 'postgresql://localhost/tender';
const production = { mode: 'production' } as const;
const sandbox = { mode: 'sandbox' } as const;

it.each<[what: string, settings: Parameters<typeof workersOf>[0], cores: number, workers: number]>([
  ['production has one for each core', { ...production, databaseUrl }, 4, 4],
  ['more than eight must be asked for', { ...production, databaseUrl }, 64, 8],
  ['and may be', { ...production, databaseUrl, workers: 64 }, 2, 64],
  ['fewer may be asked for', { ...production, databaseUrl, workers: 1 }, 8, 1],
  ['the embedded database is open in one process', production, 8, 1],
  ['a sandbox is one process', { ...sandbox, databaseUrl }, 8, 1],
  ['unless it is told otherwise', { ...sandbox, databaseUrl, workers: 3 }, 8, 3],
])('%s', (_, settings, cores, workers) => {
  expect(workersOf(settings, cores)).toBe(workers);
});
