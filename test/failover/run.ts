// Merchants sell through one gateway while primaries die, again and again; after each death everything that was
// acknowledged is called in. The gateway is never restarted.

import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { Load } from '../crash/load.ts';
import { booksOf } from '../crash/place.ts';
import { FAST } from '../crash/promises.ts';
import type { Random } from '../crash/random.ts';
import { Client, DEMO, until } from '../harness.ts';
import { type Belongings, startBankProcess, startProcess, tender } from '../scenarios/tender-process.ts';
import type { FailoverCluster } from './cluster.ts';
import { longestGap, type Reckoning, reckoned, type Seller, untilAllFinal } from './reckoning.ts';

const OTHER_SHOPS = ['acorn', 'beech', 'cedar'];
const SALES_BEFORE = 300;
const SALES_AFTER = 150;

type SellerKind = Pick<Seller, 'client' | 'endpoint'>;

export type FailoverRound = Reckoning & {
  /** Without any acknowledgement, and from the kill until the standby took writes. */
  readonly gapSeconds: number;
  readonly promotedSeconds: number;
};

export type FailoverOptions = {
  readonly belongings: Belongings;
  readonly cluster: FailoverCluster;
  readonly times: number;
  readonly random: Random;
  readonly say: (line: string) => void;
};

export async function failoverRun({ belongings, cluster, times, random, say }: FailoverOptions) {
  const bankUrl = belongings.keep(await startBankProcess(['--data', await belongings.folder()])).url;
  const args = ['--data', await belongings.folder(), '--database-url', cluster.url];
  const gateway = belongings.keep(await startProcess([...args, ...FAST, '--bank-url', bankUrl]));
  const kinds = await openShops(belongings, () => gateway.baseUrl, args);
  say(`one gateway (process ${gateway.process.pid}), ${kinds.length} merchants`);
  const rounds: FailoverRound[] = [];
  for (let number = 1; number <= times; number++) {
    const sellers = kinds.map((kind) => ({ ...kind, load: new Load([kind.client], random, {}, kind.endpoint) }));
    const took = await killedUnder(sellers, cluster);
    await untilAllFinal(sellers);
    const database = await openDatabase({ url: cluster.url });
    const query = (text: string) => database.query({ name: `failover-${text.length}`, text });
    const reckoning = await reckoned({ sellers, books: await booksOf(bankUrl), query, args, bankUrl });
    await database.close();
    rounds.push({ ...reckoning, ...took });
    say(`${number}: ${told({ ...reckoning, ...took })}`);
    if (number < times) await cluster.rejoined();
  }
  if (!gateway.process.isRunning) throw new Error(`the gateway ended: ${gateway.process.stderr}`);
  return rounds;
}

async function killedUnder(sellers: readonly Seller[], cluster: FailoverCluster) {
  const acknowledged = () => sellers.reduce((sum, { load }) => sum + load.acknowledged.length, 0);
  const untilSold = async (more: number) => {
    const enough = acknowledged() + more;
    await until('enough is sold', () => acknowledged() >= enough);
  };
  for (const { load } of sellers) load.start();
  await untilSold(SALES_BEFORE);
  const at = performance.now();
  await cluster.killPrimary();
  await cluster.promoted();
  const promotedSeconds = (performance.now() - at) / 1_000;
  await untilSold(SALES_AFTER);
  await Promise.all(sellers.map(({ load }) => load.stop()));
  return { gapSeconds: longestGap(sellers, at), promotedSeconds };
}

/** The demo merchant and others, each with an endpoint of its own. */
async function openShops(belongings: Belongings, baseUrl: () => string, args: readonly string[]) {
  const shops: SellerKind[] = [{ client: new Client(baseUrl, DEMO), endpoint: 101 }];
  for (const login of OTHER_SHOPS) {
    const { key } = await answered(['merchant', 'add', login, ...args]);
    const { endpointId } = await answered(['endpoint', 'add', login, '--currency', 'USD', ...args]);
    shops.push({ client: new Client(baseUrl, { login, key: key.controlKey }), endpoint: endpointId });
  }
  belongings.also(async () => {
    for (const { client } of shops) client.close();
  });
  return shops;
}

async function answered(words: readonly string[]) {
  const { code, stdout, stderr } = await tender([...words, '--json']);
  if (code !== 0) throw new Error(`tender ${words.slice(0, 3).join(' ')}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

const seconds = (number: number) => `${number.toFixed(1)} s`;

export function told({ acknowledged, lost, doubled, others, gapSeconds, promotedSeconds }: FailoverRound): string {
  return [
    `${acknowledged} acknowledged, lost ${lost.length}, doubled ${doubled.length}, other findings ${others.length}`,
    `promoted after ${seconds(promotedSeconds)}, nothing acknowledged for ${seconds(gapSeconds)}`,
  ].join('; ');
}
