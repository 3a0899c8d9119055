// Databases on a cluster of Citus: the one that TENDER_TEST_CITUS_URL names by its coordinator, or one of this run's
// own. Where there is neither, the tests of this folder are not collected (vitest.config.ts).

import { randomUUID } from 'node:crypto';
import { joinServers } from '../../scripts/citus.mjs';
import { onServer } from '../../scripts/postgres.mjs';

export const coordinatorUrl = process.env.TENDER_TEST_CITUS_URL ?? process.env.TENDER_TEST_OWN_CITUS ?? '';

/** Any number that nobody else locks there. */
const JOINING = 20_260_001;

/** Only what hangs takes so long to end. */
const HANGING_MS = 60_000;

export type ClusterDatabase = {
  /** Of the same database by way of each server, the coordinator first. */
  readonly urls: readonly string[];
  drop(): Promise<void>;
};

type ClusterDatabaseOptions = {
  /** The name of a database that nobody needs open any more: the new one is as it is, on every server. */
  readonly copyOf?: string | undefined;
};

/** A database on every server, which are a cluster in it: an empty one, or a copy. */
export async function newClusterDatabase({ copyOf }: ClusterDatabaseOptions = {}): Promise<ClusterDatabase> {
  const name = `tender_test_${randomUUID().replaceAll('-', '')}`;
  const servers = await serverUrls();
  const onEach = (sql: string) => onServers(servers, sql);
  if (copyOf !== undefined) await leaveAlone(copyOf);
  await onEach(`create database ${name}${copyOf === undefined ? '' : ` template ${copyOf}`}`);
  const urls = servers.map((url) => Object.assign(new URL(url), { pathname: `/${name}` }).href);
  if (copyOf === undefined) await oneByOne(() => joinServers(urls));
  return { urls, drop: () => onEach(`drop database ${name} with (force)`) };
}

export async function dropClusterDatabase(name: string): Promise<void> {
  await onServers(await serverUrls(), `drop database ${name} with (force)`);
}

/**
 * Whoever joins tells each server again what the superuser may, and roles are not of a database but of the server: of
 * two that do so at once one finds the "tuple concurrently updated", and the other end of the connection tells of
 * nothing but a "failure on connection marked as essential". The end of the connection gives the lock back.
 */
async function oneByOne(join: () => Promise<void>): Promise<void> {
  await onServer(coordinatorUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [JOINING]);
    await join();
  });
}

/**
 * Citus has processes in every database that somebody had open, and such a database cannot be copied. Nothing is done
 * where there are none: many copy the same at once.
 */
export async function leaveAlone(name: string): Promise<void> {
  const servers = await serverUrls();
  const inIt = `from pg_stat_activity where datname = '${name}'`;
  const each = await Promise.all(servers.map((url) => rowsAt(url, `select pid ${inIt}`)));
  if (each.flat().length === 0) return;
  // Otherwise the processes of one server would come back to ask another.
  await onServers(servers, `alter database ${name} with allow_connections false`);
  await onServers(servers, `select pg_terminate_backend(pid, ${HANGING_MS}) ${inIt}`);
}

async function onServers(servers: readonly string[], sql: string): Promise<void> {
  await Promise.all(servers.map((url) => onServer(url, (client) => client.query(sql))));
}

/** The rows of one statement, asked at this address by plain SQL. */
export function rowsAt(url: string, sql: string): Promise<Record<string, unknown>[]> {
  return onServer(url, async (client) => (await client.query(sql)).rows);
}

async function serverUrls(): Promise<string[]> {
  const nodes = await rowsAt(
    coordinatorUrl,
    "select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid",
  );
  return nodes.map(({ host, port }) => {
    return Object.assign(new URL(coordinatorUrl), { hostname: String(host), port: String(port) }).href;
  });
}
