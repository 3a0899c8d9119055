// Brings the schema up to date: numbered SQL files, forward only, each in one transaction with the row that records
// it. Their folders are for readers: only the numbers count. That row is also the lock: a second node starting at once
// waits on it, then finds the work done.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { changeSpread, isSpread } from '../cluster/distribute.ts';
import { type Database, DatabaseError, isUniqueViolation, type Session } from '../database.ts';
import { statement } from '../tables/index.ts';
import { PACKAGE_ROOT } from './package-root.ts';

export const MIGRATIONS_FOLDER = join(PACKAGE_ROOT, 'src', 'storage', 'migrations');

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
};

/** Called before each migration is applied: its name, and how many of those that are missing are done. */
export type TellsMigration = (name: string, done: number, total: number) => void;

type Applied = { number: number; name: string; checksum: string };

const CREATE_RECORD = `CREATE TABLE IF NOT EXISTS schema_migration (
  number integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;
const HAS_RECORD = statement<{ found: boolean }>('has-schema-migrations')`
  SELECT to_regclass('schema_migration') IS NOT NULL AS found`;
const READ_RECORD = statement<Applied>('read-schema-migrations')`
  SELECT number, name, checksum FROM schema_migration ORDER BY number`;

/**
 * Applies what is missing and gives the names of the migrations this call applied. `upTo` is the last: an import makes
 * the schema its rows were written under.
 */
export async function migrate(
  database: Database,
  folder = MIGRATIONS_FOLDER,
  { upTo = Number.POSITIVE_INFINITY, tell = () => {} }: { upTo?: number; tell?: TellsMigration | undefined } = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  // A role that only runs the gateway may make no table.
  if (!(await hasRecord(database))) await unlessAnotherDid(database.script(CREATE_RECORD)).catch(explained);
  const done: string[] = [];
  const missing = missingFrom(await database.query(READ_RECORD), migrations).filter(({ number }) => number <= upTo);
  const spread = missing.length > 0 && (await isSpread(database));
  for (const [index, migration] of missing.entries()) {
    tell(migration.name, index, missing.length);
    if (await apply(database, migration, spread).catch(explained)) done.push(migration.name);
  }
  // Another node may have applied some of them, from files of its own.
  missingFrom(await database.query(READ_RECORD), migrations);
  return done;
}

/** The same inside a transaction, which holds whatever keeps other nodes from doing it: all of it or nothing. */
export async function migrateWithin(session: Session, tell: TellsMigration = () => {}): Promise<string[]> {
  const missing = missingFrom(await session.query(READ_RECORD), await readMigrations(MIGRATIONS_FOLDER));
  const spread = missing.length > 0 && (await isSpread(session));
  for (const [index, migration] of missing.entries()) {
    tell(migration.name, index, missing.length);
    await changeWithin(session, migration, spread).catch(explained);
  }
  return missing.map(({ name }) => name);
}

async function hasRecord(database: Database): Promise<boolean> {
  return (await database.query(HAS_RECORD))[0]?.found === true;
}

/** The names of the migrations that were applied, and of those that are missing. */
export async function schemaState(database: Database): Promise<{ applied: string[]; missing: string[] }> {
  const applied = (await hasRecord(database)) ? await database.query(READ_RECORD) : [];
  const missing = missingFrom(applied, await readMigrations(MIGRATIONS_FOLDER));
  return { applied: applied.map(({ name }) => name), missing: missing.map(({ name }) => name) };
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.sql'));
  const inOrder = paths.sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
  return Promise.all(inOrder.map((path, index) => readMigration(join(folder, path), index + 1)));
}

async function readMigration(path: string, expected: number): Promise<Migration> {
  const file = basename(path);
  const [, name, digits] = /^((\d{4})-[a-z0-9-]+)\.sql$/.exec(file) ?? [];
  if (digits === undefined || name === undefined) throw new Error(`migration ${file} is not named NNNN-name.sql`);
  if (Number(digits) !== expected) throw new Error(`migration ${file} should have the number ${expected}`);
  const sql = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
  return { number: expected, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/** The applied ones must be the first ones, unchanged. */
export function missingFrom(applied: readonly Applied[], migrations: readonly Migration[]): Migration[] {
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index];
    if (migration === undefined)
      throw new Error(`the database is newer than this program: it has migration ${row.name}, which is unknown here`);
    if (row.number !== migration.number || row.name !== migration.name)
      throw new Error(`the database has migration ${row.name} where this program has ${migration.name}`);
    if (row.checksum !== migration.checksum)
      throw new Error(`migration ${migration.name} was changed after it had been applied to this database`);
  }
  return migrations.slice(applied.length);
}

const NOT_PERMITTED = '42501';

function explained(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.sqlState !== NOT_PERMITTED) throw error;
  const message =
    'the schema is not up to date, and this role may not change it; "tender database migrate" does so as one that may';
  throw new Error(message, { cause: error });
}

/** One script is one transaction. */
function apply(database: Database, migration: Migration, spread: boolean): Promise<boolean> {
  const work = spread
    ? database.transaction((session) => changeWithin(session, migration, spread))
    : database.script(scriptOf(migration));
  return unlessAnotherDid(work, 'schema_migration_pkey');
}

function changeWithin(session: Session, migration: Migration, spread: boolean): Promise<void> {
  const sql = scriptOf(migration);
  return spread ? changeSpread(session, sql) : session.script(sql);
}

/** `name` and `checksum` are letters, digits and dashes, so they need no quoting. */
function scriptOf({ number, name, sql, checksum }: Migration): string {
  const record = `INSERT INTO schema_migration (number, name, checksum) VALUES (${number}, '${name}', '${checksum}')`;
  return `${record};\n${sql}`;
}

/** True when the work was done here, false when its unique key shows that another node did it first. */
async function unlessAnotherDid(work: Promise<void>, constraint?: string): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    // Two CREATE TABLE IF NOT EXISTS at once meet in one of PostgreSQL's own catalogues.
    if (isUniqueViolation(error) && (constraint === undefined || error.constraint === constraint)) return false;
    throw error;
  }
}
