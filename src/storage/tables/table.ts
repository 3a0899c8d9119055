// A table: its name, its columns, and its key. Each is listed once, beside the statements about it.

import { type ColumnParts, Columns } from './columns.ts';

export class TypedTable<P extends ColumnParts, K extends keyof P> extends Columns<P> {
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: Columns<Pick<P, K>>;

  constructor(name: string, key: readonly K[], parts: P) {
    super(parts);
    this.name = name;
    this.key = this.pick(...key);
  }

  /** Inserts a row of these columns, of all of them unless told. */
  insert(columns: { names(): string; parameters(): string } = this): string {
    return `insert into ${this.name} (${columns.names()}) values (${columns.parameters()})`;
  }
}

export function table<P extends ColumnParts, K extends keyof P>(
  name: string,
  key: readonly K[],
  parts: P,
): TypedTable<P, K> {
  return new TypedTable(name, key, parts);
}
