// `tender archive make`: writes months into files and drops them. What was interrupted is gone on with by running it
// again: a month leaves the database only once its file is there, whole, read back, and holds what the database holds.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { osUser } from '../../http/admin/admin-note.ts';
import { auditStore } from '../../storage/audit.ts';
import { schemaState } from '../../storage/connection/migrate.ts';
import { sessionDatabase } from '../../storage/connection/transaction.ts';
import type { Database } from '../../storage/database.ts';
import {
  historyTableIn,
  inspectArchive,
  rowsSeen,
  type WrittenArchive,
  writeArchive,
} from '../../storage/history/archive-file.ts';
import { archiveStore, type FiledMonth } from '../../storage/history/archives.ts';
import type { HistoryTable } from '../../storage/history/history-tables.ts';
import { makeMonths } from '../../storage/history/make-months.ts';
import { listPartitions, mayChange, type Partition } from '../../storage/history/partitions.ts';
import type { ExportSource } from '../../storage/transfer/export-file.ts';
import type { FileRecipient } from '../../vault/sealed-file.ts';
import { openFile, sealFile } from '../../vault/sealed-file.ts';
import { given } from '../administration-command.ts';
import type { Administrator } from '../administrator.ts';
import { Complaint, nearPath } from '../complaint.ts';

export type Making = {
  readonly database: Database;
  /** The running gateway whose embedded database this is a copy of. */
  readonly running: Administrator | undefined;
  /** Rows from before this moment. */
  readonly until: number;
  readonly tables: readonly HistoryTable[];
  readonly folder: string;
  readonly recipient: FileRecipient | undefined;
  readonly now: () => number;
  readonly onMonth: (month: Partition, rows: number) => void;
};

export type MadeArchive = FiledMonth & { readonly isFoundWhole: boolean };

export async function makeArchives(making: Making): Promise<MadeArchive[]> {
  const { database, running, tables, until } = making;
  const { missing } = await schemaState(database);
  if (missing.length > 0)
    throw new Complaint('the schema is not up to date: "tender database migrate" brings it there');
  // Rows that lie in no month get theirs first; of a running gateway it has seen to that.
  if (running === undefined) await makeMonths(database, { months: [] });
  const months = (await database.transaction(listPartitions)).filter(
    (one) => tables.includes(one.table) && one.until <= until,
  );
  for (const { name } of months) {
    if (running === undefined && !(await mayChange(database, name))) {
      throw new Complaint(
        'this role may not drop months: name the one that owns the schema in --database-url, as for "tender database migrate"',
      );
    }
  }
  const made: MadeArchive[] = [];
  for (const month of months) made.push(await archiveOne(making, month));
  return made;
}

async function archiveOne(making: Making, month: Partition): Promise<MadeArchive> {
  const { database, folder, recipient, now, onMonth } = making;
  const path = join(folder, `tender-${month.table}-${month.month}.${recipient ? 'sealed' : 'gz'}`);
  const open = openingOf(recipient);
  const found = existsSync(path) ? await foundWhole(database, month, { path, open }, recipient) : undefined;
  const { header, sha256 } =
    found ??
    (await writeArchive({
      ...{ database, partition: month, path, now: now(), open, onRows: (rows) => onMonth(month, rows) },
      seal: recipient && ((plain: AsyncIterable<Buffer>) => sealFile(recipient, plain)),
    }));
  const { table, rows, digest } = header;
  const filed = { table, month: month.month, rows, digest, sha256, file: basename(path) };
  await drop(making, filed);
  return { ...filed, isFoundWhole: found !== undefined };
}

/** Who encrypts under a passphrase can read it back; for the owner of a public key only its bytes are compared. */
function openingOf(recipient: FileRecipient | undefined): ExportSource['open'] {
  if (recipient === undefined || !('passphrase' in recipient)) return undefined;
  return (bytes) => openFile(recipient, bytes);
}

/** A file of before, of a command that was interrupted, if it holds what the database holds. */
async function foundWhole(
  database: Database,
  month: Partition,
  source: ExportSource,
  recipient: FileRecipient | undefined,
): Promise<WrittenArchive> {
  const strange = `${nearPath(source.path)} is there already, and is not this month as the database has it: move it away`;
  if (recipient !== undefined && source.open === undefined) {
    throw new Complaint(
      `${nearPath(source.path)} is there already, and only the owner of the private key can tell what is in it: move it away, and the month is written again`,
    );
  }
  const found = await inspectArchive(source).catch((cause) => {
    throw new Complaint(strange, { cause });
  });
  const seen = await database.transaction(async (session) =>
    rowsSeen(session, month.name, await historyTableIn(session, month.table)),
  );
  const { header } = found;
  const isSame = header.month === month.month && header.rows === seen.rows && header.digest === seen.digest;
  if (!isSame || header.table !== month.table) throw new Complaint(strange);
  return found;
}

async function drop({ database, running, now }: Making, filed: FiledMonth): Promise<void> {
  if (running !== undefined) {
    await running.ask('dropArchivedMonth', given(filed));
    return;
  }
  const { table, month, rows, sha256, file } = filed;
  const note = {
    who: `local ${osUser()} by command`,
    action: 'dropArchivedMonth',
    subject: `month ${table} ${month}`,
    details: JSON.stringify({ rows, sha256, file }),
  };
  await archiveStore(database).drop(filed, now(), (session) =>
    auditStore(sessionDatabase(database, session)).append(note, now()),
  );
}
