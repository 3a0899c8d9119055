// A lock between processes that survives kill -9: never taken from a living process, taken over from a dead one.
// Each taker first lays down its claim, then looks for others. Two who come at once see each other and step back; and
// since no claim's name is ever used twice, removing a dead one can hit nobody else.

import { randomUUID } from 'node:crypto';
import { open, readdir, stat, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from './make-folder.ts';
import { isNear, isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** A file whose name says which process laid it down, so that it is there whole or not at all. */
type LockClaim = ProcessIdentity & { readonly file: string };

const TOUCH_EVERY_MS = 2_000;
const SILENT_FOR_MS = 7 * TOUCH_EVERY_MS;
const LOOK_EVERY_MS = 500;

export type Lock = { release(): Promise<void> };

/** Rounds in which living takers may step back from each other before one is told who is in the way. */
const MAX_ROUNDS = 6;
const STEP_BACK_MS = 20;

/** `what` names the locked thing in the refusal "… is in use by process N". */
export async function takeLock(path: string, what = path): Promise<Lock> {
  await makeFolder(dirname(path));
  for (let round = 1; ; round++) {
    const claim = await ownClaim(path);
    const lock = await layDown(claim);
    const holder = await livingHolder(path, claim);
    if (holder === undefined) return lock;
    await lock.release();
    // One elsewhere was watched long enough to have stepped back.
    if (round === MAX_ROUNDS || holder.place !== claim.place)
      throw new Error(`${what} is in use by process ${holder.pid}`);
    await sleep(STEP_BACK_MS * (1 + Math.random()));
  }
}

async function layDown({ file }: LockClaim): Promise<Lock> {
  await (await open(file, 'wx')).close();
  const touch = () => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  };
  const touching = setInterval(touch, TOUCH_EVERY_MS).unref();
  return {
    async release() {
      clearInterval(touching);
      await unlink(file).catch(() => {});
    },
  };
}

async function livingHolder(path: string, own: LockClaim): Promise<LockClaim | undefined> {
  for (const name of await readdir(dirname(path))) {
    const claim = readClaim(path, name);
    if (claim === undefined || name === basename(own.file)) continue;
    if (await isLiving(claim)) return claim;
    await unlink(claim.file).catch(() => {});
  }
  return undefined;
}

export async function ownClaim(path: string): Promise<LockClaim> {
  const own = await ownIdentity();
  return { file: `${path}.${own.pid}.${own.startedAt}.${own.place}.${randomUUID()}`, ...own };
}

export function readClaim(path: string, name: string): LockClaim | undefined {
  const prefix = `${basename(path)}.`;
  if (!name.startsWith(prefix)) return undefined;
  const [, pid, startedAt, place] = /^(\d+)\.(\d+)\.([0-9a-f]+)\.[0-9a-f-]{36}$/.exec(name.slice(prefix.length)) ?? [];
  if (pid === undefined || startedAt === undefined || place === undefined) return undefined;
  return { file: join(dirname(path), name), pid: Number(pid), startedAt, place };
}

/** An owner in another container or machine, whose processes we cannot see, lives while it touches its file. */
async function isLiving(claim: LockClaim): Promise<boolean> {
  return (await isNear(claim)) ? isRunning(claim) : isTouched(claim);
}

async function isTouched({ file }: LockClaim): Promise<boolean> {
  const first = await touchedAt(file);
  for (let waited = 0; waited < SILENT_FOR_MS; waited += LOOK_EVERY_MS) {
    await sleep(LOOK_EVERY_MS);
    const last = await touchedAt(file);
    if (last === undefined) return false;
    if (last !== first) return true;
  }
  return false;
}

async function touchedAt(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}
