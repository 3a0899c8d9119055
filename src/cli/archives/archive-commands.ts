// `tender archive`: months of requests, changes of orders and tries to call merchants, written into files, listed, and
// read again without a database.

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { counted, textTable } from '../../administration/verb/table.ts';
import { systemClock } from '../../domain/clock.ts';
import { mayArchiveBefore } from '../../domain/time/archivable-months.ts';
import { beginOfMonth, isCalendarMonth } from '../../domain/time/calendar-months.ts';
import { makeFolder } from '../../storage/embedded/make-folder.ts';
import { type ArchivedRow, readArchive } from '../../storage/history/archive-file.ts';
import { NotArchived } from '../../storage/history/archives.ts';
import { type HistoryTable, historyTables } from '../../storage/history/history-tables.ts';
import { ExportFileError } from '../../storage/transfer/export-file.ts';
import { SealedFileError } from '../../vault/sealed-file.ts';
import { describedCommand, withExample } from '../administration-command.ts';
import { findRunning } from '../administrator.ts';
import { Complaint, nearPath, waitForFolder } from '../complaint.ts';
import { type OpenerValues, type RecipientValues, recipientOf } from '../file-keys.ts';
import { idOf } from '../option-values.ts';
import { withProgress } from '../progress-line.ts';
import { withDatabase } from '../readable-database.ts';
import { databaseUrlOf, settingOption } from '../setting-options.ts';
import { say } from '../terminal.ts';
import { addNoun } from '../verb-command.ts';
import { archiveSource } from './archive-sources.ts';
import type { MadeArchive } from './make-archives.ts';

type MakeValues = RecipientValues & {
  readonly data: string;
  readonly databaseUrl?: string;
  readonly mode: 'sandbox' | 'production';
  readonly before: string;
  readonly to: string;
  readonly table?: HistoryTable;
  readonly unencrypted?: true;
  readonly json?: true;
};

type ShowValues = OpenerValues & { readonly order?: number; readonly serial?: string; readonly json?: true };

export function addArchive(program: Command): void {
  const noun = addNoun(program, 'archive');
  const makes = describedCommand(
    noun,
    'make',
    'write months that are over into files, and drop them from the database',
    'Writes each month before the given one into a file of its own, reads it back, and drops it from the database. Requests, changes of orders and tries to call merchants have months; orders and entries of the ledger stay. Run it as the role that owns the schema. What was interrupted is gone on with by running it again.',
  )
    .addOption(settingOption('data').helpGroup('Which gateway:'))
    .addOption(settingOption('databaseUrl').helpGroup('Which gateway:'))
    .addOption(settingOption('mode').helpGroup('Which gateway:'))
    .requiredOption('--before <month>', 'months older than this one, such as 2026-06', monthOption)
    .option('--to <folder>', 'where the files are written', '.')
    .addOption(new Option('--table <table>', 'only months of this table').choices(historyTables))
    .option('--passphrase-file <path>', 'encrypt the files under the passphrase in the first line of this one')
    .option('--to-public-key <path>', 'encrypt the files for the owner of this public key: PEM, X25519 or RSA')
    .option('--unencrypted', 'in production: write the files as they are')
    .option('--json', 'print the answer as JSON')
    .action(make);
  withExample(
    makes,
    'tender archive make --before 2026-06 --to /mnt/archives --passphrase-file /etc/tender/passphrase',
  );
  const shows = describedCommand(
    noun,
    'show',
    'show what is in an archive',
    'Shows the rows of an archive, which is checked to its end. No gateway and no database is needed.',
  )
    .argument('<file>', 'the archive')
    .option('--order <id>', 'only rows of this order', idOf)
    .option('--serial <number>', 'only the request with this serial number')
    .option('--passphrase-file <path>', 'the archive is under the passphrase in the first line of this file')
    .option('--private-key <path>', 'the archive was made for the owner of this private key: PEM')
    .option('--json', 'print each row as a line of JSON')
    .action(show);
  withExample(shows, 'tender archive show tender-order_events-2026-05.gz --order 1042');
}

function monthOption(text: string): string {
  if (isCalendarMonth(text)) return text;
  throw new Complaint(`${text} is no month: one such as 2026-06 is needed`);
}

async function make({ before, table, json, ...values }: MakeValues): Promise<void> {
  const recipient = await recipientOf(values);
  if (values.unencrypted && recipient) throw new Complaint('--unencrypted contradicts what it is to be encrypted with');
  if (values.mode === 'production' && !values.unencrypted && !recipient) {
    throw new Complaint(
      'an archive of production is encrypted: name --passphrase-file or --to-public-key, or say --unencrypted',
    );
  }
  if (!mayArchiveBefore(before, systemClock.now())) {
    throw new Complaint(
      `the month before ${before} is not over, or was so less than two days ago: something may still come`,
    );
  }
  const folder = resolve(values.to);
  await makeFolder(folder, 0o700);
  const running = databaseUrlOf(values) === undefined ? await findRunning(values) : undefined;
  const made = await withProgress((progress) => {
    progress.show({ doing: 'Opening the database' });
    return withDatabase(values, async (place) => {
      const { openDatabase } = await import('../../storage/connection/open-database.ts');
      const { makeArchives } = await import('./make-archives.ts');
      const database = await openDatabase(place).catch(waitForFolder);
      try {
        return await makeArchives({
          ...{ database, running, folder, recipient, now: systemClock.now, until: beginOfMonth(before) },
          tables: table === undefined ? historyTables : [table],
          onMonth: ({ name }, done) => progress.show({ doing: 'Archiving', done, unit: 'rows', at: name }),
        });
      } finally {
        await database.close();
      }
    });
  }).catch((error) => {
    throw error instanceof NotArchived ? new Complaint(error.message) : error;
  });
  say(json ? JSON.stringify(made, null, 2) : madeText(made, folder));
}

function madeText(made: readonly MadeArchive[], folder: string): string {
  if (made.length === 0) return 'No month before that is in the database.';
  const table = textTable(
    ['TABLE', 'MONTH', 'ROWS', 'FILE', 'SHA-256'],
    made.map((one) => [one.table, one.month, String(one.rows), one.file, one.sha256]),
  );
  return `${table}\n\nArchived ${counted(made.length, 'month')} in ${nearPath(folder)}. Keep the files: the database no longer has their rows.`;
}

async function show(given: string, { order, serial, json, ...values }: ShowValues): Promise<void> {
  const path = resolve(given);
  let shown = 0;
  try {
    for await (const row of readArchive(await archiveSource(path, values))) {
      if (order !== undefined && row.order_id !== String(order)) continue;
      if (serial !== undefined && row.serial_number !== serial.toLowerCase()) continue;
      shown += 1;
      say(json ? JSON.stringify(row) : rowText(row));
    }
  } catch (error) {
    if (!(error instanceof ExportFileError || error instanceof SealedFileError)) throw error;
    throw new Complaint(`${nearPath(path)} ${error.message}`, { cause: error });
  }
  if (!json && shown === 0) say('Nothing in the archive fits.');
}

/** The moment, whose it is, and the rest as it is kept. */
function rowText({ at, merchant_id, order_id, shard: _, ...rest }: ArchivedRow): string {
  const others = Object.entries(rest).filter(([, value]) => value !== null);
  const who = [merchant_id && `merchant ${merchant_id}`, order_id && `order ${order_id}`].filter(Boolean).join(', ');
  return [at, who, ...others.map(([name, value]) => `${name} ${value}`)].filter(Boolean).join('  ');
}
