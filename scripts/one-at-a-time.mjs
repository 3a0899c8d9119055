// Lets one process at a time do a piece of work in this checkout, such as `npm ci`, which empties node_modules first.
// The lock is a file with the holder's process id; the lock of a process that has ended does not count.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_LIMIT_MS = 5 * 60_000;
const POLL_MS = 200;

export async function oneAtATime(lockFile, { signal }, work) {
  mkdirSync(dirname(lockFile), { recursive: true });
  const waitUntil = performance.now() + WAIT_LIMIT_MS;
  while (!take(lockFile)) {
    if (performance.now() > waitUntil) throw new Error(`another process holds ${lockFile} for too long.`);
    await sleep(POLL_MS, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function take(lockFile) {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(holderOf(lockFile))) rmSync(lockFile, { force: true });
    return false;
  }
}

function holderOf(lockFile) {
  try {
    return Number(readFileSync(lockFile, 'utf8'));
  } catch {
    return Number.NaN;
  }
}

// Without a number the file is just being written or removed, so the next look decides.
function isAlive(pid) {
  if (!pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
