// The database and the vault of an installation, and the key-encryption keys that open the vault.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../domain/clock.ts';
import { LINKS_LAST_MS } from '../processing/checkout/checkout.ts';
import { configurationStore } from '../storage/configuration.ts';
import { migrate, schemaState, type TellsMigration } from '../storage/connection/migrate.ts';
import { openDatabase } from '../storage/connection/open-database.ts';
import type { Database } from '../storage/database.ts';
import { makeFolder } from '../storage/embedded/make-folder.ts';
import { type MadeMonths, MONTHS_AHEAD, makeMonths, presentMonths } from '../storage/history/make-months.ts';
import { hasDataKeys, keyStore } from '../storage/keys/data-keys.ts';
import type { Records } from '../storage/records/records.ts';
import { createLog } from '../telemetry/log.ts';
import { KeyFileError, openKeyFile, refuseOpenKeyFile } from '../vault/key-file.ts';
import { keyPlaceMissing, openKeyPlaces } from '../vault/key-places.ts';
import { isBehindCommand, type KeyProvider, type KeyStore, Vault } from '../vault/vault.ts';
import { KEY_GRACE_MS, type Settings, type Surroundings } from './settings.ts';
import { openSigned, type SigningOptions } from './signed-records.ts';

/** The stores and the vault on one database: what commands need when no gateway runs. */
export type Store = {
  readonly database: Database;
  readonly vault: Vault;
  readonly records: Records;
  readonly configuration: ReturnType<typeof configurationStore>;
  close(): Promise<void>;
};

/** With a key command there is a key file only where one is named. */
function keyFilePath({ dataFolder, keyFile, keyCommand }: Settings): string | undefined {
  return keyFile ?? (keyCommand === undefined ? join(dataFolder, 'key-encryption-keys') : undefined);
}

/** The key-encryption keys there are; undefined where a sandbox has yet to make its key file. */
async function openKeys(settings: Settings): Promise<KeyProvider | undefined> {
  const { mode, keyCommand, wrapWith } = settings;
  const keyFile = keyFilePath(settings);
  if (mode === 'sandbox' && keyCommand === undefined && keyFile !== undefined && !existsSync(keyFile)) return undefined;
  const keys = await openKeyPlaces({ keyFile, keyCommand, wrapWith });
  if (mode === 'production' && keyFile !== undefined) await refuseOpenKeyFile(keyFile);
  return keys;
}

/** A sandbox makes its own key file, but not for a database that was sealed with another key. */
async function firstKeyFile(path: string, keys: KeyStore): Promise<KeyProvider> {
  const [sealed] = await keys.list();
  if (!sealed) {
    await openKeyFile(path, { create: true });
    return openKeyPlaces({ keyFile: path });
  }
  // Says which place has to be named, if it is another one.
  if (isBehindCommand(sealed.kekId)) throw keyPlaceMissing(sealed.kekId);
  throw new KeyFileError(
    `the key file ${path} does not exist, and this database was sealed with its key ${sealed.kekId}; put it there, or name it with --key-file or TENDER_KEY_FILE`,
  );
}

/** Makes a key file for production; a file that exists is never touched. */
export async function createKeyFile(path: string): Promise<void> {
  if (existsSync(path)) throw new KeyFileError(`${path} exists already; a key file is never overwritten`);
  await makeFolder(dirname(path));
  await openKeyFile(path, { create: true });
}

/**
 * Brings the schema up to date, and has records signed where a gateway has run already. A database without keys gets
 * them from the gateway that starts on it: made here, they would be wrapped under a key file that gateway may not have.
 */
export async function migrateStore(settings: Settings, tellMigration?: TellsMigration): Promise<MadeMonths> {
  const { dataFolder, databaseUrl } = settings;
  await makeFolder(dataFolder, 0o700);
  const place = { url: databaseUrl, dataFolder: join(dataFolder, 'database') };
  const database = await openDatabase({ ...place, begin: 'migrated' });
  try {
    const sealed = (await schemaState(database)).applied.length > 0 && (await hasDataKeys(database));
    if (!sealed) {
      await migrate(database, undefined, { tell: tellMigration });
      return await makeMonthsAhead(database);
    }
  } finally {
    await database.close();
  }
  const store = await openStore(settings, { tellMigration });
  try {
    return await makeMonthsAhead(store.database);
  } finally {
    await store.close();
  }
}

/** A role that only runs the gateway cannot make them, so they are to last until the next migration. */
const makeMonthsAhead = (database: Database) =>
  makeMonths(database, { months: presentMonths(systemClock.now(), MONTHS_AHEAD.migrating), isPatient: true });

type StoreOptions = Partial<Pick<Surroundings, 'clock' | 'onFatal' | 'log' | 'tellMigration'>> &
  Pick<Partial<SigningOptions>, 'vouches'>;

export async function openStore(settings: Settings, options: StoreOptions = {}): Promise<Store> {
  const { clock = systemClock, onFatal, vouches, tellMigration } = options;
  const { log = createLog((line) => process.stderr.write(line)) } = options;
  const { dataFolder, databaseUrl, databaseConnections, inMemory, keyGraceMs = KEY_GRACE_MS } = settings;
  const isNew = !existsSync(dataFolder);
  await makeFolder(dataFolder, 0o700);
  // A sandbox in the folder of a shop must not get into the shop's history; a folder that was there is left alone.
  if (isNew && settings.mode === 'sandbox') await writeFile(join(dataFolder, '.gitignore'), '*\n');
  const existing = await openKeys(settings);
  const place = { url: databaseUrl, dataFolder: inMemory ? undefined : join(dataFolder, 'database') };
  const poolSize = databaseConnections;
  const database = await openDatabase({ ...place, poolSize, begin: 'migrated', onFatal });
  try {
    // Only this process can have the embedded database open, so no other node removes keys.
    const graceMs = database.kind === 'pglite' ? undefined : keyGraceMs;
    const keys = keyStore(database);
    const openVault = async () => {
      const provider = existing ?? (await firstKeyFile(keyFilePath(settings) as string, keys));
      return Vault.open(keys, provider, { clock, graceMs, linksLastMs: LINKS_LAST_MS });
    };
    const { vault, records } = await openSigned({ database, openVault, clock, log, vouches, tellMigration });
    const configuration = configurationStore(database, records);
    return { database, vault, records, configuration, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}
