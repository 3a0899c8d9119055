// The files that are tried on one database, and on which. The rule: what a file is about lies before or after storage
// (how a request is read and refused, who may come in, what a page, a document or a command says), and what it reads
// and writes on its way is held to both databases by a contract (test/contracts) and by the scenarios of money.
// Whatever is about money, limits, claims, crashes, secrets that could be left behind, or a database itself stays on
// both. TENDER_TEST_BOTH=1 runs these on both as well.

/** The embedded database is over half of what such a file costs; browsers go the same ways on it (test/browser). */
const ON_POSTGRES = [
  // How requests are read, signed and refused.
  'attacks/http-tricks',
  'attacks/pipelined-after-close',
  'attacks/two-authorizations',
  'scenarios/bad-input',
  'scenarios/called-address',
  'scenarios/hostile-requests',
  'scenarios/legacy-replies',
  'scenarios/public-clients',
  'scenarios/refusals',
  'scenarios/right-fault',
  'clients/generated-clients',
  'scenarios/client',
  // Who comes in, and what people's pages and the payers' say.
  'attacks/account-forms',
  'attacks/nul-on-peoples-pages',
  'attacks/other-merchants',
  'scenarios/admin-interface',
  'scenarios/administration-answers',
  'scenarios/console',
  'scenarios/console-books',
  'scenarios/console-setup',
  'scenarios/console-today',
  'scenarios/console-traffic',
  'scenarios/docs',
  'scenarios/first-sign-in',
  'scenarios/people',
  'scenarios/published-port',
  'scenarios/receipts',
  'scenarios/three-d-secure-pages',
  // Which card networks there are; the faults, nodes and money of 3-D Secure are tried on both.
  'scenarios/card-networks',
] as const;

/** Commands look for a data folder and its lock, which a server does not have; `cli.test.ts` has them on both. */
const ON_EMBEDDED = [
  'scenarios/cli-callbacks',
  'scenarios/cli-hosted',
  'scenarios/cli-operations',
  'scenarios/evidence',
] as const;

const KINDS: ReadonlyMap<string, 'pglite' | 'postgres'> = new Map([
  ...ON_POSTGRES.map((file) => [file, 'postgres'] as const),
  ...ON_EMBEDDED.map((file) => [file, 'pglite'] as const),
]);

/** The files, from this folder on. */
export const ON_ONE_DATABASE = [...KINDS.keys()].map((file) => `${file}.test.ts`);

/** On which database this file is tried; undefined if on both. */
export function onlyKind(path: string): 'pglite' | 'postgres' | undefined {
  if (process.env.TENDER_TEST_BOTH) return undefined;
  const [, file = ''] = /\/test\/([^/]+\/[^/]+)\.test\.ts$/.exec(path) ?? [];
  return KINDS.get(file);
}
