// Before the tests that hold databases: what they write for the length of a test goes to memory where there is enough
// of it. A new embedded database alone flushes five hundred files, and none of the tests pulls a plug.

import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'tender-tests-';
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Workers and their processes find the folder as the system's own for such things; it goes with all that is left in it.
 * What people are to look at after a failure is told another place.
 */
export default async function scratch(): Promise<() => Promise<void>> {
  const isInMemory = hasRoom();
  if (isInMemory) await removeLeftBehind();
  const folder = await mkdtemp(join(isInMemory ? MEMORY : tmpdir(), `${PREFIX}${process.pid}-`));
  process.env.TENDER_TEST_EVIDENCE = tmpdir();
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** What runs that were killed left: their process is gone. */
async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(MEMORY, name), { recursive: true, force: true });
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
