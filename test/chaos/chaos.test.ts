// The chaos run, short: over when everything that can be done to an installation was done to it in the middle of
// everything, so that it can be run for every change. One database after the other and in one file, because two at once
// would only slow each other down; nodes on one PostgreSQL alone where one database is enough (test/tried-on.ts); on a
// cluster of the test's own when tests run on one. Where an issuer told its result to a dead node it takes a minute
// more. CI runs two minutes on each with `npm run chaos`.

import { describe, expect, it } from 'vitest';
import { findCitus } from '../../scripts/citus.mjs';
import { findPostgres } from '../../scripts/postgres.mjs';
import { isOnCitus } from '../contracts/databases.ts';
import { newSeed } from '../crash/random.ts';
import { databaseOfFile } from '../tried-on.ts';
import { chaosRun } from './run.ts';
import type { DatabaseName } from './servers.ts';

const LEAST_SECONDS = 4;

const say = (line: string) => process.stdout.write(`chaos: ${line}\n`);

type Due = { readonly database: DatabaseName; readonly title: string; readonly isThere: boolean };

const INSTALLATIONS: readonly Due[] = [
  { database: 'pglite', title: 'one node on the embedded database', isThere: true },
  { database: 'postgres', title: 'three nodes on one PostgreSQL', isThere: findPostgres() !== undefined },
];
const ON_CITUS: readonly Due[] = [
  { database: 'citus', title: 'two nodes on a cluster of Citus', isThere: findCitus() !== undefined },
];

const enough = databaseOfFile(expect.getState().testPath ?? '');
const due = isOnCitus ? ON_CITUS : INSTALLATIONS.filter(({ database }) => enough === undefined || database === enough);

describe.each(due)('$title', ({ database, isThere }) => {
  it.skipIf(!isThere)('lose nothing and double nothing, whatever is done to them', async () => {
    const report = await chaosRun({ database, seconds: LEAST_SECONDS, seed: newSeed(), say });
    // In the message, since a summary of CI shows that alone.
    expect(report.differences, `${report.folder}: ${report.differences.join('; ')}`).toEqual([]);
    // Otherwise nothing was hit, and the rest proves little.
    for (const done of ['kill', 'pause', 'bank kill', 'networks kill'] as const)
      expect(report.disturbances[done], done).toBeGreaterThan(0);
    expect(report.acknowledgements).toBeGreaterThan(10);
  });
});
