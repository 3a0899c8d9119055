// Where an installation's keys of security codes are: in a folder of the machine's memory that is named by the user and
// the database, so that all processes of this user on one database share it, and no others do.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDatabaseAddress } from '../storage/connection/database-address.ts';
import type { Log } from '../telemetry/log.ts';
import {
  CodeKeyFolderError,
  type CodeKeyPlace,
  codeKeysInProcess,
  isInMemory,
  openCodeKeyFolder,
} from '../vault/code-key-place.ts';
import type { Settings } from './settings.ts';

/** Linux has it; in a container it is that of the container. */
const SHARED_MEMORY = '/dev/shm';

const DIGEST_DIGITS = 16;

type Installation = Pick<Settings, 'codeKeyFolder' | 'databaseUrl' | 'dataFolder' | 'mode'>;

export async function openCodeKeyPlace(settings: Installation, log: Log): Promise<CodeKeyPlace> {
  const { codeKeyFolder, mode } = settings;
  if (codeKeyFolder !== undefined) return openIn(codeKeyFolder, settings);
  if (existsSync(SHARED_MEMORY) && (await isInMemory(SHARED_MEMORY))) return openIn(SHARED_MEMORY, settings);
  if (mode === 'production') {
    log.warn(
      'keys of security codes are in this process only: payments that wait when it dies are declined with 194; name a folder in memory with --code-key-folder',
    );
  }
  return codeKeysInProcess();
}

/** A disk keeps what was overwritten on it. */
async function openIn(parent: string, installation: Installation): Promise<CodeKeyPlace> {
  const folder = join(parent, nameOf(installation));
  const place = await openCodeKeyFolder(folder);
  if (installation.mode === 'production' && (await isInMemory(folder)) === false) {
    throw new CodeKeyFolderError(
      `the folder ${parent} for keys of security codes is on a disk; --code-key-folder or TENDER_CODE_KEY_FOLDER must name one in memory (tmpfs), such as one in /dev/shm`,
    );
  }
  return place;
}

/** The database is named without its password: everybody may list these folders. Hosts may be named in any order. */
function nameOf({ databaseUrl, dataFolder }: Installation): string {
  const urls = databaseUrl === undefined ? [] : readDatabaseAddress(databaseUrl).hosts.map(({ url }) => new URL(url));
  const places = urls.map(({ hostname, port, pathname }) => `${hostname}:${port}${pathname}`);
  const database = databaseUrl === undefined ? dataFolder : places.sort().join(',');
  const digest = createHash('sha256').update(database).digest('hex').slice(0, DIGEST_DIGITS);
  return `tender-${process.getuid?.() ?? 'user'}-${digest}`;
}
