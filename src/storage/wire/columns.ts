// A batch of rows as one parameter per column: each table's columns are listed once, with their type and where the
// value comes from, and both the SQL and the parameters are made of that list.

import { ENCODERS, type Encode } from './binary-arrays.ts';

export type ColumnType = keyof typeof ENCODERS;

/** What a column of this type is made of; undefined stands for null. */
type ValueOf<Type extends ColumnType> = (typeof ENCODERS)[Type] extends Encode<infer T> ? T | undefined : never;

export type Column<T> = {
  [Type in ColumnType]: readonly [name: string, type: Type, value: (row: T) => ValueOf<Type>];
}[ColumnType];

/**
 * The rows of a batch as a table of this name, their parameters beginning at `$first`. Each column is unnested in the
 * select list: behind `from` PostgreSQL writes every one of them into a store of its own first, which costs twice as
 * much per value, and several times as much per statement.
 */
export function unnest<T>(name: string, columns: readonly Column<T>[], first = 1): string {
  const unnested = columns.map(([column, type], index) => `unnest($${first + index}::${type}[]) as ${column}`);
  return `(select ${unnested.join(', ')}) as ${name}`;
}

export function names<T>(columns: readonly Column<T>[], prefix = ''): string {
  return columns.map(([name]) => prefix + name).join(', ');
}

/** The parameters of an `unnest`, one array per column; null for a column that is null in every row. */
export function columnValues<T>(columns: readonly Column<T>[], rows: readonly T[]): (Buffer | null)[] {
  // A column has values of its own type.
  return columns.map(([, type, value]) => (ENCODERS[type] as Encode<unknown>)(rows, value));
}

/** Where the parameters of each set begin when several stand one after the other. */
// biome-ignore lint/suspicious/noExplicitAny: only the lengths matter
export function parameterStarts(...sets: readonly (readonly Column<any>[])[]): number[] {
  let next = 1;
  return sets.map((set) => {
    next += set.length;
    return next - set.length;
  });
}
