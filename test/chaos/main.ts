// `npm run chaos`: one run on each database, its counts, and an exit code that says whether everything was as it should be.

import { parseArgs } from 'node:util';
import { interruption } from '../../scripts/interruption.mjs';
import { type ChaosReport, chaosRun, told } from './run.ts';

const USAGE = `npm run chaos -- [options]
  --minutes <number>          how long on each database (2)
  --seed <number>             repeats the same disturbances; the load they meet is never quite the same
  --only <pglite|postgres>    one database only`;

const SHOWN_DIFFERENCES = 50;
const IN_A_LINE = 5;
const DATABASES = { pglite: 'the embedded database, one node', postgres: 'PostgreSQL, three nodes' } as const;

type DatabaseName = keyof typeof DATABASES;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(args: string[], signal: AbortSignal): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    say(options);
    return 2;
  }
  const { minutes, seed, databases } = options;
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

function readOptions(args: string[]): { minutes: number; seed: number; databases: DatabaseName[] } | string {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { minutes: text, seed: text, only: text } });
    const minutes = Number(values.minutes ?? 2);
    const seed = Number(values.seed ?? Date.now() % 1_000_000);
    const only = values.only as DatabaseName | undefined;
    if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('minutes and seed are numbers');
    if (only !== undefined && !(only in DATABASES)) throw new Error(`unknown database: ${only}`);
    return { minutes, seed, databases: only ? [only] : ['pglite', 'postgres'] };
  } catch (error) {
    return `${(error as Error).message}\n${USAGE}`;
  }
}

// At once, because whoever reads this file for us stops reading when it is done.
const { signal, release } = interruption();
export const exitCode = await main(process.argv.slice(2), signal);
release();
