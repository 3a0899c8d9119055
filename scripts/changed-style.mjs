// Which files have changed since their style was last found good, so that only those are looked at again.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MEMORY = 'node_modules/.cache/tender/style.json';
/** What decides on style besides a file itself. */
const RULES = ['biome.json', '.gitignore', 'node_modules/@biomejs/biome/package.json'];
/** So many arguments fit on every command line. */
const MOST_NAMED = 200;

/** Returns the paths to look at, and `remember`, which is called once all of them were found good. */
export function changedStyle(root) {
  const rules = digest(RULES.map((path) => readFileSync(join(root, path), 'utf8')).join('\0'));
  const known = readMemory(root);
  const good = new Set(known.rules === rules ? known.files : []);
  const files = filesOf(root);
  const changed = files.filter(({ fingerprint }) => !good.has(fingerprint));
  return {
    paths: changed.length > MOST_NAMED ? ['.'] : changed.map(({ path }) => path),
    remember: () => writeMemory(root, { rules, files: files.map(({ fingerprint }) => fingerprint) }),
  };
}

function filesOf(root) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const paths = listed.toString().split('\0').filter(Boolean);
  return paths.flatMap((path) => {
    try {
      return [{ path, fingerprint: digest(`${path}\0${readFileSync(join(root, path), 'latin1')}`) }];
    } catch {
      return [];
    }
  });
}

const digest = (text) => createHash('sha256').update(text).digest('base64url');

function readMemory(root) {
  try {
    return JSON.parse(readFileSync(join(root, MEMORY), 'utf8'));
  } catch {
    return {};
  }
}

function writeMemory(root, memory) {
  mkdirSync(dirname(join(root, MEMORY)), { recursive: true });
  writeFileSync(join(root, MEMORY), JSON.stringify(memory));
}
