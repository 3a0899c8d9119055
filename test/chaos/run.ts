// The chaos run: a whole installation of real processes, merchants who use all of it, a bank that misbehaves, and
// somebody who breaks it all the time. Then everything is put right, and every promise is called in: what was
// acknowledged is there and has ended, the bank's books and ours agree, the ledger adds up, and merchants were told.

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres, type PrivatePostgres, startPostgres } from '../../scripts/postgres.mjs';
import { DEMO_TERMINAL } from '../../src/domain/acquirer/terminal.ts';
import { operations } from '../../src/operations/index.ts';
import { ACQUIRER_TIMEOUT_MS, FAST } from '../crash/promises.ts';
import { type Random, seeded } from '../crash/random.ts';
import { Client, DEMO, until } from '../harness.ts';
import {
  Belongings,
  startBankProcess,
  startNetworksProcess,
  startProcess,
  tender,
} from '../scenarios/tender-process.ts';
import { TestShop } from '../test-shop.ts';
import { Acknowledgements, readAcknowledgements } from './acknowledgements.ts';
import { type Disturbance, Disturber } from './disturbances.ts';
import { Merchants } from './merchants.ts';
import { calledIn } from './reckoning.ts';
import { ISSUER_PATIENCE_MS } from './stories/three-d-secure.ts';
import { Supervised, type SupervisedOptions } from './supervised.ts';

export type ChaosOptions = {
  readonly database: 'pglite' | 'postgres';
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

/** Terminals, the first of which is every gateway's own. */
const BANKS = [DEMO_TERMINAL, 'second-bank', 'third-bank'] as const;
const ROUTED_ENDPOINTS = ['101', '103'];

const NODES = { pglite: 1, postgres: 3 } as const;
const HANDS = { pglite: 8, postgres: 12 } as const;
/** So long a run has everything the interface offers in it. */
const FULL_RUN_S = 120;
/** As shells have it for a process that Ctrl-C ended. */
const INTERRUPTED = 130;
const PROGRESS_MS = 10_000;
/** Callbacks are given up sooner than merchants hang, so that a short run sees them tried again. */
const CALLBACK_TIMEOUT_MS = 2_000;

/** Merchants' servers: a good one, one that fails now and then, one that hangs now and then. */
const SHOPS = [
  { share: 0, failure: 200 },
  { share: 0.15, failure: 500 },
  { share: 0.1, failure: 'close' },
  { share: 0.05, failure: 'hang' },
] as const;
const MOOD_OF_SHOPS_MS = 50;
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
    const { nodes, shops, clients, banks, networks, server, databaseUrl } = installation;
    const path = join(folder, 'acknowledgements.jsonl');
    const acknowledgements = await Acknowledgements.open(path);
    const merchants = new Merchants({ clients, random, acknowledgements, shops, hands: HANDS[database] });
    const disturber = new Disturber({
      nodes,
      random,
      banks,
      networks,
      seed,
      server,
      databaseUrl,
      progress: () => acknowledgements.count,
    });
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

export type Installation = {
  readonly nodes: readonly Supervised[];
  readonly clients: readonly Client[];
  readonly shops: readonly TestShop[];
  /** By the terminals they are reached by. */
  readonly banks: readonly Supervised[];
  readonly networks: Supervised;
  readonly server: PrivatePostgres | undefined;
  readonly databaseUrl: string | undefined;
  /** Of the first node, where the embedded database and the keys are. */
  readonly dataFolder: string;
};

type InstallOptions = {
  readonly belongings: Belongings;
  readonly database: ChaosOptions['database'];
  readonly folder: string;
  readonly random: Random;
};

async function install({ belongings, database, folder, random }: InstallOptions): Promise<Installation> {
  const server = database === 'postgres' ? await privateServer(belongings) : undefined;
  const databaseUrl = server && (await newDatabase(server.url));
  const supervise = (options: Omit<SupervisedOptions, 'logFile'>) =>
    supervised(belongings, { ...options, logFile: join(folder, `${options.name}.log`) });
  const banks: Supervised[] = [];
  for (const name of BANKS) {
    const args = ['--data', join(folder, name), '--bank-cut-off', 'never'];
    banks.push(await supervise({ name, launch: startBankProcess, args }));
  }
  // Of their own, so that no issuer dies with a gateway.
  const networksArgs = ['--first-creq-ms', String(ISSUER_PATIENCE_MS)];
  const networks = await supervise({ name: 'networks', launch: startNetworksProcess, args: networksArgs });
  const shops = await Promise.all(SHOPS.map((shop) => openShop(belongings, shop, random)));
  const dataFolder = join(folder, 'node-1');
  const nodes: Supervised[] = [];
  for (let number = 1; number <= NODES[database]; number++) {
    const name = `node-${number}`;
    const data = join(folder, name);
    await mkdir(data, { recursive: true });
    const args = [
      ...['--data', data, '--bank-url', banks[0]?.url ?? '', '--networks-url', networks.url],
      ...[...FAST, '--callback-timeout-ms', String(CALLBACK_TIMEOUT_MS)],
      ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
      ...(number === 1 ? [] : ['--key-file', join(dataFolder, 'key-encryption-keys')]),
    ];
    nodes.push(await supervise({ name, launch: startGateway, args }));
  }
  await route(banks, ['--data', dataFolder]);
  const privateKey = await readFile(join(dataFolder, 'demo-private-key.pem'), 'utf8');
  const clients = nodes.map((node) => {
    const client = new Client(() => node.url, DEMO);
    client.privateKey = privateKey;
    belongings.also(async () => client.close());
    return client;
  });
  return { nodes, clients, shops, banks, networks, server, databaseUrl, dataFolder };
}

/** Every bank is asked first by some orders, and last by others. */
const ROUTE = `share=34 -> ${BANKS.join(',')}; share=50 -> ${BANKS.toReversed().join(',')}; ${BANKS[1]},${BANKS[2]}`;

async function route(banks: readonly Supervised[], where: readonly string[]): Promise<void> {
  const own = ['--connector', 'simulator', '--set', `timeoutMs=${ACQUIRER_TIMEOUT_MS}`];
  for (const { name, url } of banks.slice(1)) {
    await commanded(['terminal', 'add', name, ...own, '--set', `url=${url}`, ...where]);
  }
  for (const endpoint of ROUTED_ENDPOINTS) {
    await commanded(['endpoint', 'set', endpoint, '--route', ROUTE, ...where]);
  }
}

async function commanded(words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await tender(words);
  if (code !== 0) throw new Error(`tender ${words.join(' ')}: ${stdout}${stderr}`);
}

async function supervised(belongings: Belongings, options: SupervisedOptions): Promise<Supervised> {
  const one = new Supervised(options);
  belongings.also(() => one.abandon());
  await one.start();
  return one;
}

async function startGateway(args: readonly string[]) {
  const { process, baseUrl: url } = await startProcess(args);
  return { process, url };
}

/** A cluster of its own: nobody else's connections are cut, nobody else's server is restarted. */
async function privateServer(belongings: Belongings): Promise<PrivatePostgres> {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error('PostgreSQL is not installed: neither on PATH nor where Debian puts it');
  const server = await startPostgres({ binaries });
  belongings.also(() => server.stop());
  return server;
}

async function newDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create database chaos').finally(() => client.end());
  return Object.assign(new URL(url), { pathname: '/chaos' }).href;
}

async function openShop(
  belongings: Belongings,
  { share, failure }: (typeof SHOPS)[number],
  random: Random,
): Promise<TestShop> {
  const shop = await TestShop.open({ key: DEMO.key });
  const timer = setInterval(() => {
    shop.behaviour = random() < share ? failure : 200;
  }, MOOD_OF_SHOPS_MS);
  belongings.also(async () => {
    clearInterval(timer);
    await shop.close();
  });
  return shop;
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
