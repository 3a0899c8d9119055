// Moves what lies together with a shard to another server of the cluster while the gateway works: Citus copies it by
// logical replication, and holds writes back only for the moment in which it changes over.

import type { Database } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';
import { quoted } from '../transfer/catalogue.ts';
import { type Cluster, isDistributed } from './cluster.ts';

const placement = {
  part: column.id('p.shardid'),
  host: column.text('n.nodename'),
  port: column.int('n.nodeport'),
};

const PLACE_OF_SHARD = statement('cluster-place-of-shard', placement)`
  select ${COLUMNS} from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
  where p.shardid = get_shard_id_for_distribution_column($1::text::regclass, $2::smallint)`;

export type ShardMove = { readonly shard: number; readonly to: string };

/** Why this cannot be moved, each in words. */
export function moveFaults(cluster: Cluster, { to }: Pick<ShardMove, 'to'>): string[] {
  const target = cluster.servers.find(({ place }) => place === to);
  const others = cluster.servers.map(({ place }) => place).join(', ');
  return [
    ...(isDistributed(cluster) ? [] : ['the tables are not distributed: "tender database distribute" does so']),
    ...(target === undefined ? [`${to} is no server of the cluster: they are ${others}`] : []),
    ...(target && !(target.isActive && target.holdsRows) ? [`${to} is not active, or may hold no rows`] : []),
  ];
}

/** Resolves with the server it was on. Nothing is done where it lies there already. */
export async function moveShard(database: Database, cluster: Cluster, { shard, to }: ShardMove): Promise<string> {
  const table = cluster.tables.find(({ lies }) => lies === 'distributed')?.name ?? '';
  const [now] = await database.query(PLACE_OF_SHARD, [quoted(table), shard]);
  if (now === undefined) throw new Error(`shard ${shard} lies nowhere`);
  const from = `${now.host}:${now.port}`;
  if (from === to) return from;
  // The addresses are those of the cluster's own list.
  const [target, source] = [to, from].map(placeArguments);
  await database.script(`select citus_move_shard_placement(${now.part}, ${source}, ${target}, 'force_logical')`);
  return from;
}

function placeArguments(place: string): string {
  const end = place.lastIndexOf(':');
  return `'${place.slice(0, end).replaceAll("'", "''")}', ${Number(place.slice(end + 1))}`;
}
