// A column of a table, or a computed one: its SQL, its kind, and whether it may be null. Null is undefined in a row.

import { type Kind, kinds } from './kinds.ts';

const NAME = /^\w+$/;

export class TypedColumn<R, W = R> {
  /** Its name, or the expression that computes it. */
  readonly sql: string;
  readonly kind: Kind<R, W>;
  readonly isOptional: boolean;

  constructor(sql: string, kind: Kind<R, W>, isOptional = false) {
    this.sql = sql;
    this.kind = kind;
    this.isOptional = isOptional;
  }

  /** The same, where it may be null. */
  optional(): TypedColumn<R | undefined, W | undefined> {
    // A value that is absent is never given to the kind.
    return new TypedColumn<R | undefined, W | undefined>(this.sql, this.kind as Kind<R, W | undefined>, true);
  }

  /** The same in a statement that knows its table under this name. */
  of(alias: string): TypedColumn<R, W> {
    return NAME.test(this.sql) ? new TypedColumn(`${alias}.${this.sql}`, this.kind, this.isOptional) : this;
  }
}

// The kinds of words and of JSON say what is kept in them; which words those are the database does not know.
const narrowed =
  <Wide>(kind: Kind<Wide, Wide>) =>
  <T extends Wide = Wide>(sql: string): TypedColumn<NoInfer<T>> =>
    new TypedColumn(sql, kind as unknown as Kind<NoInfer<T>, NoInfer<T>>);

const plain =
  <R, W>(kind: Kind<R, W>) =>
  (sql: string): TypedColumn<R, W> =>
    new TypedColumn(sql, kind);

/** Each takes the column's name, or the expression that computes it. */
export const column = {
  id: plain(kinds.id),
  bigint: plain(kinds.bigint),
  bigints: plain(kinds.bigints),
  int: plain(kinds.int),
  real: plain(kinds.real),
  text: narrowed(kinds.word),
  texts: plain(kinds.texts),
  uuid: plain(kinds.uuid),
  boolean: plain(kinds.boolean),
  bytea: plain(kinds.bytea),
  hex: plain(kinds.hex),
  moment: plain(kinds.moment),
  json: narrowed(kinds.json),
  jsonb: narrowed(kinds.jsonb),
  /** What is read has this type; what is written is its text. */
  jsonText: <T = unknown>(sql: string): TypedColumn<NoInfer<T>, string> =>
    // The type says what was written there, and the text tells nobody.
    new TypedColumn(sql, kinds.jsonText as Kind<NoInfer<T>, string>),
} as const;
