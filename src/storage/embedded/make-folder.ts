// Makes a folder and those above it. Node's own way of that never ends where the system makes none although the folder
// above is there, as below /proc.

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** `mode` is for all that are made. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    // An error of the system has a code; of any other it is undefined.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // The one above it is missing, or somebody has made it a moment ago.
    if (!(await isFolder(dirname(path)))) await makeFolder(dirname(path), mode);
    await makeOne(path, mode);
  }
}

/** Also when it is there. */
async function makeOne(path: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // An error of the system has a code; of any other it is undefined.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
