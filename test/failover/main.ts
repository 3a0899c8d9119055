// `npm run failover`: kills primaries under load as often as asked, and says what was lost, what was doubled, and for
// how long nothing was acknowledged.

import { FAILOVER, readFailoverOptions } from '../../scripts/failover-options.mjs';
import { interruption } from '../../scripts/interruption.mjs';
import { findPostgres } from '../../scripts/postgres.mjs';
import { seeded } from '../crash/random.ts';
import { Belongings } from '../scenarios/tender-process.ts';
import { ManagedPair } from './managed-pair.ts';
import { type FailoverRound, failoverRun } from './run.ts';

const SHOWN_FINDINGS = 50;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(signal: AbortSignal): Promise<number> {
  const { times, patience, seed } = readFailoverOptions(FAILOVER);
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error('PostgreSQL is not installed: neither on PATH nor where Debian puts it');
  const belongings = new Belongings();
  const breakOff = () => void belongings.drop().finally(() => process.exit(130));
  signal.addEventListener('abort', breakOff);
  try {
    say(`Failover, ${times} times, the monitor's patience: ${patience}, --seed ${seed}`);
    const cluster = await ManagedPair.start(belongings, { binaries, patience });
    say('  a monitor, a primary and its synchronous standby are there');
    const random = seeded(seed);
    const rounds = await failoverRun({ belongings, cluster, times, random, say: (line) => say(`  ${line}`) });
    return tell(rounds);
  } finally {
    signal.removeEventListener('abort', breakOff);
    await belongings.drop();
  }
}

function tell(rounds: readonly FailoverRound[]): number {
  const sum = (of: (round: FailoverRound) => number) => rounds.reduce((all, round) => all + of(round), 0);
  const gaps = rounds.map(({ gapSeconds }) => gapSeconds).sort((a, b) => a - b);
  const median = gaps[Math.floor((gaps.length - 1) / 2)] ?? 0;
  const findings = rounds.flatMap(({ lost, doubled, others }) => [...lost, ...doubled, ...others]);
  for (const finding of findings.slice(0, SHOWN_FINDINGS)) say(`  ! ${finding}`);
  say(`  acknowledged   ${sum(({ acknowledged }) => acknowledged)}, each looked up`);
  say(`  lost           ${sum(({ lost }) => lost.length)}`);
  say(`  doubled        ${sum(({ doubled }) => doubled.length)}`);
  say(`  other findings ${sum(({ others }) => others.length)}`);
  say(`  without an acknowledgement: median ${median.toFixed(1)} s, longest ${(gaps.at(-1) ?? 0).toFixed(1)} s`);
  return findings.length === 0 ? 0 : 1;
}

// At once, because whoever reads this file for us stops reading when it is done.
const { signal, release } = interruption();
export const exitCode = await main(signal);
release();
