// Two kinds of tests: those that need nothing but the sources, in threads, and those in test/ that hold databases and
// processes, in processes. Files that run one after the other share theirs, so that it reads the sources and compiles
// the embedded database once: every file takes away what it set up.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SHORT_LIFE } from './test/setup/short-life.ts';
import { TRIALS } from './test/trials.ts';

/** Guards against what hangs for ever: on a busy machine everything may take many times as long as on a quiet one. */
const UNIT_LIMIT_MS = 3 * 60_000;
const INTEGRATION_LIMIT_MS = 20 * 60_000;
const POLL = { expect: { poll: { timeout: UNIT_LIMIT_MS } } };
/** More than there are cores: some files mostly wait. */
const UNIT_WORKERS = 3;
const INTEGRATION_WORKERS = 5;

/** Examples import the package as if it were installed. */
const INSTALLED = Object.fromEntries(
  ['client', 'testing'].map((name) => [`tender/${name}`, fileURLToPath(new URL(`dist/${name}.js`, import.meta.url))]),
);

/** Tells what each file costs, when somebody asks for it. */
const COSTS = process.env.TENDER_TEST_COSTS ? ['test/setup/costs.ts'] : [];

/** Tests in test/ that neither start nor open anything. */
const PURE = ['test/*.test.ts', 'test/vectors/*.test.ts', 'test/bench/**/*.test.ts'];

/** Tests that need several servers, where there are none. */
const { TENDER_TEST_CITUS_URL, TENDER_TEST_OWN_CITUS } = process.env;
const WITHOUT_CLUSTER = TENDER_TEST_CITUS_URL || TENDER_TEST_OWN_CITUS ? [] : ['test/cluster/**'];

/** Set by scripts/test.mjs. */
const LEFT_OUT = process.env.TENDER_TEST_WITHOUT_TRIALS ? TRIALS.map(({ file }) => file) : [];

/**
 * Files by what they take (TENDER_TEST_COSTS), those first that mostly wait. Begun last they would keep one worker busy
 * while the others have nothing to do.
 */
const LONG = [
  'contracts/connectors.test',
  'chaos/',
  'scenarios/start.test',
  'package.test',
  'encrypted-exports.test',
  'console-pages.test',
  'security-module.test',
  'every-page.test',
  'scan.test',
  'bounds.test',
  'security-codes-from-the-log.test',
  'moving.test',
  'generated-clients.test',
  'merchant-import.test',
  'crash/',
  'browser/three-d-secure.test',
  'evidence.test',
  'misbehaving-bank.test',
  'scenarios/cli',
  'watching.test',
  'workers.test',
  'browser/',
  'tls.test',
  'export.test',
  'id-counter.test',
  'reconcile.test',
  'observability.test',
  'attacks/',
  'failover/',
  'terminal',
  'shop.test',
  'docs-examples.test',
  'guide-connector.test',
  'embedded-database.test',
  'order-search.test',
  'stuck.test',
  'console.test',
  'bad-input.test',
  'routing.test',
  'upstream-chain.test',
  'key-rotation.test',
  'readiness.test',
  'recurring.test',
  'screening.test',
  'simulation/',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((part) => /\/(test|examples)\//.test(moduleId) && moduleId.includes(part));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** What the compiler made of sources, as long as they stay what they were; scripts/vitest.mjs keeps it small. */
const MODULES = { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/tender/modules' };

export default defineConfig({
  test: {
    experimental: MODULES,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', ...PURE],
          pool: 'threads',
          maxWorkers: UNIT_WORKERS,
          isolate: false,
          ...POLL,
          testTimeout: UNIT_LIMIT_MS,
          hookTimeout: UNIT_LIMIT_MS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve: { alias: INSTALLED },
        test: {
          name: 'integration',
          server: { deps: { external: [/\/dist\//] } },
          globalSetup: ['test/setup/scratch.ts', 'test/setup/fresh-build.mjs', 'test/setup/templates.ts'],
          setupFiles: COSTS,
          include: ['test/**/*.test.ts', 'examples/**/*.test.mjs'],
          exclude: [...PURE, ...WITHOUT_CLUSTER, ...LEFT_OUT],
          pool: 'forks',
          isolate: false,
          execArgv: SHORT_LIFE,
          maxWorkers: INTEGRATION_WORKERS,
          ...POLL,
          testTimeout: INTEGRATION_LIMIT_MS,
          hookTimeout: INTEGRATION_LIMIT_MS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
