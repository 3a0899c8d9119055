// A list of columns, which gives all that SQL and code need of them: names, parameters, batches, and what a row is read
// into. Columns that make one value are a list within the list.

import type { Column as BatchColumn } from '../wire/columns.ts';
import { TypedColumn } from './column.ts';

/** Whatever its columns are, a row of them is read into this. */
// biome-ignore lint/suspicious/noExplicitAny: each column keeps its own type
export type ColumnsOf<R> = Columns<any, R, any>;
// biome-ignore lint/suspicious/noExplicitAny: each column keeps its own type
export type ColumnPart = TypedColumn<any, any> | ColumnsOf<any>;
export type ColumnParts = Readonly<Record<string, ColumnPart>>;

// biome-ignore lint/suspicious/noExplicitAny: what is not inferred does not matter
type ReadOf<P> = P extends TypedColumn<infer R, any> ? R : P extends Columns<any, infer R, any> ? R : never;
// biome-ignore lint/suspicious/noExplicitAny: what is not inferred does not matter
type WrittenOf<P> = P extends TypedColumn<any, infer W> ? W : P extends Columns<any, any, infer W> ? W : never;

/** A row as it is read. */
export type RowOf<P> = { readonly [K in keyof P]: ReadOf<P[K]> };
/** A row as it is written. */
export type GivenOf<P> = { readonly [K in keyof P]: WrittenOf<P[K]> };

/** How the value of several columns is made of them, and taken apart again. */
export type Conversion = {
  readonly make: (row: never) => unknown;
  readonly take?: ((value: never) => unknown) | undefined;
};

/** A single column of the list, and where its value is found in a row. */
type Leaf = { readonly column: TypedColumn<unknown, unknown>; readonly valueIn: (row: unknown) => unknown };

export class Columns<P extends ColumnParts, R = RowOf<P>, W = GivenOf<P>> {
  readonly parts: P;
  readonly isOptional: boolean;
  readonly conversion: Conversion | undefined;
  readonly #leaves: readonly Leaf[];

  constructor(
    parts: P,
    { isOptional = false, conversion }: { isOptional?: boolean; conversion?: Conversion | undefined } = {},
  ) {
    this.parts = parts;
    this.isOptional = isOptional;
    this.conversion = conversion;
    this.#leaves = leavesOf(parts, conversion);
  }

  pick<K extends keyof P>(...keys: readonly K[]): Columns<Pick<P, K>> {
    // Object.fromEntries has lost which names they are.
    return new Columns(Object.fromEntries(keys.map((key) => [key, this.parts[key]])) as unknown as Pick<P, K>);
  }

  without<K extends keyof P>(...keys: readonly K[]): Columns<Omit<P, K>> {
    const kept = Object.entries(this.parts).filter(([key]) => !keys.includes(key as K));
    // Object.fromEntries has lost which names they are.
    return new Columns(Object.fromEntries(kept) as unknown as Omit<P, K>);
  }

  with<More extends ColumnParts>(more: More): Columns<P & More> {
    return new Columns({ ...this.parts, ...more });
  }

  /** The same in a statement that knows their table under this name. */
  of(alias: string): Columns<P, R, W> {
    const parts = Object.entries(this.parts).map(([key, part]) => [key, part.of(alias)]);
    // Object.fromEntries has lost which names they are.
    return new Columns(Object.fromEntries(parts) as P, this);
  }

  /** Undefined when the first of them is null: in a left join, or where several are null together. */
  optional(): Columns<P, R | undefined, W | undefined> {
    return new Columns(this.parts, { isOptional: true, conversion: this.conversion });
  }

  /** Read into a value of another form, and written from it where it is told how. */
  as<T>(make: (row: R) => T): Columns<P, T, undefined>;
  as<T>(make: (row: R) => T, take: (value: T) => W): Columns<P, T, T>;
  as<T>(make: (row: R) => T, take?: (value: T) => W): Columns<P, T, T | undefined> {
    return new Columns(this.parts, { isOptional: this.isOptional, conversion: { make, take } });
  }

  get length(): number {
    return this.#leaves.length;
  }

  names(prefix = ''): string {
    return this.#leaves.map(({ column }) => prefix + column.sql).join(', ');
  }

  /** The type each has in a batch. */
  types(): string[] {
    return this.#leaves.map(({ column }) => column.kind.type);
  }

  /** As they are selected into JSON, for `rowsInJson`. */
  inJson(): string {
    return this.#leaves.map(({ column }) => cast(column.sql, column.kind.castInJson)).join(', ');
  }

  /** As they are taken from an unnested batch into their table. */
  unnested(prefix = ''): string {
    return this.#leaves.map(({ column }) => cast(prefix + column.sql, column.kind.cast)).join(', ');
  }

  /** `$1, $2, …` for each of them. */
  parameters(first = 1): string {
    return this.#leaves.map((_, index) => `$${first + index}`).join(', ');
  }

  /** `name = $1` for each of them, behind `where`, or separated by commas behind `set`. */
  equal(first = 1, separator = ' and '): string {
    return this.#leaves.map(({ column }, index) => `${column.sql} = $${first + index}`).join(separator);
  }

  /** Joins two tables that both have all of them. */
  match(left: string, right: string): string {
    return this.#leaves.map(({ column }) => `${left}.${column.sql} = ${right}.${column.sql}`).join(' and ');
  }

  /** The parameters of a row, in the order of the columns. */
  values(row: W): unknown[] {
    return this.#leaves.map(({ column, valueIn }) => written(column, valueIn(row)));
  }

  /** Some of the columns as a batch of other values, and what each takes from one, in this order. */
  batch<T>(from: { readonly [K in keyof P]?: (value: T) => WrittenOf<P[K]> | undefined }): BatchColumn<T>[] {
    return Object.entries(from).flatMap(([key, take]) => {
      // The keys are those of the parts: Object.entries has lost that.
      const [part, pick] = [this.parts[key] as ColumnPart, take as (value: T) => unknown];
      if (part instanceof TypedColumn) return [batchColumn(part, pick)];
      return part.#leaves.map(({ column, valueIn }) => batchColumn(column, (value: T) => valueIn(pick(value))));
    });
  }

  /** All of them as a batch of rows, or of values that have such rows in them. */
  batchOfRows<T = W>(rowIn?: (value: T) => W): BatchColumn<T>[] {
    return this.#leaves.map(({ column, valueIn }) =>
      batchColumn<T>(column, rowIn ? (value) => valueIn(rowIn(value)) : valueIn),
    );
  }
}

const IDENTIFIER = /^[A-Za-z]\w*$/;

/** Refuses what could be more than a name, where code is made of names. */
export function identifier(name: string): string {
  if (!IDENTIFIER.test(name)) throw new Error(`${name} cannot be the name of a column in a row`);
  return name;
}

/** Each is a function of its own to the engine, which one closure over many names would not be. */
function propertyGetter(key: string): (value: unknown) => unknown {
  // Code that was made here has no type.
  return new Function('value', `return value?.${identifier(key)}`) as (value: unknown) => unknown;
}

function leavesOf(parts: ColumnParts, conversion: Conversion | undefined): Leaf[] {
  const take = conversion?.take as ((value: unknown) => unknown) | undefined;
  return Object.entries(parts).flatMap(([key, part]): Leaf[] => {
    const property = propertyGetter(key);
    const own = take ? (row: unknown) => property(take(row)) : property;
    if (part instanceof TypedColumn) return [{ column: part, valueIn: own }];
    return leavesOf(part.parts, part.conversion).map(({ column, valueIn }) => ({
      column,
      valueIn: (row) => valueIn(own(row)),
    }));
  });
}

function written(column: TypedColumn<unknown, unknown>, value: unknown): unknown {
  return value === undefined || !column.kind.write ? value : column.kind.write(value);
}

function batchColumn<T>(column: TypedColumn<unknown, unknown>, pick: (value: T) => unknown): BatchColumn<T> {
  const { type, write } = column.kind;
  // An array of moments has a form of its own; all other kinds are written into it as they are elsewhere.
  const value = write && type !== 'timestamptz' ? (row: T) => written(column, pick(row)) : pick;
  // The encoder of the type takes what `written` gives, which the types of batches do not say.
  return [column.sql, type, value] as unknown as BatchColumn<T>;
}

function cast(sql: string, type: string | undefined): string {
  return type ? `${sql}::${type}` : sql;
}
