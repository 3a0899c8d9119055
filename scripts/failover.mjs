// `npm run failover`: PostgreSQL with a synchronous standby under pg_auto_failover, whose primary is killed while
// merchants sell. The run itself is test/failover; vite reads its TypeScript. docs/guides/standby.md describes it.
import { existsSync } from 'node:fs';
import { build, buildIsFresh } from './build.mjs';
import { canInstallDebianPackages, installDebianPackages } from './debian-packages.mjs';
import { FAILOVER, readFailoverOptions } from './failover-options.mjs';
import { findPostgres } from './postgres.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

readFailoverOptions(FAILOVER);

await runScript(async ({ say }) => {
  await ensureService('PostgreSQL', { say, signal });
  await ensureManager(say);
  if (!buildIsFresh(root)) await build(root);
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(`${root}test/failover/main.ts`, { root, configFile: false, logLevel: 'warn' });
  return module.exitCode;
});

/** Debian has one package for the command and one for each version of the server. */
async function ensureManager(say) {
  if (existsSync('/usr/bin/pg_autoctl')) return;
  const version = /\/postgresql\/(\d+)\//.exec(findPostgres() ?? '')?.[1];
  const packages = ['pg-auto-failover-cli', `postgresql-${version}-auto-failover`];
  if (version === undefined || !canInstallDebianPackages()) {
    throw new Error(`pg_autoctl is not installed; Debian has it in ${packages.join(' and ')}`);
  }
  say(`installing ${packages.join(' and ')}`);
  const complaint = await installDebianPackages(packages, { signal });
  if (complaint) throw new Error(`pg_autoctl: ${complaint}`);
}
