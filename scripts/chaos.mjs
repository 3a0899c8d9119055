// `npm run chaos`: breaks whole installations on purpose and checks whether anything was lost or doubled. The run
// itself is test/chaos, which a short version in `npm test` shares; vite reads its TypeScript. docs/reliability.md
// describes it.
import { build, buildIsFresh } from './build.mjs';
import { CHAOS, readRunOptions } from './run-options.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

const { databases } = readRunOptions(CHAOS);

await runScript(async ({ say }) => {
  if (databases.includes('postgres')) await ensureService('PostgreSQL', { say, signal });
  if (!buildIsFresh(root)) await build(root);
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(`${root}test/chaos/main.ts`, { root, configFile: false, logLevel: 'warn' });
  return module.exitCode;
});
