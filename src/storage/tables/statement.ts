// Statements that know what their rows are: the columns they answer with stand in their text once, as the list they are
// read by.

import type { Statement } from '../database.ts';
import { TypedColumn } from './column.ts';
import { type ColumnParts, Columns, type ColumnsOf, type RowOf } from './columns.ts';
import { jsonReader, rowReader } from './reader.ts';

/** `text` puts the list behind `select` or `returning`. */
export function statement<R>(name: string, columns: ColumnsOf<R>, text: (list: string) => string): Statement<R>;
export function statement<P extends ColumnParts>(
  name: string,
  columns: P,
  text: (list: string) => string,
): Statement<RowOf<P>>;
export function statement(
  name: string,
  columns: ColumnsOf<unknown> | ColumnParts,
  text: (list: string) => string,
): Statement<unknown> {
  const answered = columns instanceof Columns ? columns : new Columns(columns);
  return { name, text: text(answered.names()), rows: rowReader(answered) };
}

/** The rows of another table as one column, in this order; `from` says which. Each is called `x`. */
export function rowsInJson<R>(columns: ColumnsOf<R>, from: string, order: string): TypedColumn<readonly R[]> {
  const read = jsonReader(columns);
  const sql = `(select coalesce(json_agg(x order by ${order}), '[]') from (select ${columns.inJson()} ${from}) x)`;
  return jsonColumn<readonly R[]>(sql, (text) => (JSON.parse(text) as unknown[]).map(read));
}

/** One row of another table as one column, null where `from` finds none. */
export function rowInJson<R>(columns: ColumnsOf<R>, from: string): TypedColumn<R | undefined> {
  const read = jsonReader(columns);
  const sql = `(select to_json(x) from (select ${columns.inJson()} ${from}) x)`;
  return jsonColumn<R>(sql, (text) => read(JSON.parse(text))).optional();
}

function jsonColumn<T>(sql: string, parse: (text: string) => T): TypedColumn<T> {
  return new TypedColumn<T>(sql, { type: 'json', parse, fromJson: undefined });
}
