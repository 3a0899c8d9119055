// The database and the vault of an installation, and the key file that opens it.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationStore } from '../storage/configuration.ts';
import { keyStore } from '../storage/data-keys.ts';
import type { Database } from '../storage/database.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { migrate } from '../storage/migrate.ts';
import { openDatabase } from '../storage/open-database.ts';
import { KeyFileError, openKeyFile } from '../vault/key-file.ts';
import { Vault } from '../vault/vault.ts';
import { KEY_GRACE_MS, type Settings, type Surroundings } from './settings.ts';

/** The stores and the vault on one database: what commands need when no gateway runs. */
export type Store = {
  readonly database: Database;
  readonly vault: Vault;
  readonly configuration: ReturnType<typeof configurationStore>;
  close(): Promise<void>;
};

/** A key file for production, which names its own; one that exists is never touched. */
export async function createKeyFile(path: string): Promise<void> {
  if (existsSync(path)) throw new KeyFileError(`${path} exists already; a key file is never overwritten`);
  await makeFolder(dirname(path));
  await openKeyFile(path, { create: true });
}

export async function openStore(
  settings: Settings,
  { clock, onFatal }: Pick<Surroundings, 'clock' | 'onFatal'> = {},
): Promise<Store> {
  const { dataFolder, databaseUrl, keyFile, keyGraceMs = KEY_GRACE_MS, mode } = settings;
  await makeFolder(dataFolder, 0o700);
  const provider = await openKeyFile(keyFile ?? join(dataFolder, 'key-encryption-keys'), {
    create: mode === 'sandbox',
  });
  const place = { url: databaseUrl, dataFolder: join(dataFolder, 'database') };
  const database = await openDatabase({ ...place, begin: 'migrated', onFatal });
  try {
    await migrate(database);
    // Nobody else can have the embedded database open, so nobody else removes keys.
    const graceMs = database.kind === 'pglite' ? undefined : keyGraceMs;
    const vault = await Vault.open(keyStore(database), provider, { clock, graceMs });
    const configuration = configurationStore(database);
    return { database, vault, configuration, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}
