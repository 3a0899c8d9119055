// Before the tests that hold databases: what they write for the length of a test goes to memory where there is enough
// of it. A new embedded database alone flushes five hundred files, and none of the tests pulls a plug.

import { statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Workers and their processes find the folder as the system's own for such things; it goes with all that is left in it.
 */
export default async function scratch(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), 'tender-tests-'));
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
