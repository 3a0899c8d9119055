// `npm run fuzz`: one run on each database, its counts, and an exit code that says whether anything was found.

import { interruption } from '../../scripts/interruption.mjs';
import { FUZZ, readRunOptions } from '../../scripts/run-options.mjs';
import { type FuzzReport, fuzzRun, type Tally } from './run.ts';

const DATABASES = { pglite: 'the embedded database', postgres: 'PostgreSQL' } as const;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(signal: AbortSignal): Promise<number> {
  const { minutes, seed, databases } = readRunOptions(FUZZ);
  let findings = 0;
  for (const database of databases) {
    say(`Fuzz on ${DATABASES[database]}: ${minutes} min, --seed ${seed}`);
    const report = await fuzzRun({
      databaseUrl: database === 'postgres' ? process.env.TENDER_FUZZ_DATABASE_URL : undefined,
      seconds: minutes * 60,
      seed,
      say: (line) => say(`  ${line}`),
      signal,
    });
    tell(report);
    findings += report.findings.length;
  }
  return findings === 0 ? 0 : 1;
}

function tell({ sent, answers, kinds, findings }: FuzzReport): void {
  say(`  sent       ${counted(sent)}`);
  say(`  answers    ${counted(answers)}`);
  say(`  accepted   ${shares(kinds)}`);
  for (const finding of findings) say(`  ! ${finding}`);
  say(`  findings   ${findings.length}`);
}

function shares(kinds: FuzzReport['kinds']): string {
  const share = ({ sent, accepted }: Tally) => `${accepted} of ${sent} (${Math.round((100 * accepted) / sent)} %)`;
  const all = Object.values(kinds).reduce((sum, one) => ({
    sent: sum.sent + one.sent,
    accepted: sum.accepted + one.accepted,
  }));
  return [`${share(all)}: `, ...Object.entries(kinds).map(([kind, tally]) => `${kind} ${share(tally)}`)].join(' ');
}

function counted(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, count]) => `${name} ${count}`).join(', ');
}

// At once, because whoever reads this file for us stops reading when it is done.
const { signal, release } = interruption();
export const exitCode = await main(signal);
release();
