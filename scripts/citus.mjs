// A throw-away cluster of Citus: several servers of PostgreSQL on loopback ports that know each other. The first is the
// coordinator. `node scripts/citus.mjs` starts one, prints the address of each server, and ends it on Ctrl-C.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPostgres, onServer, startPostgres } from './postgres.mjs';

const SERVERS = 3;

// Shards move by logical replication; transactions over several servers are prepared on each.
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: 200,
  // Citus has a process for each database, and every test has a database of its own.
  max_worker_processes: 64,
  // On loopback addresses, where nobody has a certificate.
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
};

/** The folder of a PostgreSQL that has Citus beside it, or undefined. */
export function findCitus() {
  const binaries = findPostgres();
  return binaries && existsSync(join(librariesOf(binaries), 'citus.so')) ? binaries : undefined;
}

/**
 * Starts the servers; resolves with `{ urls, servers, stop }`. The URLs are the superuser's, in the order of the
 * servers, and their database is already one of the cluster.
 */
export async function startCitus({ binaries, servers: count = SERVERS, settings = {} }) {
  const all = { ...SETTINGS, ...settings };
  const begun = await Promise.allSettled(
    Array.from({ length: count }, () => startPostgres({ binaries, settings: all })),
  );
  const servers = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  try {
    for (const one of begun) if (one.status === 'rejected') throw one.reason;
    const urls = servers.map(({ url }) => url);
    await joinServers(urls);
    return { urls, servers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes one cluster of the databases at these addresses, which are empty. */
export async function joinServers(urls) {
  await Promise.all(urls.map((url) => onServer(url, (client) => client.query('create extension citus'))));
  const [coordinator, ...workers] = urls.map((url) => new URL(url));
  await onServer(coordinator.href, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2::int)', placeOf(coordinator));
    for (const worker of workers) await client.query('select citus_add_node($1, $2::int)', placeOf(worker));
    // The coordinator holds rows like the others.
    await client.query('select citus_set_node_property($1, $2::int, $3, true)', [
      ...placeOf(coordinator),
      'shouldhaveshards',
    ]);
  });
}

const placeOf = (url) => [url.hostname, url.port];

function librariesOf(binaries) {
  return execFileSync(join(binaries, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' }).trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const binaries = findCitus();
  if (!binaries) throw new Error('there is no Citus beside the newest PostgreSQL here');
  const { urls, stop } = await startCitus({ binaries });
  process.stdout.write(`${urls.join('\n')}\n`);
  process.on('SIGINT', () => stop().then(() => process.exit()));
  process.on('SIGTERM', () => stop().then(() => process.exit()));
}
