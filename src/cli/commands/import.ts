// `tender import`: an export into a new database, all of it or nothing. Checked before anything is touched: that the
// file is whole, that this program knows its schema, and that the key file opens what is sealed in it.

import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { makeFolder } from '../../storage/embedded/make-folder.ts';
import { RECORDS_MIGRATION } from '../../storage/records/signing-history.ts';
import { ExportFileError, type ExportSource } from '../../storage/transfer/export-file.ts';
import { type ExportFile, importDatabase, inspectExport } from '../../storage/transfer/import.ts';
import { openKeyPlaces } from '../../vault/key-places.ts';
import { isSealedFile, openFile, SealedFileError } from '../../vault/sealed-file.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { exists } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';
import { type OpenerValues, openerOf } from '../file-keys.ts';
import { withProgress } from '../progress-line.ts';
import { databaseUrlOf, settingOption, settingsFrom } from '../setting-options.ts';
import { say } from '../terminal.ts';

const BEGINNING_BYTES = 64;

type ImportValues = OpenerValues & {
  readonly data: string;
  readonly databaseUrl?: string;
  readonly keyFile?: string;
  readonly keyCommand?: string;
  readonly json?: true;
};

export function addImport(program: Command): void {
  const command = describedCommand(
    program,
    'import <file>',
    'read an export into a new database',
    'Reads an export into a new, empty database: all of it or nothing. The key file or key command of the gateway it came from is needed.',
  )
    .option('--passphrase-file <path>', 'the export is under the passphrase in the first line of this file')
    .option('--private-key <path>', 'the export was made for the owner of this private key: PEM')
    .option('--json', 'print the answer as JSON')
    .action(run);
  for (const name of ['data', 'databaseUrl', 'keyFile', 'keyCommand'] as const) {
    command.addOption(settingOption(name).helpGroup('Into which gateway:'));
  }
  withExample(command, 'tender import backup-2027-01-31.gz --database-url postgresql://tender@db/tender');
}

async function run(given: string, values: ImportValues): Promise<void> {
  const path = resolve(given);
  const url = databaseUrlOf(values);
  const data = resolve(values.data);
  const startedAt = performance.now();
  const source = await naming(path, () => sourceOf(path, values));
  const file = await withProgress((progress) => {
    progress.show({ doing: 'Checking the file' });
    return naming(path, () => inspectExport(source));
  });
  await mustOpen(file, values, data);
  await makeFolder(data, 0o700);
  await naming(path, () => read(source, file, url === undefined ? { dataFolder: join(data, 'database') } : { url }));
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

/** An encrypted file and what opens it belong together: neither is of use with the other missing. */
async function sourceOf(path: string, values: ImportValues): Promise<ExportSource> {
  const opener = await openerOf(values);
  const isSealed = isSealedFile(await beginningOf(path));
  if (isSealed && !opener) throw new SealedFileError('is encrypted: name --passphrase-file or --private-key');
  if (!isSealed && opener) throw new SealedFileError('is not encrypted: leave out --passphrase-file and --private-key');
  return { path, open: opener && ((bytes) => openFile(opener, bytes)) };
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BEGINNING_BYTES) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Without its key-encryption key an export is of no use, and that is better known before than after. */
async function mustOpen({ keys }: ExportFile, values: ImportValues, data: string): Promise<void> {
  const { keyCommand } = values;
  const keyFile = values.keyFile === undefined ? join(data, 'key-encryption-keys') : resolve(values.keyFile);
  const isNamed = keyCommand === undefined || values.keyFile !== undefined;
  if (isNamed && !(await exists(keyFile))) {
    throw new Complaint(
      `the key file ${nearPath(keyFile)} does not exist; copy the old gateway's there, or name it with --key-file or TENDER_KEY_FILE`,
    );
  }
  const provider = await openKeyPlaces({ keyFile: isNamed ? keyFile : undefined, keyCommand });
  const holder = isNamed ? nearPath(keyFile) : 'the key command';
  for (const { wrapped, kekId } of keys) {
    await provider.unwrap(wrapped, kekId).catch((cause) => {
      throw new Complaint(`${holder} does not hold the key ${kekId} the export is sealed under`, { cause });
    });
  }
}

async function read(
  source: ExportSource,
  file: ExportFile,
  place: { url: string } | { dataFolder: string },
): Promise<void> {
  const { openDatabase } = await import('../../storage/connection/open-database.ts');
  const database = await openDatabase(place);
  const total = totalOf(file);
  try {
    await withProgress((progress) => {
      progress.show({ doing: 'Making the schema' });
      const onProgress = ({ table, rows }: { table: string; rows: number }) =>
        progress.show(
          rows < total
            ? { doing: 'Importing', done: rows, total, unit: 'rows', at: table }
            : { doing: 'Bringing the schema up to date' },
        );
      return importDatabase({ ...source, database, file, onProgress });
    });
  } finally {
    await database.close();
  }
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOfFile = error instanceof ExportFileError || error instanceof SealedFileError;
    if (isOfFile) throw new Complaint(`${nearPath(path)} ${error.message}`, { cause: error });
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
