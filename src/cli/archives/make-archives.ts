// `tender archive make`: writes months into files and drops them. What was interrupted is gone on with by running it
// again: a month leaves the database only once its file is there, whole, read back, and holds what the database holds.

import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nextArchiveName } from '../../domain/time/archivable-months.ts';
import { osUser } from '../../http/admin/admin-note.ts';
import { auditStore } from '../../storage/audit.ts';
import { isElsewhere, readCluster } from '../../storage/cluster/cluster.ts';
import { schemaState } from '../../storage/connection/migrate.ts';
import { sessionDatabase } from '../../storage/connection/transaction.ts';
import type { Database } from '../../storage/database.ts';
import { inspectArchive, rowsToFile, type WrittenArchive, writeArchive } from '../../storage/history/archive-file.ts';
import {
  archiveFileName,
  archiveStore,
  type FiledMonth,
  hasRows,
  tellsOfChange,
} from '../../storage/history/archives.ts';
import type { HistoryTable } from '../../storage/history/history-tables.ts';
import { makeMonths } from '../../storage/history/make-months.ts';
import { listPartitions, mayChange, type Partition } from '../../storage/history/partitions.ts';
import type { ExportSource } from '../../storage/transfer/export-file.ts';
import { flush } from '../../storage/wire/flush.ts';
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
  const cluster = running === undefined ? await database.transaction(readCluster) : undefined;
  if (cluster && isElsewhere(cluster)) {
    throw new Complaint('only the coordinator of the cluster drops months: name it in --database-url');
  }
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
  for (const month of months) {
    if (await hasRows(database, month.name)) made.push(await archiveOne(making, month));
  }
  return made;
}

async function archiveOne(making: Making, partition: Partition): Promise<MadeArchive> {
  const { database, folder, recipient, now, onMonth } = making;
  const { table } = partition;
  const taken = (await archiveStore(database).list()).filter((one) => one.table === table).map((one) => one.month);
  const month = nextArchiveName(partition.month, taken);
  const file = archiveFileName({ table, month }, recipient ? 'sealed' : 'gz');
  const path = join(folder, file);
  const open = openingOf(recipient);
  const found = existsSync(path)
    ? await foundWhole(database, { partition, month }, { path, open }, recipient)
    : undefined;
  const { header, sha256 } =
    found ??
    (await writeArchive({
      ...{ database, partition, month, path, now: now(), open, onRows: (rows) => onMonth(partition, rows) },
      seal: recipient && ((plain: AsyncIterable<Buffer>) => sealFile(recipient, plain)),
    }));
  const { rows, digest } = header;
  const filed = { table, month, rows, digest, sha256, file };
  await drop(making, filed).catch(async (error) => {
    // The month is still there, and the file would stand in the way of the one that is written next.
    if (found === undefined && tellsOfChange(error)) await rm(path);
    throw error;
  });
  return { ...filed, isFoundWhole: found !== undefined };
}

/** Who encrypts under a passphrase can read it back; for the owner of a public key only its bytes are compared. */
function openingOf(recipient: FileRecipient | undefined): ExportSource['open'] {
  if (recipient === undefined || !('passphrase' in recipient)) return undefined;
  return (bytes) => openFile(recipient, bytes);
}

/** A file of before, of a command that was interrupted, if its rows are, text by text, those of the database. */
async function foundWhole(
  database: Database,
  { partition, month }: { readonly partition: Partition; readonly month: string },
  source: ExportSource,
  recipient: FileRecipient | undefined,
): Promise<WrittenArchive> {
  const strange = `${nearPath(source.path)} is there already, and is not this month as the database has it: move it away`;
  if (recipient !== undefined && source.open === undefined) {
    throw new Complaint(
      `${nearPath(source.path)} is there already, and only the owner of the private key can tell what is in it: move it away, and the month is written again`,
    );
  }
  if (!(await stat(source.path)).isFile()) throw new Complaint(strange);
  const found = await inspectArchive(source).catch((cause) => {
    throw new Complaint(strange, { cause });
  });
  const seen = await database.transaction((session) => rowsToFile(session, partition));
  const { header, rowsSha256 } = found;
  const isSame = header.rows === seen.rows && header.digest === seen.digest && rowsSha256 === seen.rowsSha256;
  if (!isSame || header.table !== partition.table || header.month !== month) throw new Complaint(strange);
  // Whoever wrote it may have ended before it was on the disk, and its folder with its name.
  await flush(source.path);
  await flush(dirname(source.path));
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
    details: JSON.stringify({ table, month, rows, sha256, file }),
  };
  await archiveStore(database).drop(filed, now(), (session) =>
    auditStore(sessionDatabase(database, session)).append(note, now()),
  );
}
