// What the files of the index are good for: up to where they cover the log, and what the books knew there. It takes the
// place of the one before it whole. Everything in it follows from the log, so one that does not fit the log is ignored.

import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BookSums } from './book-sums.ts';
import type { RunNote } from './index-run.ts';
import { syncFolder } from './sync-folder.ts';

export type Checkpoint = {
  readonly format: typeof CHECKPOINT_FORMAT;
  /** The log is covered up to this position. */
  readonly end: number;
  /** Of the bytes in front of that position. */
  readonly fingerprint: string;
  readonly sums: BookSums;
  readonly taken: readonly RunNote[];
  readonly later: readonly RunNote[];
};

/** Another number here lets every set of books be read anew, once. */
export const CHECKPOINT_FORMAT = 1;

const FINGERPRINT_BYTES = 4096;

/** The checkpoint, if there is one and the log still begins with what it covers. */
export async function readCheckpoint(path: string, log: string): Promise<Checkpoint | undefined> {
  try {
    const checkpoint = JSON.parse(await readFile(path, 'utf8')) as Checkpoint;
    const isOurs = checkpoint.format === CHECKPOINT_FORMAT;
    return isOurs && (await fingerprintOf(log, checkpoint.end)) === checkpoint.fingerprint ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}

export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(checkpoint));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
  await syncFolder(dirname(path));
}

/** Throws when the log is shorter. */
export async function fingerprintOf(log: string, end: number): Promise<string> {
  const length = Math.min(FINGERPRINT_BYTES, end);
  const file = await open(log, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, end - length);
    if (bytesRead < length) throw new Error(`${log} is shorter than it was`);
    return createHash('sha256').update(buffer).digest('hex');
  } finally {
    await file.close();
  }
}
