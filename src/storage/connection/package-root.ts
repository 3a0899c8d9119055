// Where this package lies on disk, found the same way from `src/` and from the bundle in `dist/`.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE_ROOT = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/** Holds only what can be made again: the start template of the embedded database, a built worker. */
export const CACHE_FOLDER = join(PACKAGE_ROOT, 'node_modules', '.cache', 'tender');

function findPackageRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'tender') return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json named "tender" above ${start}`);
  }
}
