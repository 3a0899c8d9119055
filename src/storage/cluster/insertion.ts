// Rows of a batch that are inserted as they come, in two forms made of one description. A single server takes the whole
// batch as one array per column. A cluster would pull what is selected through the server that is asked; to it rows are
// given as values, taken out of the same arrays, which is one task of one server.

import type { Session, Statement, Step } from '../database.ts';
import { Columns, type ColumnsOf } from '../tables/columns.ts';
import { shardOfBatch, shardOfId } from '../tables/shard.ts';
import { COLUMNS, statement } from '../tables/statement.ts';
import { type Column, columnValues, unnest } from '../wire/columns.ts';

/** So many rows, or the next smaller power of two, are inserted by one statement: each number has a text of its own. */
const MOST_ROWS = 64;

export type InsertionOptions<T, R> = {
  readonly into: string;
  /** The columns of the table, apart from the shard. */
  readonly names: string;
  readonly batch: readonly Column<T>[];
  /** What goes into them, of a row `r` of the batch. */
  readonly values: string;
  /** Which parameter has the merchants, all of one shard. */
  readonly merchants?: string;
  /** The shard of a row, where it is not that of the merchants. */
  readonly shard?: string;
  /** What stands behind the rows: the conflicts that are expected. */
  readonly conflict?: string;
  readonly answers?: ColumnsOf<R>;
};

export type Insertion<T, R> = {
  readonly batch: readonly Column<T>[];
  /** Of the batch, or of rows `r` from elsewhere; what narrows them, or follows, is to be written behind it. */
  text(from?: string): string;
  /** The whole batch, as it is written on a cluster. */
  apart(rows: readonly T[]): Step<R>[];
};

export function insertion<T, R = never>(name: string, options: InsertionOptions<T, R>): Insertion<T, R> {
  const { into, names, batch, merchants = '$1', conflict = '', answers } = options;
  const ofBatch = `${options.shard ?? shardOfBatch(merchants)}, ${options.values}`;
  const apartValues = `${options.shard ?? shardOfId('r.merchant_id')}, ${options.values}`;
  // The server has to know the type of every parameter.
  const used = batch.filter(([column]) => new RegExp(`\\br\\.${column}\\b`).test(apartValues));
  const head = `insert into ${into} (shard, ${names})`;
  const texts = new Map<number, Statement<R>>();

  const ofRow = (row: number) =>
    apartValues.replace(/\br\.(\w+)/g, (_, column: string) => {
      const index = used.findIndex(([one]) => one === column);
      const [, type] = used[index] ?? [];
      if (type === undefined) throw new Error(`${name} has no column ${column}`);
      return `($${index + 1}::${type}[])[${row}]`;
    });

  const statementOf = (count: number): Statement<R> => {
    const known = texts.get(count);
    if (known) return known;
    const rows = Array.from({ length: count }, (_, index) => `(${ofRow(index + 1)})`);
    const text = `${head} values ${rows.join(', ')} ${conflict}`;
    // Without answers there are no rows to read.
    const made = (
      answers
        ? statement(`${name}-apart-${count}`, answers)`${text} returning ${COLUMNS}`
        : statement(`${name}-apart-${count}`, new Columns({}))`${text}`
    ) as Statement<R>;
    texts.set(count, made);
    return made;
  };

  // Known from the beginning, as every other statement is.
  for (const count of [1, 2]) statementOf(count);
  return {
    batch,
    text: (from = unnest('r', batch)) => `${head}
      select ${ofBatch}
      from ${from}`,
    apart: (rows) =>
      chunks(rows).map((chunk) => ({ statement: statementOf(chunk.length), values: columnValues(used, chunk) })),
  };
}

/** Does steps that depend on nothing of each other, and answers the rows of all. */
export async function doAll<R>(session: Session, steps: readonly Step<R>[]): Promise<R[]> {
  if (steps.length === 0) return [];
  // All steps answer the same rows.
  return (await session.flight(steps)).flat() as R[];
}

/** A step of this statement whose batch is nothing but these rows. */
export function insertedStep<T, R>(
  statement: Statement<R>,
  { batch, apart }: Insertion<T, R>,
  rows: readonly T[],
): Step<R> {
  return { statement, values: columnValues(batch, rows), apart: (session) => doAll(session, apart(rows)) };
}

function chunks<T>(rows: readonly T[]): (readonly T[])[] {
  const all: (readonly T[])[] = [];
  for (let from = 0; from < rows.length; ) {
    const size = Math.min(MOST_ROWS, 2 ** Math.floor(Math.log2(rows.length - from)));
    all.push(rows.slice(from, from + size));
    from += size;
  }
  return all;
}
