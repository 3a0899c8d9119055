// An export into an empty database, all of it or nothing: the schema is made as it was when the export was taken, the
// rows go in within one transaction, and then the migrations that came since see the rows.

import { present } from '../../domain/present.ts';
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '../connection/migrate.ts';
import type { Database, Session, Statement } from '../database.ts';
import { ImportedMonths } from '../history/imported-months.ts';
import { listTables, quoted, type Table } from './catalogue.ts';
import { type ExportProgress, PLAIN_VALUES, SCHEMA_TABLE, statementName } from './export.ts';
import {
  type ExportEnd,
  ExportFileError,
  type ExportHeader,
  type ExportSource,
  readExport,
  type SchemaVersion,
  type TableHead,
} from './export-file.ts';

/** What migrations put there themselves; an export brings its own rows of them. */
export const FILLED_BY_MIGRATIONS: ReadonlySet<string> = new Set([
  SCHEMA_TABLE,
  'configuration_version',
  'audit_head',
  'id_counter',
  'bin_tables',
  'terminals',
  'figures_counted',
]);

/** A data key as the export holds it: of use only to whoever has the key-encryption key. */
export type ExportedKey = { readonly wrapped: Buffer; readonly kekId: string };

export type ExportFile = ExportEnd & { readonly header: ExportHeader; readonly keys: readonly ExportedKey[] };

/** Reads a file from end to end without touching a database, and tells what is in it. */
export async function inspectExport(source: ExportSource, folder = MIGRATIONS_FOLDER): Promise<ExportFile> {
  let header: ExportHeader | undefined;
  const keys: ExportedKey[] = [];
  for await (const part of readExport(source)) {
    if (part.kind === 'header') {
      header = part.header;
      await refuseOtherSchema(header.schema, folder);
    } else if (part.kind === 'rows' && part.head.table === 'data_keys') {
      keys.push(...part.rows.map((row) => keyFrom(part.head, row)));
    } else if (part.kind === 'end') return { ...part.end, header: present(header), keys };
  }
  throw new ExportFileError('is empty');
}

async function refuseOtherSchema(schema: SchemaVersion, folder: string): Promise<void> {
  const known = await readMigrations(folder);
  for (const [index, { number, name, checksum }] of schema.entries()) {
    const migration = known[index];
    if (migration === undefined) {
      throw new ExportFileError(`is newer than this program: it has migration ${name}, which is unknown here`);
    }
    if (migration.number !== number || migration.name !== name || migration.checksum !== checksum) {
      throw new ExportFileError(`has another migration ${name} than this program`);
    }
  }
}

function keyFrom({ columns }: TableHead, row: string): ExportedKey {
  // A row of an export is an array of the texts of its columns.
  const values = JSON.parse(row) as string[];
  const value = (name: string) => values[columns.indexOf(name)] ?? '';
  return { wrapped: Buffer.from(value('wrapped').replace(/^\\x/, ''), 'hex'), kekId: value('kek_id') };
}

export type ImportOptions = ExportSource & {
  readonly database: Database;
  readonly file: ExportFile;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  readonly folder?: string;
};

export async function importDatabase({ database, path, open, file, onProgress, folder }: ImportOptions): Promise<void> {
  await refuseNonEmpty(database);
  const { schema } = file.header;
  await migrate(database, folder, { upTo: schema.length });
  await database.transaction(async (session) => {
    await session.query(PLAIN_VALUES);
    await copyRows(session, await emptyTables(session, schema), { path, open, onProgress });
  });
  await migrate(database, folder);
  await database.script('analyze');
}

/** Before the schema is touched; what counts is looked at again once nobody else can write. */
async function refuseNonEmpty(database: Database): Promise<void> {
  const tables = await database.transaction(listTables);
  for (const { name } of tables) await refuseRows(database, name);
}

async function refuseRows(session: Session, name: string): Promise<void> {
  if (FILLED_BY_MIGRATIONS.has(name)) return;
  const text = `select 1 as found from ${quoted(name)} limit 1`;
  const rows = await session.query({ name: statementName('import-look', text), text });
  if (rows.length > 0) throw new Error(`the database is not empty: table ${name} has rows; import into a new one`);
}

/** The tables, held so that no gateway starts on half of the rows, and empty. */
async function emptyTables(session: Session, schema: SchemaVersion): Promise<Map<string, Table>> {
  const tables = await listTables(session);
  const names = tables.map(({ name }) => quoted(name)).join(', ');
  await run(session, 'import-lock', `lock table ${names} in access exclusive mode`);
  const applied = await session.query({ name: 'import-schema', text: `select number from ${SCHEMA_TABLE}` });
  if (applied.length !== schema.length) {
    throw new Error(
      `the database has ${applied.length} migrations and the export ${schema.length}; import into a new one`,
    );
  }
  for (const { name } of tables) {
    await refuseRows(session, name);
    if (name !== SCHEMA_TABLE) await run(session, 'import-clear', `delete from ${quoted(name)}`);
  }
  return new Map(tables.map((table) => [table.name, table]));
}

/** The file checks itself once more on the way: if it changed since it was inspected, nothing is committed. */
async function copyRows(
  session: Session,
  tables: ReadonlyMap<string, Table>,
  { path, open, onProgress }: Pick<ImportOptions, 'path' | 'open' | 'onProgress'>,
): Promise<void> {
  const months = await ImportedMonths.open(session);
  let done = 0;
  for await (const part of readExport({ path, open })) {
    if (part.kind !== 'rows') continue;
    const { head, rows } = part;
    await months.make(head, rows);
    await session.query(insertInto(head, tables.get(head.table)), [`[${rows.join(',')}]`]);
    done += rows.length;
    onProgress?.({ table: head.table, rows: done });
  }
}

function insertInto({ table, columns }: TableHead, known: Table | undefined): Statement {
  const typeOf = (name: string) => known?.columns.find((column) => column.name === name)?.type;
  const values = columns.map((name, index) => {
    const type = typeOf(name);
    if (type === undefined) throw new ExportFileError(`has a column ${table}.${name}, which is unknown here`);
    return `(line->>${index})::${type}`;
  });
  const text = `insert into ${quoted(table)} (${columns.map(quoted)}) overriding system value
    select ${values} from json_array_elements($1::json) as line`;
  return { name: statementName('import', text), text };
}

async function run(session: Session, verb: string, text: string): Promise<void> {
  await session.query({ name: statementName(verb, text), text });
}
