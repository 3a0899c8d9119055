// The chaos run: a whole installation of real processes, merchants who use all of it, a bank that misbehaves, and
// somebody who breaks it all the time. Then everything is put right, and every promise is called in: what was
// acknowledged is there and has ended, the bank's books and ours agree, the ledger adds up, and merchants were told.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../src/operations/index.ts';
import { seeded } from '../crash/random.ts';
import { until } from '../harness.ts';
import { Belongings } from '../scenarios/tender-process.ts';
import { Acknowledgements, readAcknowledgements } from './acknowledgements.ts';
import { type Disturbance, Disturber } from './disturbances.ts';
import { install } from './installation.ts';
import { Merchants } from './merchants.ts';
import { calledIn } from './reckoning.ts';
import type { DatabaseName } from './servers.ts';

export type ChaosOptions = {
  readonly database: DatabaseName;
  readonly seconds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Everything that was started is ended when it aborts. */
  readonly signal?: AbortSignal | undefined;
};

export type ChaosReport = {
  readonly acknowledgements: number;
  readonly operations: Readonly<Record<string, number>>;
  readonly disturbances: Readonly<Record<Disturbance, number>>;
  /** What the gateways lived through, from what they wrote down. */
  readonly endured: Readonly<Record<string, number>>;
  /** Everything that is not as it should be; nothing when all is well. */
  readonly differences: readonly string[];
  /** Kept when something is not. */
  readonly folder: string | undefined;
};

const HANDS = { pglite: 8, postgres: 12, citus: 12 } as const;
/** So long a run has everything the interface offers in it. */
const FULL_RUN_S = 120;
/** As shells have it for a process that Ctrl-C ended. */
const INTERRUPTED = 130;
const PROGRESS_MS = 10_000;
const FEWEST_ACKNOWLEDGED = 10;
const MORE_TIME_MS = 3 * 60_000;

export async function chaosRun({ database, seconds, seed, say, signal }: ChaosOptions): Promise<ChaosReport> {
  const folder = await mkdtemp(join(process.env.TENDER_TEST_EVIDENCE ?? tmpdir(), `tender-chaos-${database}-`));
  const belongings = new Belongings();
  const random = seeded(seed);
  const breakOff = () => void belongings.drop().finally(() => process.exit(INTERRUPTED));
  signal?.addEventListener('abort', breakOff);
  try {
    const installation = await install({ belongings, database, folder, random });
    const { nodes, shops, clients, banks, networks, servers } = installation;
    const path = join(folder, 'acknowledgements.jsonl');
    const acknowledgements = await Acknowledgements.open(path);
    const merchants = new Merchants({ clients, random, acknowledgements, shops, hands: HANDS[database] });
    const progress = () => acknowledgements.count;
    const disturber = new Disturber({ nodes, random, banks, networks, seed, servers, progress });
    const line = () => `${acknowledgements.count} acknowledged, ${told(disturber.counts)}`;

    merchants.start();
    disturber.start();
    await passing(seconds, (at) => say(`${clockOf(at)}  ${line()}`));
    // Whatever can be done to it happens at least once: a machine that is too busy for that gets more time.
    await until('enough was hit', () => disturber.hasDoneEach && acknowledgements.count > FEWEST_ACKNOWLEDGED);
    // An operation that is not heard of by then is told as a difference.
    const isFull = seconds >= FULL_RUN_S;
    const allHeard = () => unheardOf(merchants.counts).length === 0;
    if (isFull) await until('every operation was acknowledged', allHeard, MORE_TIME_MS).catch(() => {});
    await disturber.stop();
    await merchants.stop();
    await acknowledgements.close();
    say(`${clockOf(seconds)}  ${line()}; putting everything right and looking…`);
    for (const shop of shops) shop.behaviour = 200;

    const promised = await readAcknowledgements(path);
    const reckoning = await calledIn({ ...installation, promised, say });
    const differences = [
      ...merchants.complaints,
      ...(isFull ? unheardOf(merchants.counts) : []),
      ...disturber.complaints,
      ...[...nodes, ...banks, networks].flatMap(({ complaints }) => complaints),
      ...shops.flatMap(({ complaints }) => complaints),
      ...(promised.length === acknowledgements.count ? [] : ['the file of acknowledgements is not whole']),
      ...reckoning.differences,
    ];
    const keep = differences.length > 0;
    await belongings.drop();
    if (!keep) await rm(folder, { recursive: true, force: true });
    return {
      acknowledgements: promised.length,
      operations: Object.fromEntries([...merchants.counts].toSorted()),
      disturbances: disturber.counts,
      endured: reckoning.endured,
      differences,
      folder: keep ? folder : undefined,
    };
  } catch (error) {
    await belongings.drop();
    throw new Error(`the run broke off; what it left is in ${folder}`, { cause: error });
  } finally {
    signal?.removeEventListener('abort', breakOff);
  }
}

function unheardOf(counts: ReadonlyMap<string, number>): string[] {
  return operations.filter(({ name }) => !counts.has(name)).map(({ name }) => `${name} was never acknowledged`);
}

async function passing(seconds: number, tell: (second: number) => void): Promise<void> {
  const until = Date.now() + seconds * 1000;
  for (let next = Date.now() + PROGRESS_MS; Date.now() < until; next += PROGRESS_MS) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(next, until) - Date.now()));
    if (Date.now() < until) tell(Math.round(seconds - (until - Date.now()) / 1000));
  }
}

const clockOf = (seconds: number) =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;

export function told(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(' · ');
}
