// On which databases a file of tests runs. In a plain `npm test` each scenario is tried on one of them, so that a round
// takes minutes: what it reads and writes on its way is held to both by the contracts (test/contracts), which run on
// both but for those of months and archives, the dearest. `npm test -- --all`, as CI runs it and as is due before a
// release, tries everything on both; so does `npm test -- <file>`.

/**
 * What is cheap there, or what the embedded database could break: commands look for its folder and its lock, and
 * whoever is killed in the middle of a payment may have been writing into it.
 */
const ON_EMBEDDED: ReadonlySet<string> = new Set([
  'crash/crash',
  'crash/callbacks',
  'crash/three-d-secure',
  'scenarios/cli',
  'scenarios/cli-callbacks',
  'scenarios/cli-hosted',
  'scenarios/cli-operations',
  'scenarios/encrypted-exports',
  'scenarios/evidence',
]);

/** Set by scripts/test.mjs. */
const onOneEach = Boolean(process.env.TENDER_TEST_ONE_EACH);

/** Of which the first that is there suffices; undefined where all are due. */
export function databaseOfFile(path: string): 'pglite' | 'postgres' | undefined {
  if (!onOneEach) return undefined;
  const [, file = ''] = /\/test\/([^/]+\/[^/]+)\.test\.ts$/.exec(path) ?? [];
  return ON_EMBEDDED.has(file) ? 'pglite' : 'postgres';
}

/** The files that are tried on the embedded database, from this folder on. */
export const EMBEDDED_FILES = [...ON_EMBEDDED].map((file) => `${file}.test.ts`);
