// Files and folders as streams of bytes. A file that is compressed as a whole is read a second time, opened.

import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { Scanner } from './scanner.ts';

const READ_BYTES = 1024 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

export type ScanFilesOptions = {
  /** Told of each file before it is read. */
  readonly told?: (path: string) => void;
  /** What findings name in the place of a file that will be gone. */
  readonly called?: string | undefined;
};

/** Goes through a file, or through every file below a folder. Resolves with how many there were. */
export async function scanFiles(scanner: Scanner, path: string, { told, called }: ScanFilesOptions = {}) {
  const paths = (await stat(path)).isDirectory() ? await filesBelow(path) : [path];
  let count = 0;
  for (const one of paths) {
    told?.(one);
    count += (await scanFile(scanner, one, called)) ? 1 : 0;
  }
  return count;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** False when the file is gone: databases remove files while they work. */
async function scanFile(scanner: Scanner, path: string, called = path): Promise<boolean> {
  try {
    await scanner.scan(called, createReadStream(path, { highWaterMark: READ_BYTES }));
    if (await isGzip(path)) await scanOpened(scanner, path, called);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return buffer.equals(GZIP);
  } finally {
    await file.close();
  }
}

/** All of it: what the scanner opens by itself is only the first part of a long stream. */
async function scanOpened(scanner: Scanner, path: string, called: string): Promise<void> {
  const file = createReadStream(path, { highWaterMark: READ_BYTES });
  const plain = createGunzip({ chunkSize: READ_BYTES });
  file.once('error', (error) => plain.destroy(error));
  try {
    await scanner.scan(`${called}, decompressed`, file.pipe(plain));
  } catch (error) {
    // A stream that is cut off was read as far as it goes.
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
  } finally {
    file.destroy();
  }
}
