// Two kinds of tests: pure ones beside the sources, in shared threads, and ones in test/ that hold databases and
// processes, each file in a process of its own.
import { defineConfig } from 'vitest/config';

const INTEGRATION_LIMIT_MS = 60_000;
const INTEGRATION_WORKERS = 2;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'integration',
          globalSetup: ['test/setup/fresh-build.mjs'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/bench/**'],
          pool: 'forks',
          maxWorkers: INTEGRATION_WORKERS,
          testTimeout: INTEGRATION_LIMIT_MS,
          hookTimeout: INTEGRATION_LIMIT_MS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
