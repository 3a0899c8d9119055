// The checks that do not run the program: style and types. The compiler keeps its last findings in the cache.
import { run } from './command.mjs';

const CHECK_LIMIT_MS = 10 * 60_000;

const TSC = ['node_modules/typescript/bin/tsc', '--incremental', '--tsBuildInfoFile'];

export const CHECKS = [
  { name: 'style', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--diagnostic-level=error', '.'] },
  { name: 'types', args: [...TSC, 'node_modules/.cache/tender/types.json'] },
  { name: 'types of the pages', args: [...TSC, 'node_modules/.cache/tender/page-types.json', '-p', 'src/web/browser'] },
];

/** Resolves with the complaint of a check that failed, otherwise with undefined. */
export async function complaintOf({ args }, { root, signal }) {
  const { code, output } = await run(process.execPath, args, { cwd: root, signal, limitMs: CHECK_LIMIT_MS });
  return code === 0 ? undefined : output.trim();
}
