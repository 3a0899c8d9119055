// What was found out from the contents of files, remembered until something about one of them changes: a start then
// asks for sizes and times instead of reading everything. Copies of the files have other numbers, so that their
// contents are read once.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file that changes again within a tick of a coarse clock keeps its times: nothing so young is remembered. */
const SETTLED_MS = 10_000;

/** `find` is called when one of the files, of paths from the root, is not what it was when `name` was remembered. */
export function remembered(root, { name, paths, find }) {
  const file = join(root, 'node_modules/.cache/tender', `${name}.json`);
  const at = Date.now();
  const { listing, newestMs } = listed(root, paths);
  const known = readMemory(file);
  if (known.listing === listing) return known.found;
  const found = find();
  if (newestMs < at - SETTLED_MS && existsSync(join(root, 'node_modules'))) writeMemory(file, { listing, found });
  return found;
}

/** Nobody can set the time of the last change, neither of contents nor of the name: `ctime`. */
function listed(root, paths) {
  const hash = createHash('sha256');
  let newestMs = 0;
  for (const path of paths) {
    const { size, mtimeMs, ctimeMs, ino, dev } = statSync(join(root, path));
    hash.update(`${path}\0${size} ${mtimeMs} ${ctimeMs} ${ino} ${dev}\0`);
    newestMs = Math.max(newestMs, mtimeMs, ctimeMs);
  }
  return { listing: hash.digest('hex'), newestMs };
}

function readMemory(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

function writeMemory(file, memory) {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(unfinished, JSON.stringify(memory));
    renameSync(unfinished, file);
  } catch {
    // Whoever may not write there reads the contents every time.
  }
}
