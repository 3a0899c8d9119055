// Databases on a cluster of Citus: the one that TENDER_TEST_CITUS_URL names by its coordinator, or one of this run's
// own. Where there is neither, the tests of this folder are not collected (vitest.config.ts).

import { randomUUID } from 'node:crypto';
import { joinServers } from '../../scripts/citus.mjs';
import { onServer } from '../../scripts/postgres.mjs';

export const coordinatorUrl = process.env.TENDER_TEST_CITUS_URL ?? process.env.TENDER_TEST_OWN_CITUS ?? '';

export type ClusterDatabase = {
  /** Of the same database by way of each server, the coordinator first. */
  readonly urls: readonly string[];
  drop(): Promise<void>;
};

/** An empty database on every server, which are a cluster in it. */
export async function newClusterDatabase(): Promise<ClusterDatabase> {
  const name = `tender_test_${randomUUID().replaceAll('-', '')}`;
  const servers = await serverUrls();
  const onEach = (sql: string) => Promise.all(servers.map((url) => onServer(url, (client) => client.query(sql))));
  await onEach(`create database ${name}`);
  const urls = servers.map((url) => Object.assign(new URL(url), { pathname: `/${name}` }).href);
  await joinServers(urls);
  return { urls, drop: async () => void (await onEach(`drop database ${name} with (force)`)) };
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
