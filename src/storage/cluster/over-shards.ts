// What is asked of all shards at once, for people and for checks. One server answers such a statement as it is. Citus
// refuses most of them, so a cluster is asked for one shard after the other: that is one task of one server each.

import type { Session, Statement } from '../database.ts';
import { column } from '../tables/column.ts';
import { shardedTables } from '../tables/owners.ts';
import { COLUMNS, statement } from '../tables/statement.ts';

const NAMED = new RegExp(`\\b(from|join)\\s+(${shardedTables.join('|')})\\b(?:\\s+(?:as\\s+)?(\\w+))?`, 'gi');
/** What may stand behind a table that is called by its own name. */
const KEYWORDS = /^(where|on|join|left|right|full|inner|cross|order|group|having|limit|for|union|using|returning)$/i;

const shards = statement('cluster-shards', { shard: column.int('shard') })`
  select ${COLUMNS} from (select distinct (merchant_id >> 32)::int as shard from merchants union select 0) s order by 1`;

/** Every shard that may have rows: those of merchants, and the first, where requests of strangers are. */
export const listShards = async (session: Session): Promise<number[]> =>
  (await session.query(shards)).map(({ shard }) => shard);

const made = new Map<string, Statement<unknown>>();

/** The same statement about the rows of one shard. */
export function ofShard<R>(whole: Statement<R>, shard: number): Statement<R> {
  const name = `${whole.name}-of-${shard}`;
  const known = made.get(name);
  if (known) return known as Statement<R>;
  const text = whole.text.replace(NAMED, (found, how: string, table: string, alias: string | undefined) => {
    const rows = `${how} (select * from ${table} where shard = ${shard})`;
    if (alias === undefined) return `${rows} ${table}`;
    return KEYWORDS.test(alias)
      ? `${rows} ${table}${found.slice(found.indexOf(table) + table.length)}`
      : `${rows} ${alias}`;
  });
  const one = { ...whole, name, text };
  made.set(name, one);
  return one;
}

/** Names no table that is spread. */
const isOfEveryone = (whole: Statement<unknown>) => ofShard(whole, 0).text === whole.text;

export type OverShardsOptions = {
  /** With so many rows, or more, no further shard is asked. */
  readonly enough?: number;
};

/** The rows of the statement; on a cluster those of one shard behind those of the other. */
export async function overShards<R>(
  session: Session,
  whole: Statement<R>,
  values: readonly unknown[] = [],
  { enough = Number.POSITIVE_INFINITY }: OverShardsOptions = {},
): Promise<R[]> {
  if (!session.isCluster || isOfEveryone(whole)) return session.query(whole, values);
  const rows: R[] = [];
  for (const shard of await listShards(session)) {
    rows.push(...(await session.query(ofShard(whole, shard), values)));
    if (rows.length >= enough) break;
  }
  return rows;
}
