// Makes the folder or the template an embedded database starts from. initdb takes seconds, so a virgin cluster is
// kept in the cache, named by PGlite's version; without a writable cache every new database runs initdb itself.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CACHE_FOLDER, PACKAGE_ROOT } from './package-root.ts';
import { startPglite } from './pglite-link.ts';

/** The cluster in `folder`; a missing one appears there complete or not at all. */
export async function ensureCluster(folder: string): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const template = await templateCluster();
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  if (template === undefined) await initialise(unfinished);
  else await cp(template, unfinished, { recursive: true });
  await flushTree(unfinished);
  await rename(unfinished, folder);
  await flush(dirname(folder));
}

/** A folder with a virgin cluster, or undefined when there is nowhere to keep one. */
export async function templateCluster(): Promise<string | undefined> {
  const template = join(CACHE_FOLDER, `pglite-${await pgliteVersion()}-cluster`);
  if (existsSync(template)) return template;
  const unfinished = `${template}.${process.pid}.${randomUUID()}`;
  try {
    await mkdir(unfinished, { recursive: true });
  } catch {
    return undefined;
  }
  try {
    await initialise(unfinished);
    await flushTree(unfinished);
    await rename(unfinished, template);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was quicker: its template is as good.
    if (!existsSync(template)) throw error;
  }
  return template;
}

async function initialise(folder: string): Promise<void> {
  const link = await startPglite({ cluster: folder }, () => {});
  await link.close();
}

async function pgliteVersion(): Promise<string> {
  const manifest = join(PACKAGE_ROOT, 'node_modules/@electric-sql/pglite/package.json');
  return JSON.parse(await readFile(manifest, 'utf8')).version;
}

async function flushTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await flushTree(path);
    else await flush(path);
  }
  await flush(folder);
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
