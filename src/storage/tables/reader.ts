// Makes of a list of columns the function that reads a row: one literal with every column in its place, written once as
// code, because a row of orders costs a third of what it costs to go through a list of columns for each of them.

import type { RowReader } from '../database.ts';
import { TypedColumn } from './column.ts';
import type { ColumnPart, ColumnsOf } from './columns.ts';
import { identifier } from './generated.ts';

/** Reads rows as PostgreSQL answers them: the texts of its columns, in their order. */
export function rowReader<R>(columns: ColumnsOf<R>): RowReader<R> {
  let next = 0;
  return { width: columns.length, read: compile<R>(columns, 'parse', () => `[${next++}]`) };
}

/** Reads a row that was selected into JSON, where its columns have their names. */
export function jsonReader<R>(columns: ColumnsOf<R>): (row: unknown) => R {
  return compile<R>(columns, 'fromJson', ({ sql }) => `.${identifier(sql)}`);
}

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
