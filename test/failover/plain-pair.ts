// Two servers without a manager: the standby is promoted by whoever runs the test, as an operator would.

import pg from 'pg';
import { type PrivatePostgres, startPostgres } from '../../scripts/postgres.mjs';
import { until } from '../harness.ts';
import type { Belongings } from '../scenarios/tender-process.ts';
import type { FailoverCluster } from './cluster.ts';

const DATABASE = 'tender';
/** A standby calls itself after its cluster, and the primary waits for it by that name. */
const STANDBY = 'standby';

export type PlainPair = Pick<FailoverCluster, 'url'> & {
  readonly primary: PrivatePostgres;
  readonly standby: PrivatePostgres;
  /** Asks one of both. */
  ask(server: PrivatePostgres, text: string): Promise<Record<string, unknown>[]>;
};

export async function startPlainPair(belongings: Belongings, binaries: string): Promise<PlainPair> {
  const primary = await startPostgres({ binaries });
  belongings.also(() => primary.stop());
  await ask(primary.url, `create database ${DATABASE}`);
  const standby = await startPostgres({ binaries, settings: { cluster_name: STANDBY }, standbyOf: primary.url });
  belongings.also(() => standby.stop());
  // The standby begins without this setting: once it is promoted it waits for nobody.
  await ask(primary.url, `alter system set synchronous_standby_names = '${STANDBY}'`);
  await ask(primary.url, 'select pg_reload_conf()');
  await until('commits wait for the standby', async () => {
    const rows = await ask(primary.url, "select from pg_stat_replication where sync_state = 'sync'");
    return rows.length === 1;
  });
  const [first, second] = [primary, standby].map(({ url }) => new URL(url).host);
  // The standby is named first: whoever takes the first that answers fails at once.
  const url = `postgres://postgres@${second},${first}/${DATABASE}`;
  return { url, primary, standby, ask: (server, text) => ask(inDatabase(server.url), text) };
}

const inDatabase = (url: string) => Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
