// Where the keys of security codes are: never in the database, nor in anything that is made of it. A folder in the
// machine's memory outlives a process that is killed, and is shared by all processes of the machine; without one the
// keys are in the process alone. A key is one file, so that nobody has to wait for anybody else.

import { randomFillSync } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rmdir, statfs, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type CodeKeyPlace = {
  keep(id: string, bytes: Buffer): Promise<void>;
  find(id: string): Promise<Buffer | undefined>;
  list(): Promise<string[]>;
  /** Overwrites the key before it is removed. */
  destroy(id: string): Promise<void>;
  /** Removes the folder when no key is left in it. */
  removeIfEmpty(): Promise<void>;
};

export class CodeKeyFolderError extends Error {
  override readonly name = 'CodeKeyFolderError';
}

/** The kinds of Linux' file systems that live in memory: tmpfs and ramfs. */
const IN_MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

const PERMISSIONS = 0o777;

/** Half-written keys have another name, which is never listed. */
const KEY_NAME = /^[0-9a-f]{32}$/;

/** Keys that die with this process. */
export function codeKeysInProcess(): CodeKeyPlace {
  const kept = new Map<string, Buffer>();
  return {
    async keep(id, bytes) {
      kept.set(id, Buffer.from(bytes));
    },
    async find(id) {
      const bytes = kept.get(id);
      return bytes && Buffer.from(bytes);
    },
    list: async () => [...kept.keys()],
    async destroy(id) {
      kept.get(id)?.fill(0);
      kept.delete(id);
    },
    removeIfEmpty: async () => {},
  };
}

/** Opens the folder, making it when it is missing. It must belong to this user, and to nobody else. */
export async function openCodeKeyFolder(folder: string): Promise<CodeKeyPlace> {
  await ownFolder(folder);
  const pathOf = (id: string) => join(folder, id);
  return {
    async keep(id, bytes) {
      // Another process of this machine may have removed it while it was empty.
      await ownFolder(folder);
      const unfinished = pathOf(`${id}.${process.pid}`);
      await writeFile(unfinished, bytes, { mode: 0o600, flag: 'w' });
      await rename(unfinished, pathOf(id));
    },
    find: (id) => orMissing(readFile(pathOf(id))),
    list: async () => ((await orMissing(readdir(folder))) ?? []).filter((name) => KEY_NAME.test(name)),
    async destroy(id) {
      await orMissing(overwrite(pathOf(id)));
      await orMissing(unlink(pathOf(id)));
    },
    removeIfEmpty: () => rmdir(folder).catch(() => {}),
  };
}

/** Whether a folder is in the machine's memory; undefined where the system does not tell. */
export async function isInMemory(folder: string): Promise<boolean | undefined> {
  return process.platform === 'linux' ? IN_MEMORY.has((await statfs(folder)).type) : undefined;
}

/** Others may have made a folder of this name before, in a place where everybody may. */
async function ownFolder(folder: string): Promise<void> {
  const refusal = (reason: string) =>
    new CodeKeyFolderError(`the folder ${folder} for keys of security codes ${reason}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new CodeKeyFolderError(refusal('cannot be made').message, { cause });
  }
  const found = await lstat(folder);
  if (!found.isDirectory()) throw refusal('is not a folder');
  if (process.platform === 'win32') return;
  if (found.uid !== process.getuid?.()) throw refusal('belongs to another user');
  if ((found.mode & PERMISSIONS) !== 0o700) throw refusal('is open to others; "chmod 700" keeps them out');
}

async function overwrite(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR);
  try {
    const { size } = await file.stat();
    await file.write(randomFillSync(Buffer.alloc(size)), 0, size, 0);
  } finally {
    await file.close();
  }
}

/** Another process of this machine may have removed it. */
async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
