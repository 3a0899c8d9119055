// `tender import`: an export into a new database, all of it or nothing. Checked before anything is touched: that the
// file is whole, that this program knows its schema, and that the key file opens what is sealed in it.

import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { makeFolder } from '../../storage/embedded/make-folder.ts';
import { RECORDS_MIGRATION } from '../../storage/records/signing-history.ts';
import { ExportFileError } from '../../storage/transfer/export-file.ts';
import { type ExportFile, importDatabase, inspectExport } from '../../storage/transfer/import.ts';
import { openKeyFile } from '../../vault/key-file.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { exists } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';
import { databaseUrlOf, settingOption, settingsFrom } from '../setting-options.ts';
import { ProgressLine, say } from '../terminal.ts';

type ImportValues = {
  readonly data: string;
  readonly databaseUrl?: string;
  readonly keyFile?: string;
  readonly json?: true;
};

export function addImport(program: Command): void {
  const command = describedCommand(
    program,
    'import <file>',
    'read an export into a new database',
    'Reads an export into a new, empty database: all of it or nothing. The key file of the gateway it came from is needed.',
  )
    .option('--json', 'print the answer as JSON')
    .action(run);
  for (const name of ['data', 'databaseUrl', 'keyFile'] as const) {
    command.addOption(settingOption(name).helpGroup('Into which gateway:'));
  }
  withExample(command, 'tender import backup-2027-01-31.gz --database-url postgresql://tender@db/tender');
}

async function run(given: string, values: ImportValues): Promise<void> {
  const path = resolve(given);
  const url = databaseUrlOf(values);
  const data = resolve(values.data);
  const startedAt = performance.now();
  const file = await naming(path, () => inspectExport(path));
  await mustOpen(file, values.keyFile === undefined ? join(data, 'key-encryption-keys') : resolve(values.keyFile));
  await makeFolder(data, 0o700);
  await naming(path, () => read(path, file, url === undefined ? { dataFolder: join(data, 'database') } : { url }));
  if (isUnsigned(file)) await signAll(values);
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const { rows, sha256, header } = file;
  if (values.json) say(JSON.stringify({ file: path, seconds, takenAt: header.takenAt, rows, sha256 }, null, 2));
  else say(told(path, file));
}

/** Of a gateway from before records were signed: whoever has its keys vouches for what it says. */
function isUnsigned({ header }: ExportFile): boolean {
  return !header.schema.some(({ name }) => name === RECORDS_MIGRATION);
}

async function signAll(values: ImportValues): Promise<void> {
  const { openStore } = await import('../../compose/index.ts');
  const store = await openStore(settingsFrom({ mode: 'sandbox', host: '127.0.0.1', port: 0, ...values }), {
    vouches: true,
  });
  await store.close();
}

/** Without its key-encryption key an export is of no use, and that is better known before than after. */
async function mustOpen({ keys }: ExportFile, keyFile: string): Promise<void> {
  if (!(await exists(keyFile))) {
    throw new Complaint(
      `the key file ${nearPath(keyFile)} does not exist; copy the old gateway's there, or name it with --key-file or TENDER_KEY_FILE`,
    );
  }
  const provider = await openKeyFile(keyFile, { create: false });
  for (const { wrapped, kekId } of keys) {
    await provider.unwrap(wrapped, kekId).catch((cause) => {
      throw new Complaint(`${nearPath(keyFile)} does not hold the key ${kekId} the export is sealed under`, { cause });
    });
  }
}

async function read(path: string, file: ExportFile, place: { url: string } | { dataFolder: string }): Promise<void> {
  const { openDatabase } = await import('../../storage/connection/open-database.ts');
  const database = await openDatabase(place);
  const progress = new ProgressLine();
  try {
    const total = totalOf(file);
    const onProgress = ({ table, rows }: { table: string; rows: number }) =>
      progress.show(`${rows} of ${total} rows, ${table}`);
    await importDatabase({ database, path, file, onProgress });
  } finally {
    progress.clear();
    await database.close();
  }
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExportFileError) throw new Complaint(`${nearPath(path)} ${error.message}`, { cause: error });
    throw error;
  }
}

function told(path: string, file: ExportFile): string {
  const tables = Object.keys(file.rows).length;
  return `Imported ${totalOf(file)} rows of ${tables} tables from ${nearPath(path)}, as of ${file.header.takenAt}.
If the old gateway went on after that, start this one with --first-id above the ids it gave.`;
}

function totalOf({ rows }: ExportFile): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}
