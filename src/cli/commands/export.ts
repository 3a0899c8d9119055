// `tender export`: everything the gateway knows, as of one moment, in one file, while it runs or not.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../domain/clock.ts';
import { type Exported, exportDatabase } from '../../storage/transfer/export.ts';
import { type FileRecipient, sealFile } from '../../vault/sealed-file.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { exists } from '../administrator.ts';
import { Complaint, nearPath, waitForFolder } from '../complaint.ts';
import { type RecipientValues, recipientOf } from '../file-keys.ts';
import { type ProgressLine, withProgress } from '../progress-line.ts';
import { type DatabaseLocation, withDatabase } from '../readable-database.ts';
import { settingOption } from '../setting-options.ts';
import { say } from '../terminal.ts';

type ExportValues = RecipientValues & {
  readonly data: string;
  readonly databaseUrl?: string;
  readonly mode: 'sandbox' | 'production';
  readonly unencrypted?: true;
  readonly json?: true;
};

export function addExport(program: Command): void {
  const command = describedCommand(
    program,
    'export <file>',
    'write everything into one file, for a backup or to move',
    'Writes everything the gateway knows, as of one moment, into one new file, while it runs or not. Card numbers stay sealed: keep the key file too. In production the file as a whole is encrypted, or you say that it shall not be.',
  )
    .addOption(settingOption('data').helpGroup('Which gateway:'))
    .addOption(settingOption('databaseUrl').helpGroup('Which gateway:'))
    .addOption(settingOption('mode').helpGroup('Which gateway:'))
    .option('--passphrase-file <path>', 'encrypt the file under the passphrase in the first line of this one')
    .option('--to-public-key <path>', 'encrypt the file for the owner of this public key: PEM, X25519 or RSA')
    .option('--unencrypted', 'in production: write the file as it is')
    .option('--json', 'print the answer as JSON')
    .action(run);
  withExample(command, 'tender export backup-2027-01-31.sealed --passphrase-file /etc/tender/backup-passphrase');
}

async function run(given: string, values: ExportValues): Promise<void> {
  if (given === '-') throw new Complaint('name a file: an export is read again and checked once it is written');
  const path = resolve(given);
  if (await exists(path)) throw new Complaint(`${nearPath(path)} exists already; name a new file`);
  const recipient = await recipientOf(values);
  refuseOpenBackup(values, recipient);
  const startedAt = performance.now();
  const exported = await withProgress((progress) => {
    progress.show({ doing: 'Opening the database' });
    return withDatabase(values, (place) => write(place, path, { recipient, progress }));
  });
  const { size: bytes } = await stat(path);
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  if (values.json) say(JSON.stringify({ file: path, bytes, seconds, ...exported }, null, 2));
  else say(told(path, bytes, exported));
}

/** Names, addresses and amounts are in it, and whoever has it may look for as long as they like. */
function refuseOpenBackup({ mode, unencrypted }: ExportValues, recipient: FileRecipient | undefined): void {
  if (unencrypted && recipient) throw new Complaint('--unencrypted contradicts --passphrase-file and --to-public-key');
  if (mode !== 'production' || unencrypted || recipient) return;
  throw new Complaint(
    'an export of production is encrypted: name --passphrase-file or --to-public-key, or say --unencrypted',
  );
}

type Writing = { readonly recipient: FileRecipient | undefined; readonly progress: ProgressLine };

async function write(place: DatabaseLocation, path: string, { recipient, progress }: Writing): Promise<Exported> {
  const { openDatabase } = await import('../../storage/connection/open-database.ts');
  const database = await openDatabase(place).catch(waitForFolder);
  try {
    return await exportDatabase({
      database,
      path,
      now: systemClock.now(),
      seal: recipient && ((plain) => sealFile(recipient, plain)),
      onProgress: ({ table, rows }) => progress.show({ doing: 'Exporting', done: rows, unit: 'rows', at: table }),
    });
  } finally {
    await database.close();
  }
}

function told(path: string, bytes: number, { rows, takenAt }: Exported): string {
  const tables = Object.values(rows);
  const total = tables.reduce((sum, count) => sum + count, 0);
  return [
    `Exported ${total} rows of ${tables.length} tables into ${nearPath(path)} (${megabytes(bytes)} MB), as of ${takenAt}.`,
    'Keep the key file beside it, in another place: without it no card number opens again.',
  ].join('\n');
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
