// A lock between processes that survives kill -9: never taken from a living process, taken over from a dead one.
// Each taker first lays down a claim whose file name says who it is, then looks for others. Two who come at once see
// each other and step back; and since no claim's name is ever used twice, removing a dead one can hit nobody else.

import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Lock = { release(): Promise<void> };

type Claim = { readonly file: string; readonly pid: number; readonly startedAt: string };

/** Rounds in which two living takers may step back from each other before one is told who is in the way. */
const MAX_ROUNDS = 6;
const STEP_BACK_MS = 20;

/** Where the system does not tell when a process started, its number alone must do. */
const UNKNOWN_START = '0';

export async function takeLock(path: string, what = path): Promise<Lock> {
  await mkdir(dirname(path), { recursive: true });
  const own = `${basename(path)}.${process.pid}.${await startOf(process.pid)}.${randomUUID()}`;
  const file = join(dirname(path), own);
  const release = async () => {
    await unlink(file).catch(() => {});
  };
  for (let round = 1; ; round++) {
    await (await open(file, 'wx')).close();
    const holder = await livingHolder(path, own);
    if (holder === undefined) return { release };
    await release();
    if (round === MAX_ROUNDS) throw new Error(`${what} is in use by process ${holder.pid}`);
    await sleep(STEP_BACK_MS * (1 + Math.random()));
  }
}

async function livingHolder(path: string, own: string): Promise<Claim | undefined> {
  for (const name of await readdir(dirname(path))) {
    const claim = readClaim(path, name);
    if (claim === undefined || name === own) continue;
    if (await isLiving(claim)) return claim;
    await unlink(claim.file).catch(() => {});
  }
  return undefined;
}

function readClaim(path: string, name: string): Claim | undefined {
  const prefix = `${basename(path)}.`;
  const [, pid, startedAt] =
    (name.startsWith(prefix) && /^(\d+)\.(\d+)\.[0-9a-f-]{36}$/.exec(name.slice(prefix.length))) || [];
  if (pid === undefined || startedAt === undefined) return undefined;
  return { file: join(dirname(path), name), pid: Number(pid), startedAt };
}

async function isLiving({ pid, startedAt }: Claim): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const start = await startOf(pid);
  return start === startedAt || start === UNKNOWN_START || startedAt === UNKNOWN_START;
}

/** Clock ticks between the system's start and the process's: tells a process from a later one with its number. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold anything; the start time is field 22.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? UNKNOWN_START;
  } catch {
    return UNKNOWN_START;
  }
}
