// `npm run chaos`: breaks whole installations on purpose and looks whether anything was lost or doubled. The run itself is
// test/chaos, which a short version in `npm test` shares; vite reads its TypeScript. What it does: docs/reliability.md.
import { fileURLToPath } from 'node:url';
import { tooOldNode } from '../bin/node-version.mjs';
import { build, buildIsFresh } from './build.mjs';
import { readChaosOptions } from './chaos-options.mjs';
import { interruption } from './interruption.mjs';
import { ensurePackages } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const say = (line) => process.stdout.write(`${line}\n`);

async function chaos() {
  const complaint = tooOldNode();
  if (complaint) throw new Error(complaint);
  readChaosOptions();
  const { signal, release } = interruption();
  await ensurePackages({ root, packages: 'all', say, signal });
  if (!buildIsFresh(root)) await build(root);
  release();
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(`${root}test/chaos/main.ts`, { root, configFile: false, logLevel: 'warn' });
  return module.exitCode;
}

process.exitCode = await chaos().catch((error) => {
  say(error.cause ? `${error.message}: ${error.cause.stack}` : error.message);
  return 1;
});
