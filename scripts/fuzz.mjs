// `npm run fuzz`: sends a gateway what nobody should send, for some minutes, and ends with 1 when an answer was not one
// of those that are allowed or when the books do not agree afterwards. The run itself is test/fuzz; docs/reliability.md
// describes it.
import { build, buildIsFresh } from './build.mjs';

import { findPostgres, startPostgres } from './postgres.mjs';
import { FUZZ, readRunOptions } from './run-options.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

const { databases } = readRunOptions(FUZZ);

await runScript(async ({ say }) => {
  const wantsPostgres = databases.includes('postgres');
  if (wantsPostgres) await ensureService('PostgreSQL', { say, signal });
  if (!buildIsFresh(root)) await build(root);
  const server = wantsPostgres ? await startPostgres({ binaries: findPostgres() }) : undefined;
  if (server) process.env.TENDER_FUZZ_DATABASE_URL = server.url;
  try {
    const { runnerImport } = await import('vite');
    const { module } = await runnerImport(`${root}test/fuzz/main.ts`, { root, configFile: false, logLevel: 'warn' });
    return module.exitCode;
  } finally {
    await server?.stop();
  }
});
