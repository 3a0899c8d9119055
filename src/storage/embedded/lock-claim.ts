// A claim to a lock: a file whose name says which process laid it down, so that it is there whole or not at all.
// Whether its owner lives is asked of the system; an owner in another container or on another machine, whose
// processes we cannot see, is living as long as it goes on touching its file.

import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNear, isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';

export type LockClaim = ProcessIdentity & { readonly file: string };

export const TOUCH_EVERY_MS = 2_000;
const SILENT_FOR_MS = 7 * TOUCH_EVERY_MS;
const LOOK_EVERY_MS = 500;

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

export async function isLiving(claim: LockClaim): Promise<boolean> {
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
