// Which test files the arguments of `npm test` name, as vitest understands them, and which services those need.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORTED = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** The other arguments, and whether `--database citus` and `--all` are among them. */
export function ownOptions(given) {
  const rest = given.filter((arg) => arg !== '--all');
  const all = rest.length < given.length;
  const at = rest.indexOf('--database');
  if (at < 0) return { args: rest, onCitus: false, all };
  if (rest[at + 1] !== 'citus') throw new Error('--database takes citus: the others are always tested');
  return { args: rest.toSpliced(at, 2), onCitus: true, all };
}

/** The named files, relative to the root; undefined when none is named, so that all of them run. */
export function namedFiles({ root, args }) {
  // A word after an option may be the value of that option, not a name.
  const names = args.filter(
    (arg, index) => !arg.startsWith('-') && (!/^-[^=]*$/.test(args[index - 1] ?? '') || existsSync(join(root, arg))),
  );
  if (names.length === 0) return undefined;
  return testFiles(root).filter((path) => names.some((name) => path.includes(name.replace(/^\.\//, ''))));
}

/** Whether one of the files reads this variable, by itself or in what it imports. */
export function readsVariable({ root, files, variable }) {
  const seen = new Set();
  const reads = (path) => {
    if (seen.has(path) || !existsSync(join(root, path))) return false;
    seen.add(path);
    const text = readFileSync(join(root, path), 'utf8');
    if (text.includes(variable)) return true;
    return [...text.matchAll(IMPORTED)].map(([, to]) => join(dirname(path), to)).some(reads);
  };
  return files.some(reads);
}

function testFiles(root) {
  return ['src', 'test', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => `${folder}/${name}`)
      .filter((path) => /\.test\.(ts|mjs)$/.test(path) && !path.includes('node_modules')),
  );
}
