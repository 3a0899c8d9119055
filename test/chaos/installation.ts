// The installation that a run breaks: gateways on one database or cluster, three banks and the card networks, each a
// process of its own; and the merchants with their shops.

import { createPublicKey } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_TERMINAL } from '../../src/domain/acquirer/terminal.ts';
import { ACQUIRER_TIMEOUT_MS, FAST } from '../crash/promises.ts';
import type { Random } from '../crash/random.ts';
import { Client, DEMO } from '../harness.ts';
import {
  type Belongings,
  startBankProcess,
  startNetworksProcess,
  startProcess,
  tender,
} from '../scenarios/tender-process.ts';
import { TestShop } from '../test-shop.ts';
import { type DatabaseName, openServers, type Servers, SHARDS } from './servers.ts';
import { ISSUER_PATIENCE_MS } from './stories/three-d-secure.ts';
import { Supervised, type SupervisedOptions } from './supervised.ts';
import { numbersFrom } from './ways.ts';

export type Installation = {
  readonly nodes: readonly Supervised[];
  /** Of each merchant, at every node. */
  readonly clients: readonly (readonly Client[])[];
  readonly shops: readonly TestShop[];
  /** By the terminals they are reached by. */
  readonly banks: readonly Supervised[];
  readonly networks: Supervised;
  readonly servers: Servers | undefined;
  /** Of the first node, where the embedded database and the keys are. */
  readonly dataFolder: string;
};

type InstallOptions = {
  readonly belongings: Belongings;
  readonly database: DatabaseName;
  readonly folder: string;
  readonly random: Random;
};

/** Terminals, the first of which is every gateway's own. */
const BANKS = [DEMO_TERMINAL, 'second-bank', 'third-bank'] as const;
/** Every bank is asked first by some orders, and last by others. */
const ROUTE = `share=34 -> ${BANKS.join(',')}; share=50 -> ${BANKS.toReversed().join(',')}; ${BANKS[1]},${BANKS[2]}`;

const NODES = { pglite: 1, postgres: 3, citus: 2 } as const;
const MERCHANTS = { pglite: 1, postgres: 1, citus: 30 } as const;

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

const DEMO_HOME = 101;

type Merchant = { readonly login: string; readonly key: string; readonly home: number };

export async function install({ belongings, database, folder, random }: InstallOptions): Promise<Installation> {
  const servers = await openServers(belongings, database);
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
  const dataFolder = join(folder, 'node-1');
  const nodes: Supervised[] = [];
  for (let number = 1; number <= NODES[database]; number++) {
    const name = `node-${number}`;
    const data = join(folder, name);
    await mkdir(data, { recursive: true });
    const args = [
      ...['--data', data, '--bank-url', banks[0]?.url ?? '', '--networks-url', networks.url],
      ...[...FAST, '--callback-timeout-ms', String(CALLBACK_TIMEOUT_MS)],
      ...(servers ? ['--database-url', servers.urlFor(number)] : []),
      ...(number === 1 ? [] : ['--key-file', join(dataFolder, 'key-encryption-keys')]),
    ];
    nodes.push(await supervise({ name, launch: startGateway, args }));
  }
  await addTerminals(banks.slice(1), dataFolder);
  const merchants = await addMerchants(MERCHANTS[database], dataFolder);
  const privateKey = await readFile(join(dataFolder, 'demo-private-key.pem'), 'utf8');
  const clients = merchants.map((merchant) =>
    nodes.map((node) => {
      const client = new Client(() => node.url, merchant);
      client.privateKey = privateKey;
      belongings.also(async () => client.close());
      return client;
    }),
  );
  const keys = new Map(merchants.map(({ login, key }) => [`/${login}`, key]));
  const shops = await Promise.all(SHOPS.map((shop) => openShop(belongings, keys, shop, random)));
  return { nodes, clients, shops, banks, networks, servers, dataFolder };
}

/** The demo merchant, and others like it in several shards; all have its private key. */
async function addMerchants(count: number, dataFolder: string): Promise<Merchant[]> {
  const merchants: Merchant[] = [{ ...DEMO, home: DEMO_HOME }];
  const where = ['--data', dataFolder];
  const { usual, plain } = numbersFrom(DEMO_HOME);
  for (const id of [usual, plain]) await commanded(['endpoint', 'set', String(id), '--route', ROUTE, ...where]);
  const publicKey = join(dataFolder, 'demo-public-key.pem');
  if (count > 1) await writePublicKey(dataFolder, publicKey);
  for (let number = 1; number < count; number++) {
    const login = `shop-${number}`;
    const numbers = numbersFrom(1_001 + 200 * number);
    const shard = String(SHARDS[number % SHARDS.length]);
    const { key } = JSON.parse(await commanded(['merchant', 'add', login, '--shard', shard, '--json', ...where]));
    const endpoint = (id: number, ...settings: string[]) =>
      commanded(['endpoint', 'add', login, '--id', String(id), ...settings, ...where]);
    await commanded(['key', 'add', login, '--rsa', publicKey, ...where]);
    await endpoint(numbers.usual, '--currency', 'USD', '--route', ROUTE);
    await endpoint(numbers.authenticated, '--currency', 'EUR', '--3ds', 'required');
    await endpoint(numbers.plain, '--currency', 'USD', '--route', ROUTE, '--legacy-replies', 'on');
    const ids = `${numbers.usual},${numbers.authenticated}`;
    await commanded(['group', 'add', login, '--id', String(numbers.group), '--endpoints', ids, ...where]);
    merchants.push({ login, key: key.controlKey, home: numbers.usual });
  }
  return merchants;
}

async function writePublicKey(dataFolder: string, path: string): Promise<void> {
  const privateKey = await readFile(join(dataFolder, 'demo-private-key.pem'), 'utf8');
  await writeFile(path, createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
}

async function addTerminals(banks: readonly Supervised[], dataFolder: string): Promise<void> {
  const own = ['--connector', 'simulator', '--set', `timeoutMs=${ACQUIRER_TIMEOUT_MS}`, '--data', dataFolder];
  for (const { name, url } of banks) await commanded(['terminal', 'add', name, ...own, '--set', `url=${url}`]);
}

async function commanded(words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tender(words);
  if (code !== 0) throw new Error(`tender ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
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

async function openShop(
  belongings: Belongings,
  keys: ReadonlyMap<string, string>,
  { share, failure }: (typeof SHOPS)[number],
  random: Random,
): Promise<TestShop> {
  const shop = await TestShop.open({ key: (path) => keys.get(path) ?? 'nobody is told there' });
  const timer = setInterval(() => {
    shop.behaviour = random() < share ? failure : 200;
  }, MOOD_OF_SHOPS_MS);
  belongings.also(async () => {
    clearInterval(timer);
    await shop.close();
  });
  return shop;
}
