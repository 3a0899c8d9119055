// `npm run chaos`: one run on each database, its counts, and an exit code that says whether everything was as it should
// be.

import { interruption } from '../../scripts/interruption.mjs';
import { CHAOS, readRunOptions } from '../../scripts/run-options.mjs';
import { type ChaosReport, chaosRun, told } from './run.ts';
import type { DatabaseName } from './servers.ts';

const SHOWN_DIFFERENCES = 50;
const IN_A_LINE = 5;
const DATABASES = {
  pglite: 'the embedded database, one node',
  postgres: 'PostgreSQL, three nodes',
  citus: 'a cluster of Citus, two nodes',
} as const;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(signal: AbortSignal): Promise<number> {
  const { minutes, seed, databases } = readRunOptions<DatabaseName>(CHAOS);
  let differences = 0;
  for (const database of databases) {
    say(`Chaos on ${DATABASES[database]}: ${minutes} min, --seed ${seed}`);
    const report = await chaosRun({
      database,
      seconds: Math.round(minutes * 60),
      seed,
      say: (line) => say(`  ${line}`),
      signal,
    });
    tell(report);
    differences += report.differences.length;
  }
  return differences === 0 ? 0 : 1;
}

function tell({ acknowledgements, operations, disturbances, endured, differences, folder }: ChaosReport): void {
  say(`  acknowledged   ${acknowledgements}, each looked up; by operation:`);
  for (const line of inLines(operations)) say(`                 ${line}`);
  say(`  disturbances   ${told(disturbances)}`);
  say(`  endured        ${told(endured)}`);
  for (const difference of differences.slice(0, SHOWN_DIFFERENCES)) say(`  ! ${difference}`);
  say(`  differences    ${differences.length}${folder === undefined ? '' : `; everything is kept in ${folder}`}`);
}

function inLines(counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts);
  const lines = Array.from({ length: Math.ceil(entries.length / IN_A_LINE) }, (_, line) =>
    entries.slice(line * IN_A_LINE, (line + 1) * IN_A_LINE),
  );
  return lines.map((line) => told(Object.fromEntries(line)));
}

// At once, because whoever reads this file for us stops reading when it is done.
const { signal, release } = interruption();
export const exitCode = await main(signal);
release();
