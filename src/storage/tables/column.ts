// A column of a table, or a computed one: its SQL, its kind, and whether it may be null. Null is undefined in a row.

import {
  bigintKind,
  bigintsKind,
  booleanKind,
  byteaKind,
  hexKind,
  idKind,
  intKind,
  jsonbKind,
  jsonKind,
  jsonTextKind,
  type Kind,
  momentKind,
  realKind,
  textsKind,
  uuidKind,
  wordKind,
} from './kinds.ts';

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
  id: plain(idKind),
  bigint: plain(bigintKind),
  bigints: plain(bigintsKind),
  int: plain(intKind),
  real: plain(realKind),
  text: narrowed(wordKind),
  texts: plain(textsKind),
  uuid: plain(uuidKind),
  boolean: plain(booleanKind),
  bytea: plain(byteaKind),
  hex: plain(hexKind),
  moment: plain(momentKind),
  json: narrowed(jsonKind),
  jsonb: narrowed(jsonbKind),
  /** What is read has this type; what is written is its text. */
  jsonText: <T = unknown>(sql: string): TypedColumn<NoInfer<T>, string> =>
    new TypedColumn(sql, jsonTextKind as Kind<NoInfer<T>, string>),
} as const;
