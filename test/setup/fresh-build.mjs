// Before the tests that start processes: dist/ is built from the present sources. A broken build is said and does not
// stop the tests that need none; the launcher in bin/ refuses to run a stale one.
import { fileURLToPath } from 'node:url';
import { build, buildIsFresh } from '../../scripts/build.mjs';

export default async function freshBuild() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  if (buildIsFresh(root)) return;
  await build(root).catch((error) => process.stderr.write(`dist/ is not fresh: ${error.message}\n`));
}
