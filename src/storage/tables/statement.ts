// Statements that know what their rows are: the columns they answer with stand in their text once, as the list they are read by.

import type { Statement } from '../database.ts';
import { TypedColumn } from './column.ts';
import { Columns, type ColumnsOf, type Parts, type RowOf } from './columns.ts';
import type { Kind } from './kinds.ts';
import { jsonReader, rowReader } from './reader.ts';

/** `text` puts the list behind `select` or `returning`. */
export function statement<R>(name: string, columns: ColumnsOf<R>, text: (list: string) => string): Statement<R>;
export function statement<P extends Parts>(
  name: string,
  columns: P,
  text: (list: string) => string,
): Statement<RowOf<P>>;
export function statement(
  name: string,
  columns: ColumnsOf<unknown> | Parts,
  text: (list: string) => string,
): Statement<unknown> {
  const answered = columns instanceof Columns ? columns : new Columns(columns);
  return { name, text: text(answered.names()), rows: rowReader(answered) };
}

/** The rows of another table as one column: `from` goes on from their list to the order they are wanted in. */
export function rowsInJson<R>(columns: ColumnsOf<R>, from: string, order: string): TypedColumn<readonly R[]> {
  const read = jsonReader(columns);
  const kind: Kind<readonly R[], never> = {
    type: 'json',
    parse: (text) => (JSON.parse(text) as unknown[]).map(read),
    fromJson: undefined,
  };
  const sql = `(select coalesce(json_agg(x order by ${order}), '[]') from (select ${columns.inJson()} ${from}) x)`;
  return new TypedColumn(sql, kind as Kind<readonly R[], readonly R[]>);
}
