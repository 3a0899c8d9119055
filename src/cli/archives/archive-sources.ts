// Archives in a folder: opened as they were sealed, and held to what the database says of them.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { AnswerTo } from '../../administration/administration.ts';
import type { VerificationFinding } from '../../domain/order/verification.ts';
import { type ArchiveHeader, inspectArchive } from '../../storage/history/archive-file.ts';
import { ExportFileError, type ExportSource } from '../../storage/transfer/export-file.ts';
import { isSealedFile, openFile, SealedFileError } from '../../vault/sealed-file.ts';
import { Complaint } from '../complaint.ts';
import { type OpenerValues, openerOf } from '../file-keys.ts';

const BEGINNING_BYTES = 64;

export type ListedArchive = AnswerTo<'listArchives'>[number];

/** An encrypted file needs what opens it; one that is not is read as it is. */
export async function archiveSource(path: string, values: OpenerValues): Promise<ExportSource> {
  if (!isSealedFile(await beginningOf(path))) return { path };
  const opener = await openerOf(values);
  if (!opener) throw new SealedFileError('is encrypted: name --passphrase-file or --private-key');
  return { path, open: (bytes) => openFile(opener, bytes) };
}

async function beginningOf(path: string): Promise<Buffer> {
  // A pipe that nobody writes into would be waited for.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new ExportFileError('is not a file');
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BEGINNING_BYTES) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export type HeldArchives = {
  readonly findings: readonly VerificationFinding[];
  /** Changes of orders in files that are as they must be. */
  readonly events: readonly ExportSource[];
  /** Their names. */
  readonly readable: ReadonlySet<string>;
};

/** Holds the files of a folder to what the database says of them. */
export async function holdArchives(
  folder: string,
  listed: readonly ListedArchive[],
  values: OpenerValues,
): Promise<HeldArchives> {
  const findings: VerificationFinding[] = [];
  const events: ExportSource[] = [];
  const readable = new Set<string>();
  for (const archive of listed) {
    const held = await archiveFault(folder, archive, values);
    if (typeof held === 'string') {
      const place = `archive ${archive.table} ${archive.month}`;
      findings.push({ kind: 'violation', place, cause: `${archive.file} ${held}` });
    } else if (archive.table === 'order_events') {
      events.push(held);
      readable.add(archive.file);
    }
  }
  return { findings, events, readable };
}

/** What is wrong with the file; otherwise the file. */
async function archiveFault(
  folder: string,
  listed: ListedArchive,
  values: OpenerValues,
): Promise<string | ExportSource> {
  if (basename(listed.file) !== listed.file) return 'is not the name of a file';
  const path = join(resolve(folder), listed.file);
  try {
    const source = await archiveSource(path, values);
    const { header, sha256 } = await inspectArchive(source);
    return isListed(header, listed) && sha256 === listed.sha256 ? source : 'is not the file that was written then';
  } catch (error) {
    if (error instanceof ExportFileError || error instanceof SealedFileError) return error.message;
    // What opens files was given wrongly: that is nothing about this one.
    if (error instanceof Complaint) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'is not there' : `cannot be read: ${code ?? message}`;
  }
}

const isListed = ({ table, month, rows }: ArchiveHeader, listed: ListedArchive) =>
  table === listed.table && month === listed.month && rows === listed.rows;
