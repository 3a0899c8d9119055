// A table: its name, its columns, and its key. Each is listed once, beside the statements about it.

import type { TypedColumn } from './column.ts';
import { type ColumnParts, Columns } from './columns.ts';
import { TABLE_OWNERS } from './owners.ts';
import { shardOfId } from './shard.ts';

/** The column that tells whose a row is. */
const MERCHANT = 'merchant_id';

export class TypedTable<P extends ColumnParts, K extends keyof P> extends Columns<P> {
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: KeyColumns<Pick<P, K>>;
  readonly #isSharded: boolean;

  constructor(name: string, key: readonly K[], parts: P) {
    super(parts);
    this.name = name;
    this.#isSharded = (TABLE_OWNERS as Readonly<Record<string, string>>)[name] === 'merchant';
    this.key = new KeyColumns(this.pick(...key).parts, this.#isSharded);
  }

  /** Inserts a row of these columns, of all of them unless told. */
  insert(columns: { names(): string; parameters(): string } = this): string {
    const [names, parameters] = [columns.names(), columns.parameters()];
    if (!this.#isSharded) return `insert into ${this.name} (${names}) values (${parameters})`;
    const merchant = parameters.split(', ')[names.split(', ').indexOf(MERCHANT)];
    return `insert into ${this.name} (shard, ${names}) values (${shardOfId(`${merchant}::bigint`)}, ${parameters})`;
  }
}

/** The key of a table. One that begins with the merchant names the shard as well. */
export class KeyColumns<P extends ColumnParts> extends Columns<P> {
  readonly #isSharded: boolean;
  /** Where the merchant's id is among its columns. */
  readonly #merchantAt: number;

  constructor(parts: P, isSharded: boolean) {
    super(parts);
    this.#isSharded = isSharded;
    this.#merchantAt = Object.values(parts).findIndex((part) => (part as TypedColumn<unknown>).sql === MERCHANT);
  }

  /** What is unique together: behind `on conflict`, or as the list of a claim. */
  whole(prefix = ''): string {
    return this.#isSharded ? `${this.names(prefix)}, ${prefix}shard` : this.names(prefix);
  }

  override equal(first = 1, separator = ' and '): string {
    const equal = super.equal(first, separator);
    if (!this.#isSharded || this.#merchantAt < 0) return equal;
    return `shard = ${shardOfId(`$${first + this.#merchantAt}::bigint`)}${separator}${equal}`;
  }

  /** Joins two tables. Rows of a batch have no shard: see `among`. */
  override match(left: string, right: string): string {
    return this.#isSharded ? this.among(left, right, `${right}.shard`) : super.match(left, right);
  }

  /** Joins the table with rows of a batch, which are all of this shard. */
  among(table: string, rows: string, shard: string): string {
    return `${table}.shard = ${shard} and ${super.match(table, rows)}`;
  }
}

export function table<P extends ColumnParts, K extends keyof P>(
  name: string,
  key: readonly K[],
  parts: P,
): TypedTable<P, K> {
  return new TypedTable(name, key, parts);
}
