// Where this package lies on disk, found the same way from `src/` and from the bundle in `dist/`, and its version.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const { root: PACKAGE_ROOT, version: PACKAGE_VERSION } = findPackage(dirname(fileURLToPath(import.meta.url)));

/** Holds only what can be made again: the start template of the embedded database, a built worker. */
export const CACHE_FOLDER = join(PACKAGE_ROOT, 'node_modules', '.cache', 'tender');

function findPackage(start: string): { root: string; version: string } {
  for (let root = start; ; root = dirname(root)) {
    const file = join(root, 'package.json');
    const { name, version } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    if (name === 'tender') return { root, version };
    if (root === dirname(root)) throw new Error(`no package.json named "tender" above ${start}`);
  }
}
