// Statements that know their rows: the columns they answer with stand in their text as the list they are read by.

import type { Row, Statement } from '../database.ts';
import { TypedColumn } from './column.ts';
import { type ColumnParts, Columns, type ColumnsOf, type RowOf } from './columns.ts';
import { jsonReader, rowReader } from './reader.ts';

/** A piece of a statement's text. A function makes its piece of the list of columns the statement answers with. */
type Piece = string | number | ((columns: string) => string);
type Text<R> = (texts: readonly string[], ...pieces: readonly Piece[]) => Statement<R>;

/** The list itself, behind `select` or `returning`. */
export const COLUMNS = (columns: string): string => columns;

/** The text follows as a template. Without columns, rows hold what the database calls their columns. */
export function statement<R = Row>(name: string): Text<R>;
export function statement<R>(name: string, columns: ColumnsOf<R>): Text<R>;
export function statement<P extends ColumnParts>(name: string, columns: P): Text<RowOf<P>>;
export function statement(name: string, columns?: ColumnsOf<unknown> | ColumnParts): Text<unknown> {
  const answered = columns === undefined || columns instanceof Columns ? columns : new Columns(columns);
  const list = answered?.names() ?? '';
  return (texts, ...pieces) => {
    const said = pieces.map((piece) => (typeof piece === 'function' ? piece(list) : piece));
    const text = String.raw({ raw: texts }, ...said);
    return answered ? { name, text, rows: rowReader(answered) } : { name, text };
  };
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
