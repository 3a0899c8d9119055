// Statements that know their rows: the columns they answer with stand in their text as the list they are read by.

import type { Row, RowReader, Statement } from '../database.ts';
import { TypedColumn } from './column.ts';
import { type ColumnPart, type ColumnParts, Columns, type ColumnsOf, identifier, type RowOf } from './columns.ts';

/** A piece of a statement's text. A function makes its piece of the list of columns the statement answers with. */
type Piece = string | number | ((columns: string) => string);
type Text<R> = (texts: readonly string[], ...pieces: readonly Piece[]) => Statement<R>;

/** The list itself, behind `select` or `returning`. */
export const COLUMNS = (columns: string): string => columns;

/** A statement with the types of the columns it answers with, as far as it lists them. */
export type KnownStatement = { readonly statement: Statement<unknown>; readonly answers: readonly string[] };

const known = new Map<string, KnownStatement>();

/** Every statement of the modules that were read. */
export const knownStatements = (): KnownStatement[] => [...known.values()];

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
    const made = answered ? { name, text, rows: rowReader(answered) } : { name, text };
    known.set(name, { statement: made, answers: answered?.types() ?? [] });
    return made;
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

/** Reads rows as PostgreSQL answers them: the texts of its columns, in their order. */
export function rowReader<R>(columns: ColumnsOf<R>): RowReader<R> {
  let next = 0;
  return { width: columns.length, read: compile<R>(columns, 'parse', () => `[${next++}]`) };
}

/** Reads a row that was selected into JSON, where its columns have their names. */
export function jsonReader<R>(columns: ColumnsOf<R>): (row: unknown) => R {
  return compile<R>(columns, 'fromJson', ({ sql }) => `.${identifier(sql)}`);
}

// A reader is one literal with every column in its place, written once as code: going through a list of columns for
// each row of orders costs three times as much.

type From = 'parse' | 'fromJson';
type Place = (column: TypedColumn<unknown>) => string;

function compile<R>(columns: ColumnsOf<R>, from: From, place: Place): (source: unknown) => R {
  const used: unknown[] = [missing];
  const codeOf = (part: ColumnPart): { code: string; first: string } => {
    if (part instanceof TypedColumn) {
      const value = `source${place(part)}`;
      const read = part.kind[from];
      const code = read ? `used${used.push(read) - 1}(${value})` : value;
      const none = part.isOptional ? 'undefined' : `used0(${JSON.stringify(part.sql)})`;
      return { code: `(${value} == null ? ${none} : ${code})`, first: value };
    }
    const fields = Object.entries<ColumnPart>(part.parts).map(
      ([key, inner]) => [identifier(key), codeOf(inner)] as const,
    );
    const first = fields[0]?.[1].first ?? 'null';
    const literal = `{ ${fields.map(([key, { code }]) => `${key}: ${code}`).join(', ')} }`;
    const code = part.conversion ? `used${used.push(part.conversion.make) - 1}(${literal})` : `(${literal})`;
    return { code: part.isOptional ? `(${first} == null ? undefined : ${code})` : code, first };
  };
  const { code } = codeOf(columns);
  return new Function(...used.map((_, index) => `used${index}`), `return (source) => ${code}`)(...used);
}

function missing(sql: string): never {
  throw new Error(`${sql} is null, and may not be`);
}
