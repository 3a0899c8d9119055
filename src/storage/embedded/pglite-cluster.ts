// Makes the folder or the template an embedded database starts from. initdb takes seconds and a schema nearly as long,
// so each beginning is kept in the cache, if one can be written, named by PGlite's version.

import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CACHE_FOLDER } from '../connection/package-root.ts';
import { flush } from '../wire/flush.ts';

/** What the pinned PGlite is built from. */
const POSTGRES_MAJOR = '18';

/** What a new cluster holds. What is made under one name is always the same. */
export type Beginning = { readonly name: string; make(folder: string): Promise<void> };

/** The cluster in `folder`; a missing one appears there complete or not at all. */
export async function ensureCluster(folder: string, beginning: Beginning): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return refuseOtherMajor(folder);
  const template = await templateCluster(beginning);
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  if (template === undefined) await beginning.make(unfinished);
  else await cp(template, unfinished, { recursive: true });
  await flushTree(unfinished);
  await rename(unfinished, folder);
  await flush(dirname(folder));
}

/** A copy to be read and thrown away: it is not flushed, and shares blocks with the original where it can. */
export function copyCluster(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true, force: false });
}

/** The files follow PostgreSQL's major version, and it does not read another's. */
async function refuseOtherMajor(folder: string): Promise<void> {
  const major = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (major === POSTGRES_MAJOR) return;
  throw new Error(
    `${folder} was written by PostgreSQL ${major}, this program's embedded database is ${POSTGRES_MAJOR}`,
  );
}

/** A folder with such a cluster, or undefined when there is nowhere to keep one. */
export async function templateCluster({ name, make }: Beginning): Promise<string | undefined> {
  const template = join(CACHE_FOLDER, `pglite-${await pgliteVersion()}-${name}`);
  if (existsSync(template)) return template;
  const unfinished = `${template}.${process.pid}.${randomUUID()}`;
  try {
    await mkdir(unfinished, { recursive: true });
  } catch {
    return undefined;
  }
  try {
    await make(unfinished);
    await flushTree(unfinished);
    await rename(unfinished, template);
  } catch {
    await rm(unfinished, { recursive: true, force: true });
    // Perhaps another process was quicker: its template is as good.
    if (!existsSync(template)) return undefined;
  }
  return template;
}

async function pgliteVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return JSON.parse(await readFile(join(dirname(dirname(entry)), 'package.json'), 'utf8')).version;
}

async function flushTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await flushTree(path);
    else await flush(path);
  }
  await flush(folder);
}
