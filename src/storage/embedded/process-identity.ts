// Which process it is: its number, when it started and where it can be seen, so that nobody takes a later process with
// the same number for it. In containers numbers come again at every start.

import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

export type ProcessIdentity = { readonly pid: number; readonly startedAt: string; readonly place: string };

/** Its place behind the state. */
const START_TIME = 19;
const PLACE_LENGTH = 12;
/** Where the system does not tell when a process started, its number alone must do. */
const UNKNOWN = '0';

export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  const [startedAt, place] = await Promise.all([startOf(pid), ownPlace()]);
  return { pid, startedAt, place };
}

/** Whether we could see it at all. */
export async function isNear({ place }: ProcessIdentity): Promise<boolean> {
  return place === (await ownPlace());
}

/** Of a process that is near. */
export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
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

/** Dead, and only its entry is left until its parent asks for it, which in a container may be never. */
async function isZombie(pid: number): Promise<boolean> {
  const [state] = await statOf(pid);
  if (state !== 'Z' && state !== 'X') return false;
  // The first thread is gone; another one may still be within a write.
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  return threads.length <= 1;
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
