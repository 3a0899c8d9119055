// What the gateways of a run keep their orders on: the embedded database, one PostgreSQL, or a cluster of Citus.
// Servers are the run's own: nobody else's connections are cut, nobody else's server is restarted.

import { findCitus, startCitus } from '../../scripts/citus.mjs';
import { findPostgres, onServer, type PrivatePostgres, startPostgres } from '../../scripts/postgres.mjs';
import { readCluster } from '../../src/storage/cluster/cluster.ts';
import { distribute } from '../../src/storage/cluster/distribute.ts';
import { moveShard } from '../../src/storage/cluster/move.ts';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import type { Database } from '../../src/storage/database.ts';
import type { Random } from '../crash/random.ts';
import type { Belongings } from '../scenarios/tender-process.ts';

export type DatabaseName = 'pglite' | 'postgres' | 'citus';

export type Servers = {
  readonly all: readonly PrivatePostgres[];
  /** The address of the database by way of each server; commands are given the first. */
  readonly urls: readonly string[];
  /** What the node of this number is told. */
  urlFor(node: number): string;
  /** Moves one shard to another server, where there are several; resolves with whether it was elsewhere. */
  readonly moveOne?: (random: Random) => Promise<boolean>;
};

/** Shards that merchants of a cluster live in. */
export const SHARDS = [0, 1, 2, 3, 4, 5] as const;
const PARTS = 8;
/** Transactions that a dead server has not ended are ended by the others so soon; Citus' own interval is a minute. */
const CITUS_SETTINGS = { 'citus.recover_2pc_interval': '5s' };

/** Undefined for the embedded database, which has no server. */
export async function openServers(belongings: Belongings, database: DatabaseName): Promise<Servers | undefined> {
  if (database === 'pglite') return undefined;
  return database === 'citus' ? clusterOf(belongings) : serverOf(belongings);
}

async function serverOf(belongings: Belongings): Promise<Servers> {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error('PostgreSQL is not installed: neither on PATH nor where Debian puts it');
  const server = await startPostgres({ binaries });
  belongings.also(() => server.stop());
  await onServer(server.url, (client) => client.query('create database chaos'));
  const url = Object.assign(new URL(server.url), { pathname: '/chaos' }).href;
  return { all: [server], urls: [url], urlFor: () => url };
}

/** Every node knows all servers, and begins with another one. */
async function clusterOf(belongings: Belongings): Promise<Servers> {
  const binaries = findCitus();
  if (binaries === undefined) throw new Error('Citus is not installed beside the newest PostgreSQL here');
  const { urls, servers, stop } = await startCitus({ binaries, settings: CITUS_SETTINGS });
  belongings.also(stop);
  await withDatabase(urls[0] as string, async (database) => {
    await migrate(database);
    await distribute(database, { parts: PARTS });
  });
  const places = urls.map((url) => new URL(url).host);
  const urlFor = (node: number) => {
    const first = node % places.length;
    const turned = [...places.slice(first), ...places.slice(0, first)];
    return `postgres://postgres@${turned.join(',')}/postgres?target_session_attrs=any`;
  };
  return { all: servers, urls, urlFor, moveOne: (random) => moveAny(urls[0] as string, random) };
}

function moveAny(url: string, random: Random): Promise<boolean> {
  return withDatabase(url, async (database) => {
    const cluster = await database.transaction(readCluster);
    if (cluster === undefined) throw new Error('the database has no Citus');
    const shard = SHARDS[Math.floor(random() * SHARDS.length)] as number;
    const first = Math.floor(random() * cluster.servers.length);
    for (const { place: to } of [...cluster.servers.slice(first), ...cluster.servers.slice(0, first)])
      if ((await moveShard(database, cluster, { shard, to })) !== to) return true;
    return false;
  });
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url, poolSize: 1 });
  return work(database).finally(() => database.close());
}
