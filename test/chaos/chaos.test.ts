// The chaos run, short: long enough that nodes die and sleep in the middle of everything, short enough for every
// change. One database after the other and in one file, because two at once would only slow each other down. Where an
// issuer told its result to a dead node it takes a minute more. CI runs two minutes on each with `npm run chaos`.

import { describe, expect, it } from 'vitest';
import { findPostgres } from '../../scripts/postgres.mjs';
import { newSeed } from '../crash/random.ts';
import { chaosRun } from './run.ts';

const SECONDS = 20;

const say = (line: string) => process.stdout.write(`chaos: ${line}\n`);

describe.each([
  { database: 'pglite', title: 'one node on the embedded database', isThere: true },
  { database: 'postgres', title: 'three nodes on one PostgreSQL', isThere: findPostgres() !== undefined },
] as const)('$title', ({ database, isThere }) => {
  it.skipIf(!isThere)('lose nothing and double nothing, whatever is done to them', async () => {
    const report = await chaosRun({ database, seconds: SECONDS, seed: newSeed(), say });
    expect(report.differences, report.folder).toEqual([]);
    // Otherwise nothing was hit, and the rest proves little.
    expect(report.disturbances.kill).toBeGreaterThan(0);
    expect(report.acknowledgements).toBeGreaterThan(10);
  });
});
