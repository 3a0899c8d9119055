// Key-encryption keys in a file that only its owner can read: one line per key, `<id> <64 hexadecimal digits>`. The
// last key is the current one. A key that was retired leaves a comment of the same length behind.

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openSealed, seal } from './seal.ts';
import { KeyHolderError, type KeyProvider } from './vault.ts';

const KEY_BYTES = 32;

const OPEN_TO_OTHERS = 0o066;

const UNREADABLE: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
};

export class KeyFileError extends KeyHolderError {
  override readonly name = 'KeyFileError';
}

type Kek = { readonly id: string; readonly key: Buffer };

/** Opens a key file; `create` makes it when it is missing (a sandbox does, production names an existing one). */
export async function openKeyFile(path: string, options: { create: boolean }): Promise<KeyProvider> {
  let keys = await readKeys(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    if (!options.create) throw new KeyFileError(`the key file ${path} does not exist`);
    await mkdir(dirname(path), { recursive: true });
    const first = newKek();
    await writeDurably(path, 'wx', line(first));
    return [first];
  });
  return {
    async wrap(dataKey) {
      const kek = keys.at(-1) as Kek;
      return { wrapped: seal(kek.key, dataKey, kek.id), kekId: kek.id };
    },
    async unwrap(wrapped, kekId) {
      // Another process may have added a key since we read the file.
      if (!keys.some((one) => one.id === kekId)) keys = await readKeys(path);
      const kek = keys.find((one) => one.id === kekId);
      if (!kek)
        throw new KeyFileError(`the key file ${path} does not hold the key ${kekId} this database was sealed with`);
      try {
        return openSealed(kek.key, wrapped, kekId);
      } catch (cause) {
        const line = `the key file ${path} has another key ${kekId} than this database was sealed with; put the right copy there`;
        throw new KeyFileError(line, { cause });
      }
    },
    async rotate() {
      const kek = newKek();
      // The key gets a line of its own, even if a person left the last line unfinished.
      await writeDurably(path, 'a', `\n${line(kek)}`);
      keys = [...keys, kek];
      return kek.id;
    },
    async retire(kekId) {
      keys = await readKeys(path);
      if (!keys.some((one) => one.id === kekId)) throw new KeyFileError(`the key file ${path} has no key ${kekId}`);
      if (keys.at(-1)?.id === kekId) {
        throw new KeyFileError(`${kekId} is the current key of the key file ${path}; make a newer one first`);
      }
      await overwriteKey(path, kekId);
      keys = keys.filter((one) => one.id !== kekId);
    },
  };
}

/** In place, so that the digits are gone from the disk and a key that somebody adds meanwhile is not lost. */
async function overwriteKey(path: string, kekId: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const bytes = await file.readFile();
    for (const [begin, end] of linesIn(bytes)) {
      if (!bytes.toString('latin1', begin, end).trim().startsWith(`${kekId} `)) continue;
      await file.write(Buffer.from(`# ${kekId} was retired`.padEnd(end - begin).slice(0, end - begin)), 0, null, begin);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Where each line begins and ends. */
function* linesIn(bytes: Buffer): Generator<readonly [begin: number, end: number]> {
  let begin = 0;
  while (begin < bytes.length) {
    const found = bytes.indexOf('\n', begin);
    const end = found === -1 ? bytes.length : found;
    yield [begin, end];
    begin = end + 1;
  }
}

/** A key must be on disk before anything is wrapped under it. */
async function writeDurably(path: string, flag: 'a' | 'wx', text: string): Promise<void> {
  const file = await open(path, flag, 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (flag === 'wx') await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Refuses a file that users other than its owner may read or change, as far as the file system tells. */
export async function refuseOpenKeyFile(path: string): Promise<void> {
  if (process.platform === 'win32' || ((await stat(path)).mode & OPEN_TO_OTHERS) === 0) return;
  throw new KeyFileError(`others than its owner may read the key file ${path}; "chmod 600 ${path}" keeps them out`);
}

async function readKeys(path: string): Promise<Kek[]> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const reason = UNREADABLE[cause.code ?? ''];
    throw reason === undefined ? cause : new KeyFileError(`the key file ${path} cannot be read: ${reason}`, { cause });
  });
  const lines = text.split('\n').map((one) => one.trim());
  const keys = lines
    .filter((text) => text !== '' && !text.startsWith('#'))
    .map((text) => {
      const match = /^(\S+) ([0-9a-fA-F]{64})$/.exec(text);
      if (!match) throw new KeyFileError(`the key file ${path} has a line that is not "<id> <64 hexadecimal digits>"`);
      return { id: match[1] as string, key: Buffer.from(match[2] as string, 'hex') };
    });
  if (keys.length === 0) throw new KeyFileError(`the key file ${path} holds no key`);
  return keys;
}

function newKek(): Kek {
  const key = randomBytes(KEY_BYTES);
  return { id: `kek-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`, key };
}

function line({ id, key }: Kek): string {
  return `${id} ${key.toString('hex')}\n`;
}
