// What the gateways of scenarios begin from: a data folder and a database in which a sandbox has started once already,
// as each of them would, in a process of its own or in one of the tests. When all tests run, whoever needs it first
// makes it, for all processes of the run; when some are named, the first ones of a process start on nothing and the
// next makes it. The others copy it, which takes half of the time.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../src/storage/database.ts';

export type Beginning = {
  readonly folder: string;
  /** Which database of the server is to be copied. */
  readonly database: string | undefined;
};

/** On which database a gateway is that runs in a process of tests; one of its own is on the embedded database. */
type Kind = Database['kind'] | 'process';

const DATABASE = 'database-name';
/** So few of a process start on nothing when only some files run: making this takes as long as two starts. */
const FEW = process.env.TENDER_TEST_SCAN === undefined ? 2 : 0;
let needs = 0;

/** The temporary folder is this run's own (test/setup/scratch.ts). */
const seededPlace = (kind: Kind) => join(tmpdir(), `seeded-${kind}`);

const dataIn = (place: string) => join(place, 'data');

/** Where the data folder is that gateways on such a database begin from, once there is one. */
export const seededFolder = (kind: Database['kind']) => dataIn(seededPlace(kind));

/**
 * Undefined as long as there is none. `make` leaves one in the folder it is given, and resolves with the name of its
 * database on the server.
 */
export async function seededBeginning(
  kind: Kind,
  make: (folder: string) => Promise<string | undefined>,
): Promise<Beginning | undefined> {
  const place = seededPlace(kind);
  if (existsSync(place)) return beginningIn(place);
  needs += 1;
  if (needs <= FEW || !(await isOurs(`${place}.new`))) return undefined;
  const database = await make(dataIn(`${place}.new`));
  if (database !== undefined) await writeFile(join(`${place}.new`, DATABASE), database);
  await rename(`${place}.new`, place);
  return beginningIn(place);
}

/** The name of the database that gateways are copied from, if there is one. */
export async function seededDatabase(place = seededPlace('postgres')): Promise<string | undefined> {
  return readFile(join(place, DATABASE), 'utf8').catch(() => undefined);
}

async function beginningIn(place: string): Promise<Beginning> {
  return { folder: dataIn(place), database: await seededDatabase(place) };
}

/** Whoever makes the folder makes what is in it. */
async function isOurs(folder: string): Promise<boolean> {
  return mkdir(folder).then(
    () => true,
    () => false,
  );
}

/** As a program of the system: there are hundreds of files. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await promisify(execFile)('cp', ['-R', from, to]);
}
