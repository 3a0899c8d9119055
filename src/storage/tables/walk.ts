// Lists that are found by walking along an index, however many rows there are. A walk looks at so many rows of each
// merchant and tells which of them fit. What lies behind the newest place where a merchant's rows were cut off is left
// for the next walk, because rows of that merchant may come in between.

import { grouped } from '../../domain/grouped.ts';
import { shardOf } from '../../domain/merchant/shard.ts';
import { present } from '../../domain/present.ts';
import { ofShard } from '../cluster/over-shards.ts';
import type { Database, Statement } from '../database.ts';
import { column } from './column.ts';
import type { ColumnParts, Columns, ColumnsOf, GivenOf, RowOf } from './columns.ts';
import { mergedPages, type WalkedPage } from './merged-pages.ts';
import { COLUMNS, statement } from './statement.ts';

export type { WalkedPage };

/** Rows looked at in the first statement, each next has twice as many, and in any; and the least of each merchant. */
const FIRST_ROUND = 500;
const LONGEST_ROUND = 4_000;
const LEAST = 20;
/** After so many rows it is for the asker to go on: those of four rounds, a fifth of a second on a busy machine. */
const MOST_LOOKED = 7_500;

type Looked<K, R> = { readonly looked: number; readonly cut: K | undefined; readonly found: R | undefined };

export type IndexWalk<K, R> = {
  readonly statement: Statement<Looked<K, R>>;
  readonly keyValues: (key: K) => unknown[];
};

type WalkForm<P extends ColumnParts, R> = {
  readonly table: string;
  /** What the list is sorted by. */
  readonly key: Columns<P>;
  /** The rows of the merchant `m` along an index, so many behind a place; other parameters begin at `$first`. */
  readonly rows: (place: { readonly behind: string; readonly limit: string; readonly first: number }) => string;
  /** Whether such a row `x` is looked for; its parameters begin at `$first`. */
  readonly fits: (first: number) => string;
  readonly joined: string;
  /** Of the row `o`. */
  readonly answers: ColumnsOf<R>;
};

/** Its parameters: merchants, the key to begin behind, rows of each merchant, rows to answer, and those of the form. */
export function walk<P extends ColumnParts, R>(name: string, form: WalkForm<P, R>): IndexWalk<RowOf<P>, R> {
  const { key } = form;
  const [window, most] = [`$${key.length + 2}`, `$${key.length + 3}`];
  const first = key.length + 4;
  const newest = (row: string) =>
    key
      .names(`${row}.`)
      .split(', ')
      .map((one) => `${one} desc`)
      .join(', ');
  const text = statement(name, {
    looked: column.int('n.looked'),
    cut: key.of('h').optional(),
    found: form.answers.optional(),
  })`
    with looked as materialized (
      select w.* from unnest($1::bigint[]) as m(merchant_id)
      cross join lateral (
        select x.shard, x.merchant_id, ${key.names('x.')}, row_number() over () as place, (${form.fits(first)}) as fits
        from (${form.rows({ behind: key.parameters(2), limit: window, first })}) x
      ) w
    ), cut as (
      select ${key.names('l.')} from looked l where l.place = ${window} order by ${newest('l')} limit 1
    ), found as (
      select l.* from looked l left join cut h on true
      where l.fits and coalesce((${key.names('l.')}) >= (${key.names('h.')}), true)
      order by ${newest('l')} limit ${most}
    )
    select ${COLUMNS} from (select count(*)::int as looked from looked) n left join cut h on true
    left join (found f join ${form.table} o on ${form.joined}) on true
    order by ${newest('f')}`;
  return {
    // The list of columns is made of parts that the compiler cannot follow.
    statement: text as Statement<Looked<RowOf<P>, R>>,
    // What a key is read into is what it is written from.
    keyValues: (given) => key.values(given as unknown as GivenOf<P>),
  };
}

type WalkQuery<K, R> = {
  readonly merchantIds: readonly number[];
  /** Begins behind it. */
  readonly behind: K;
  readonly limit: number;
  readonly values: readonly unknown[];
  /** Whether rows of the index may not fit. */
  readonly isNarrowed: boolean;
  readonly keyOf: (row: R) => K;
};

/** `next` is set while there may be more, also when little was found among many rows. */
export async function walkOn<K, R>(
  database: Database,
  walked: IndexWalk<K, R>,
  query: WalkQuery<K, R>,
): Promise<WalkedPage<K, R>> {
  if (!database.isCluster) return walkTogether(database, walked, query);
  const pages: WalkedPage<K, R>[] = [];
  for (const [shard, merchantIds] of grouped(query.merchantIds, shardOf)) {
    const statement = ofShard(walked.statement, shard);
    pages.push(await walkTogether(database, { ...walked, statement }, { ...query, merchantIds }));
  }
  return mergedPages(pages, { ...query, ...walked });
}

async function walkTogether<K, R>(
  database: Database,
  { statement, keyValues }: IndexWalk<K, R>,
  { merchantIds, limit, values, isNarrowed, keyOf, ...query }: WalkQuery<K, R>,
): Promise<WalkedPage<K, R>> {
  const found: R[] = [];
  let { behind } = query;
  let active = merchantIds.length;
  for (let looked = 0, round = FIRST_ROUND; ; round = Math.min(LONGEST_ROUND, 2 * round)) {
    const most = isNarrowed ? round : limit + 1;
    const window = Math.min(most, Math.max(LEAST, Math.ceil(round / Math.max(1, active))));
    const asked = [merchantIds, ...keyValues(behind), window, limit + 1 - found.length, ...values];
    const rows = await database.query(statement, asked);
    for (const row of rows) if (row.found !== undefined) found.push(row.found);
    if (found.length > limit) return { found: found.slice(0, limit), next: keyOf(present(found[limit - 1])) };
    const cut = rows[0]?.cut;
    if (cut === undefined) return { found, next: undefined };
    const here = rows[0]?.looked ?? 0;
    looked += here;
    if (looked >= MOST_LOOKED) return { found, next: cut };
    behind = cut;
    active = Math.ceil(here / window);
  }
}
