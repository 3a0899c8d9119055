// The port to a database: PostgreSQL's dialect over PostgreSQL's protocol, whoever answers at the other end.
// `int8`, `numeric` and `date` columns arrive as text, `timestamptz` as Date, `bytea` as Buffer, `json(b)` parsed.

export type Row = Record<string, unknown>;

/** How a row is read from the texts of its columns, and how many it must have. */
export type RowReader<R> = { readonly width: number; readonly read: (fields: readonly (string | null)[]) => R };

/** A constant SQL text, prepared once per connection under its name. `$1`-style parameters. */
export type Statement<R = Row> = {
  readonly name: string;
  readonly text: string;
  /** Without one, rows hold what their columns are called and the types of the database say. */
  readonly rows?: RowReader<R>;
};

export type Step<R = Row> = {
  readonly statement: Statement<R>;
  readonly values: readonly unknown[];
  /** The same by several statements in a transaction, where this one is not one task of one server of a cluster. */
  readonly apart?: (session: Session) => Promise<R[]>;
};

/** A step of a statement without parameters. */
export const plainStep = <R>(statement: Statement<R>) => ({ statement, values: [] });

/** The rows of each step. */
// biome-ignore lint/suspicious/noExplicitAny: each step keeps its own type
export type Answers<Steps extends readonly Step<any>[]> = {
  [Index in keyof Steps]: Steps[Index] extends Step<infer R> ? R[] : never;
};

export type Session = {
  /** Whether the tables are spread over the servers of a cluster, which refuses many statements about all of them. */
  readonly isCluster?: true;
  query<R = Row>(statement: Statement<R>, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Several statements in one round trip, answered with their rows. On the database itself they are one transaction,
   * all or nothing; inside a transaction they are part of it.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each step keeps its own type
  flight<const Steps extends readonly Step<any>[]>(steps: Steps): Promise<Answers<Steps>>;
  /**
   * Plain SQL without parameters, possibly several statements: for migrations and maintenance. On the database itself
   * it is a transaction of its own; inside a transaction it is part of it.
   */
  script(sql: string): Promise<void>;
};

export type Database = Session & {
  readonly kind: 'pglite' | 'postgres';
  /** A transaction that reads between its writes. `work` may run again after a serialisation failure. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * The embedded database in a folder: a copy of its files as they are at one moment, which opens as after a crash.
   * Nobody else is served meanwhile. A server has ways of its own.
   */
  copyTo?(folder: string): Promise<void>;
  close(): Promise<void>;
};

/** The connection went away while a statement ran: it may or may not have been committed. Ask before repeating. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A statement failed. Carries PostgreSQL's SQLSTATE and constraint, never the statement's values. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly sqlState: string | undefined;
  readonly constraint: string | undefined;

  constructor(message: string, options: { sqlState?: string | undefined; constraint?: string | undefined }) {
    super(message);
    this.sqlState = options.sqlState;
    this.constraint = options.constraint;
  }
}

const UNIQUE_VIOLATION = '23505';

/** Something with this key is there already. */
export function isUniqueViolation(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.sqlState === UNIQUE_VIOLATION;
}

/** What is wrong with the whole database and not with a statement: nobody answers, or its disk is full. */
export type DatabaseOutage = 'away' | 'full';

/** No connection, a broken one, none left, a server that is shutting down or starting, or one that only reads. */
const AWAY = /^(08|57P0[123]|53300|25006)/;
const DISK_FULL = '53100';
const READ_ONLY = '25006';

/** A write was sent to a server, or in a transaction, that only reads: nothing was executed. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === READ_ONLY;
}

export function outageOf(error: unknown): DatabaseOutage | undefined {
  if (error instanceof ConnectionLost) return 'away';
  const state = error instanceof DatabaseError ? (error.sqlState ?? '') : '';
  if (AWAY.test(state)) return 'away';
  return state === DISK_FULL ? 'full' : undefined;
}
