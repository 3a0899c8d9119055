// Statements that travel together: all are sent at once and answered at once, with a single Sync behind them. Outside
// a transaction PostgreSQL makes that one implicit transaction: it commits at the Sync, and after a failure it skips
// the rest and keeps nothing. So a flight needs no BEGIN and COMMIT. (Protocol, "Pipelining".)

import pg from 'pg';
import { statementError } from '../connection/database-error.ts';
import type { Row, Statement } from '../database.ts';
import { type Parse, parserOf } from './column-types.ts';
import type { EncodedValue } from './encode-value.ts';
import { flightMessage, type Leg } from './flight-message.ts';

export type Client = pg.PoolClient & { getTransactionStatus(): 'I' | 'T' | 'E' | null };

export type PreparedStep = { readonly statement: Statement<unknown>; readonly values: readonly EncodedValue[] };

/** The columns of a statement's rows; null when it gives none. */
type Shape = { readonly names: readonly string[]; readonly parsers: readonly Parse[] } | null;

type Connection = { readonly stream: { readonly writable: boolean; write(bytes: Buffer): void } };

type RowDescription = { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };
type DataRow = { readonly fields: readonly (string | null)[] };

/**
 * What a connection knows of a statement: its shape once a flight with it has succeeded, 'doubtful' after a failure,
 * when it may or may not exist or may have been made stale by a change of the schema.
 */
const known = new WeakMap<Connection, Map<string, Shape | 'doubtful'>>();

// `pg` accepts only its own queries on a pipelining client.
const Query = pg.Query as unknown as new (config: { text: string }) => { callback: unknown };

export function fly(client: Client, steps: readonly PreparedStep[]): Promise<unknown[][]> {
  if (steps.length === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const landed = (error: Error | null, rows: unknown[][]) =>
      error === null ? resolve(rows) : reject(statementError(error));
    client.query(new Flight(steps, landed) as unknown as pg.Submittable);
  });
}

class Flight extends Query {
  readonly #steps: readonly PreparedStep[];
  readonly #rows: unknown[][] = [];
  readonly #shapes: (Shape | undefined)[];
  #statements: Map<string, Shape | 'doubtful'> = new Map();
  #unreadable: Error | null = null;

  constructor(steps: readonly PreparedStep[], landed: (error: Error | null, rows: unknown[][]) => void) {
    super({ text: '' });
    this.#steps = steps;
    this.#shapes = steps.map(() => undefined);
    this.#rows.push([]);
    this.callback = (error: Error | null) => landed(error, this.#rows.slice(0, steps.length));
  }

  submit(connection: Connection): null {
    this.#statements = known.get(connection) ?? new Map();
    known.set(connection, this.#statements);
    const sent = new Set<string>();
    const legs = this.#steps.map(({ statement: { name, text }, values }, index): Leg => {
      const shape = this.#statements.get(name);
      const isKnown = shape !== undefined && shape !== 'doubtful';
      if (isKnown) this.#shapes[index] = shape;
      const parse = isKnown || sent.has(name) ? undefined : text;
      sent.add(name);
      return { name, values, parse, replaces: shape === 'doubtful', describe: !isKnown };
    });
    if (connection.stream.writable) connection.stream.write(flightMessage(legs));
    return null;
  }

  handleRowDescription({ fields }: RowDescription): void {
    const names = fields.map((field) => field.name);
    this.#shapes[this.#rows.length - 1] = { names, parsers: fields.map((field) => parserOf(field.dataTypeID)) };
  }

  // What is thrown here would land in the socket's handler and end the process.
  handleDataRow({ fields }: DataRow): void {
    try {
      this.#rows[this.#rows.length - 1]!.push(this.#row(fields));
    } catch (error) {
      // Readers throw errors only.
      this.#unreadable ??= error as Error;
    }
  }

  #row(fields: DataRow['fields']): unknown {
    const statement = this.#steps[this.#rows.length - 1]?.statement;
    if (!statement?.rows) return this.#untypedRow(fields);
    const { width, read } = statement.rows;
    if (fields.length === width) return read(fields);
    throw new Error(`${statement.name} answers ${fields.length} columns where it lists ${width}`);
  }

  #untypedRow(fields: DataRow['fields']): Row {
    const { names, parsers } = this.#shapes[this.#rows.length - 1]!;
    const row: Row = {};
    for (let i = 0; i < names.length; i++) {
      const text = fields[i];
      row[names[i]!] = text === null || text === undefined ? null : parsers[i]!(text);
    }
    return row;
  }

  handleCommandComplete(): void {
    this.#shapes[this.#rows.length - 1] ??= null;
    this.#rows.push([]);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(): void {
    for (const [index, { statement }] of this.#steps.entries()) {
      this.#statements.set(statement.name, this.#shapes[index] ?? null);
    }
    // The types of the driver leave out what its queries are called back with.
    (this.callback as (error: Error | null) => void)(this.#unreadable);
  }

  handleError(error: Error): void {
    for (const { statement } of this.#steps) this.#statements.set(statement.name, 'doubtful');
    // The types of the driver leave out what its queries are called back with.
    (this.callback as (error: Error) => void)(error);
  }
}
