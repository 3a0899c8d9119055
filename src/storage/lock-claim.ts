// A claim to a lock: a file whose name says which process laid it down, so that it is there whole or not at all.
// Whether its owner lives is asked of the system; an owner in another container or on another machine, whose
// processes we cannot see, is living as long as it goes on touching its file.

import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Claim = { readonly file: string; readonly pid: number; readonly startedAt: string; readonly place: string };

export const TOUCH_EVERY_MS = 2_000;
const SILENT_FOR_MS = 7 * TOUCH_EVERY_MS;
const LOOK_EVERY_MS = 500;

/** Its place behind the state. */
const START_TIME = 19;
const PLACE_LENGTH = 12;
/** Where the system does not tell when a process started, its number alone must do. */
const UNKNOWN = '0';

export async function ownClaim(path: string): Promise<Claim> {
  const { pid } = process;
  const [startedAt, place] = await Promise.all([startOf(pid), ownPlace()]);
  return { file: `${path}.${pid}.${startedAt}.${place}.${randomUUID()}`, pid, startedAt, place };
}

export function readClaim(path: string, name: string): Claim | undefined {
  const prefix = `${basename(path)}.`;
  if (!name.startsWith(prefix)) return undefined;
  const [, pid, startedAt, place] = /^(\d+)\.(\d+)\.([0-9a-f]+)\.[0-9a-f-]{36}$/.exec(name.slice(prefix.length)) ?? [];
  if (pid === undefined || startedAt === undefined || place === undefined) return undefined;
  return { file: join(dirname(path), name), pid: Number(pid), startedAt, place };
}

export async function isLiving(claim: Claim): Promise<boolean> {
  return claim.place === (await ownPlace()) ? isRunning(claim) : isTouched(claim);
}

async function isRunning({ pid, startedAt }: Claim): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Anything else means that it is there and not ours to signal.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  if (await isZombie(pid)) return false;
  const start = await startOf(pid);
  return start === startedAt || start === UNKNOWN || startedAt === UNKNOWN;
}

/** Dead to its last thread, and only its entry is left until its parent asks for it, which in a container may be never. */
async function isZombie(pid: number): Promise<boolean> {
  const [state] = await statOf(pid);
  if (state !== 'Z' && state !== 'X') return false;
  // The first thread is gone; another one may still be within a write.
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  return threads.length <= 1;
}

async function isTouched({ file }: Claim): Promise<boolean> {
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

/** Clock ticks from the system's start to the process's: tells a process from a later one with its number. */
async function startOf(pid: number): Promise<string> {
  return (await statOf(pid))[START_TIME] ?? UNKNOWN;
}

/** What the system says of a process, beginning with its state; nothing where it does not say. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The field before is the command in brackets and may hold anything.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The same for two processes exactly when each can see the other's number. */
async function ownPlace(): Promise<string> {
  const parts = await Promise.all([
    readlink('/proc/self/ns/pid').catch(() => ''),
    readFile('/etc/machine-id', 'utf8').catch(() => ''),
  ]);
  return createHash('sha256')
    .update([hostname(), ...parts].join('\n'))
    .digest('hex')
    .slice(0, PLACE_LENGTH);
}
