// A lock between processes that survives kill -9: never taken from a living process, taken over from a dead one.
// Each taker first lays down its claim, then looks for others. Two who come at once see each other and step back; and
// since no claim's name is ever used twice, removing a dead one can hit nobody else.

import { open, readdir, unlink, utimes } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLiving, type LockClaim, ownClaim, readClaim, TOUCH_EVERY_MS } from './lock-claim.ts';
import { makeFolder } from './make-folder.ts';

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
