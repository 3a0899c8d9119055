// What a cluster of Citus says about itself: its servers, and how each table of ours lies on them.

import { grouped } from '../../domain/grouped.ts';
import type { Session } from '../database.ts';
import { COLUMNS, column, type RowOf, statement } from '../tables/index.ts';
import { listTables } from '../transfer/catalogue.ts';

/** What tells the rows of one server from those of another. */
export const SHARD_COLUMN = 'shard';

/** Whole on one server that knows of no other, whole on one server of the cluster, whole on each, or spread. */
export type Lying = 'alone' | 'local' | 'reference' | 'distributed';

const server = {
  place: column.text("nodename || ':' || nodeport"),
  isCoordinator: column.boolean('groupid = 0'),
  isHere: column.boolean('groupid = (select groupid from pg_dist_local_group)'),
  isActive: column.boolean('isactive'),
  /** Whether it can be asked like the coordinator. */
  isSynced: column.boolean('hasmetadata and metadatasynced'),
  holdsRows: column.boolean('shouldhaveshards'),
};

const part = {
  table: column.text('table_name::text'),
  place: column.text("nodename || ':' || nodeport"),
  count: column.int('count(*)::int'),
};

const statements = {
  extension: statement('cluster-extension', {
    isOffered: column.boolean("exists (select from pg_available_extensions where name = 'citus')"),
    version: column.text("(select extversion from pg_extension where extname = 'citus')").optional(),
  })`select ${COLUMNS}`,
  servers: statement('cluster-servers', server)`
    select ${COLUMNS} from pg_dist_node where noderole = 'primary' order by groupid`,
  tables: statement('cluster-tables', {
    name: column.text('c.relname::text'),
    method: column.text<'n' | 'h'>('p.partmethod::text').optional(),
    replication: column.text<'s' | 't'>('p.repmodel::text').optional(),
    spreadBy: column.text('column_to_column_name(p.logicalrelid, p.partkey)').optional(),
    group: column.int('p.colocationid').optional(),
    rests: column.texts(`array(
      select l.relname::text from (select c.oid union select relid from pg_partition_tree(c.oid)) p (oid)
      join pg_class l using (oid) where pg_relation_size(l.oid) > 0 order by 1)`),
  })`
    select ${COLUMNS} from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  parts: statement('cluster-parts', part)`
    select ${COLUMNS} from citus_shards s join pg_class c on c.oid = s.table_name
    where c.relnamespace = current_schema()::regnamespace group by 1, 2 order by 1, 2`,
};

export type ClusterServer = RowOf<typeof server>;

export type ClusterTable = {
  readonly name: string;
  /** Whether its rows have a shard, by which they are to be spread. */
  readonly isSharded: boolean;
  readonly lies: Lying;
  readonly spreadBy: string | undefined;
  /** Tables of one group have the same shards on the same servers. */
  readonly group: number | undefined;
  /** What still has rows that were copied to the cluster, unseen: the table itself, or partitions of it. */
  readonly rests: readonly string[];
  readonly parts: readonly { readonly place: string; readonly count: number }[];
};

export type Cluster = {
  readonly version: string;
  readonly servers: readonly ClusterServer[];
  /** Each after those it refers to. */
  readonly tables: readonly ClusterTable[];
};

/** Whether the server has Citus at all, and in which version this database has it. */
export async function readExtension(session: Session) {
  const [extension] = await session.query(statements.extension);
  return extension ?? { isOffered: false, version: undefined };
}

/** Undefined where the database has no Citus. */
export async function readCluster(session: Session): Promise<Cluster | undefined> {
  const { version } = await readExtension(session);
  if (version === undefined) return undefined;
  const servers = await session.query(statements.servers);
  const known = new Map((await session.query(statements.tables)).map((table) => [table.name, table]));
  const parts = grouped(await session.query(statements.parts), ({ table }) => table);
  const tables = (await listTables(session)).map(({ name, columns }): ClusterTable => {
    const { method, replication, spreadBy, group, rests = [] } = known.get(name) ?? {};
    const lies = lyingOf(method, replication);
    const isSharded = columns.some((one) => one.name === SHARD_COLUMN);
    const left = lies === 'alone' ? [] : rests;
    return { name, isSharded, lies, spreadBy, group, rests: left, parts: parts.get(name) ?? [] };
  });
  return { version, servers, tables };
}

function lyingOf(method: 'n' | 'h' | undefined, replication: 's' | 't' | undefined): Lying {
  if (method === undefined) return 'alone';
  if (method === 'h') return 'distributed';
  return replication === 't' ? 'reference' : 'local';
}

/** Whether the tables of the cluster are changed by way of another server than this one. */
export const isElsewhere = ({ servers }: Pick<Cluster, 'servers'>): boolean =>
  servers.some(({ isHere, isCoordinator }) => isHere && !isCoordinator);

/** Whether rows are spread already. */
export const isDistributed = ({ tables }: Cluster): boolean => tables.some(({ lies }) => lies === 'distributed');
