// A database that may be read whole: the server's, a copy of what a running gateway has embedded, or that of a stopped
// one.

import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exists, findRunning, noDatabaseIn } from './administrator.ts';
import { databaseUrlOf } from './setting-options.ts';

export type WhichGateway = { readonly data: string; readonly databaseUrl?: string };

/** Copies of a running embedded database, and of a gateway's memory, named after the process that reads them. */
const COPY = /^(?:export|heap)-(\d+)$/;

export type DatabaseLocation = { readonly url: string } | { readonly dataFolder: string };

/** Finds the database: the server's, a copy of the running gateway's, or that of a stopped one. */
export async function withDatabase<T>(values: WhichGateway, work: (place: DatabaseLocation) => Promise<T>): Promise<T> {
  const url = databaseUrlOf(values);
  if (url !== undefined) return work({ url });
  const data = resolve(values.data);
  const running = await findRunning(values);
  if (!running) {
    const dataFolder = join(data, 'database');
    if (await exists(dataFolder)) return work({ dataFolder });
    throw await noDatabaseIn(data, 'name its folder with --data');
  }
  await removeLeftovers(data);
  const name = `export-${process.pid}`;
  const dataFolder = join(data, name);
  try {
    await running.ask('copyDatabase', { name });
    return await work({ dataFolder });
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** Of commands that were killed, one with our own number among them: in containers numbers come again. */
export async function removeLeftovers(data: string): Promise<void> {
  for (const name of await readdir(data)) {
    const pid = Number(COPY.exec(name)?.[1]);
    const isLeft = pid === process.pid || (!Number.isNaN(pid) && !isAlive(pid));
    if (isLeft) await rm(join(data, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
