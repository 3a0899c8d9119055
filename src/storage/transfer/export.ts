// Everything in a database, as of one moment, written to one file: one snapshot for all tables, a few hundred rows in
// memory at a time. Sealed values stay sealed, and security codes stay behind: a file is kept longer than they may be.

import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { present } from '../../domain/present.ts';
import { type Database, plainStep, type Session, type Statement } from '../database.ts';
import { historyTables } from '../history/history-tables.ts';
import { statement } from '../tables/index.ts';
import { flush } from '../wire/flush.ts';
import { listTables, quoted, type Table } from './catalogue.ts';
import { type ExportEnd, type ExportHeader, FORMAT, FORMAT_VERSION, type SchemaVersion } from './export-file.ts';

/** The record of the schema, which is in the header: an import makes its own. */
export const SCHEMA_TABLE = 'schema_migration';

/** Written as null. An order whose code is gone and that the bank never saw ends without a charge. */
const LEFT_BEHIND: ReadonlySet<string> = new Set(['transactions.sealed_cvv']);

/** Written without rows: what nodes that run at this moment hand to each other. */
const EMPTIED: ReadonlySet<string> = new Set(['code_key_nodes', 'handed_code_keys']);

const ROWS_AT_ONCE = 500;

/** Values are written alike whatever the server's or the user's own settings are. */
const SETTINGS: Record<string, string> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

const ONE_SNAPSHOT = statement('export-snapshot')`set transaction isolation level repeatable read read only`;

export const PLAIN_VALUES = statement('export-settings')`
  select ${Object.entries(SETTINGS)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join()}`;

const READ_SCHEMA = statement('export-schema')`select number, name, checksum from ${SCHEMA_TABLE} order by number`;

const FETCH = statement<{ line: string }>('export-fetch')`fetch ${ROWS_AT_ONCE} from export_rows`;
const CLOSE = statement('export-close')`close export_rows`;

/** All that is read in this transaction is of one moment, and written alike everywhere. */
export async function beginSnapshot(session: Session, before: readonly Statement[] = []): Promise<void> {
  await session.flight([ONE_SNAPSHOT, ...before, PLAIN_VALUES].map(plainStep));
}

const WHICH_HISTORY = statement<{ name: string }>('export-history')`select relname::text as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname = any($1::text[])
  order by relname`;

/**
 * Locks what months may be dropped from, which no snapshot outlives: an old one would see neither the rows nor that
 * they were archived. Taken before the snapshot, with their partitions; payments go on.
 */
async function historyLocks(database: Database): Promise<Statement[]> {
  const names = (await database.query(WHICH_HISTORY, [historyTables])).map(({ name }) => quoted(name));
  if (names.length === 0) return [];
  const text = `lock table ${names.join(', ')} in access share mode`;
  return [{ name: statementName('export-lock', text), text }];
}

export const readSchema = async (session: Session) => (await session.query(READ_SCHEMA)) as unknown as SchemaVersion;

export type ExportProgress = { readonly table: string; readonly rows: number };

export type ExportOptions = {
  readonly database: Database;
  readonly path: string;
  readonly now: number;
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Encrypts the bytes of the file on their way. */
  readonly seal?: ((plain: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined;
};

export type Exported = ExportEnd & Pick<ExportHeader, 'takenAt' | 'schema'>;

/** The file appears at `path` complete and durable, or not at all; one that is there already is never overwritten. */
export async function exportDatabase({ database, path, now, onProgress, seal }: ExportOptions): Promise<Exported> {
  const locks = await historyLocks(database);
  return durably(path, (unfinished) =>
    database.transaction(async (session) => {
      // A transaction that only reads one snapshot is never begun anew, so neither is the file.
      await beginSnapshot(session, locks);
      const lines = new ExportLines(session, onProgress);
      const header = { takenAt: new Date(now).toISOString(), database: database.kind };
      await writeLines(unfinished, lines.all(header), seal);
      return present(lines.exported);
    }),
  );
}

/**
 * Writes a file under a name that nobody else has, and gives it its own when all of it is on the disk. What a process
 * that was killed left under such a name is nobody's to remove: another one may be writing it.
 */
export async function durably<T>(path: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  if (existsSync(path)) throw isThere(path);
  const unfinished = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.unfinished`;
  try {
    const written = await write(unfinished);
    await flush(unfinished);
    await giveName(unfinished, path);
    await flush(dirname(path));
    return written;
  } finally {
    await rm(unfinished, { force: true });
  }
}

const isThere = (path: string) => new Error(`${path} exists already; an export is never written over another file`);

const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Replaces nothing, as a rename would. Where files cannot be linked the name is taken first. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path).catch(async (error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.includes(error.code ?? '')) throw error;
      await writeFile(path, '', { flag: 'wx', mode: 0o600 });
      await rename(unfinished, path);
    });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? isThere(path) : error;
  }
}

export function writeLines(path: string, lines: AsyncIterable<string>, seal: ExportOptions['seal']): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  return pipeline(lines, createGzip(), seal ?? ((plain: AsyncIterable<Buffer>) => plain), file);
}

/** The lines of one export, hashed and counted as they go. */
export class ExportLines {
  exported: Exported | undefined;
  readonly #hash = createHash('sha256');
  readonly #rows: Record<string, number> = {};
  readonly #session: Session;
  readonly #onProgress: (progress: ExportProgress) => void;
  #written = 0;

  constructor(session: Session, onProgress: (progress: ExportProgress) => void = () => {}) {
    this.#session = session;
    this.#onProgress = onProgress;
  }

  async *all(about: Pick<ExportHeader, 'takenAt' | 'database'>): AsyncGenerator<string> {
    const session = this.#session;
    const tables = (await listTables(session)).filter(({ name }) => name !== SCHEMA_TABLE);
    if (tables.length === 0)
      throw new Error('there is nothing to export: no gateway was ever started on this database');
    const schema = await readSchema(session);
    yield this.said(
      `${JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, ...about, schema } satisfies ExportHeader)}\n`,
    );
    for (const table of tables) yield* this.table(table);
    const end = this.end();
    this.exported = { ...end, takenAt: about.takenAt, schema };
    yield `${JSON.stringify(end)}\n`;
  }

  end(): ExportEnd {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }

  /** Of a part of the table, in an order, where `from` says so. */
  async *table(table: Table, from = quoted(table.name)): AsyncGenerator<string> {
    const { name, columns } = table;
    yield this.said(`${JSON.stringify({ table: name, columns: columns.map((column) => column.name) })}\n`);
    this.#rows[name] = 0;
    await this.#session.query(cursorOver(table, from));
    for (;;) {
      const rows = await this.#session.query(FETCH);
      if (rows.length === 0) break;
      this.#rows[name] += rows.length;
      this.#written += rows.length;
      this.#onProgress({ table: name, rows: this.#written });
      let text = '';
      for (const { line } of rows) text += `${line}\n`;
      yield this.said(text);
    }
    await this.#session.query(CLOSE);
  }

  said(text: string): string {
    this.#hash.update(text);
    return text;
  }
}

function cursorOver({ name, columns }: Table, from: string): Statement {
  const values = columns.map((column) =>
    LEFT_BEHIND.has(`${name}.${column.name}`) ? 'null' : `${quoted(column.name)}::text`,
  );
  const text = `declare export_rows no scroll cursor for select json_build_array(${values})::text as line from ${from}${EMPTIED.has(name) ? ' where false' : ''}`;
  return { name: statementName('export', text), text };
}

/** One name for one text, within what PostgreSQL takes. */
export function statementName(verb: string, text: string): string {
  return `${verb}-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
