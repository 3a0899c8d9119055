// The checks that do not run the program: style and types. Both keep their last findings in the cache and look only at
// what has changed since.
import { changedStyle } from './changed-style.mjs';
import { run } from './command.mjs';

const CHECK_LIMIT_MS = 10 * 60_000;

const BIOME = ['node_modules/@biomejs/biome/bin/biome', 'check', '--diagnostic-level=error'];
const TSC = ['node_modules/typescript/bin/tsc', '--incremental', '--tsBuildInfoFile'];
/** Every further checker works out for itself most of what the first has: the tests use the other processors better. */
const ALONE = ['--checkers', '1'];

const typesOf =
  (findings, ...project) =>
  ({ root, signal }) =>
    complaint([...TSC, `node_modules/.cache/tender/${findings}`, ...ALONE, ...project], { root, signal });

export const CHECKS = [
  { name: 'style', find: styleComplaint },
  { name: 'types', find: typesOf('types.json') },
  { name: 'types of the pages', find: typesOf('page-types.json', '-p', 'src/web/browser') },
];

/** Resolves with the complaint of a check that failed, otherwise with undefined. */
export function complaintOf({ find }, { root, signal }) {
  return find({ root, signal });
}

async function styleComplaint({ root, signal }) {
  const { paths, remember } = changedStyle(root);
  if (paths.length === 0) return undefined;
  const found = await complaint([...BIOME, '--no-errors-on-unmatched', '--files-ignore-unknown=true', ...paths], {
    root,
    signal,
  });
  if (found === undefined) remember();
  return found;
}

async function complaint(args, { root, signal }) {
  const { code, output } = await run(process.execPath, args, { cwd: root, signal, limitMs: CHECK_LIMIT_MS });
  return code === 0 ? undefined : output.trim();
}
