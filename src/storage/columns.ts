// A batch of rows as one parameter per column: each table's columns are listed once, with their type and where the value
// comes from, and both the SQL and the parameters are made of that list.

import { bytes, moments, numbers, texts } from './arrays.ts';

export type Column<T> = readonly [name: string, type: ColumnType, value: (row: T) => unknown];

export type ColumnType = keyof typeof ENCODERS;

const ENCODERS = {
  bigint: numbers,
  int: numbers,
  text: texts,
  uuid: texts,
  jsonb: texts,
  boolean: texts,
  bytea: bytes,
  timestamptz: moments,
} as const;

/** `unnest($1::bigint[], …) as name(column, …)`, its parameters beginning at `$first`. */
export function unnest<T>(name: string, columns: readonly Column<T>[], first = 1): string {
  const parameters = columns.map(([, type], index) => `$${first + index}::${type}[]`).join(', ');
  return `unnest(${parameters}) as ${name}(${names(columns)})`;
}

export function names<T>(columns: readonly Column<T>[], prefix = ''): string {
  return columns.map(([name]) => prefix + name).join(', ');
}

/** The parameters of an `unnest`, one array literal per column. */
export function columnValues<T>(columns: readonly Column<T>[], rows: readonly T[]): string[] {
  return columns.map(([, type, value]) => (ENCODERS[type] as (values: readonly unknown[]) => string)(rows.map(value)));
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
