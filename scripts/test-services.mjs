// What the tests need beside Node: PostgreSQL, and Chromium once there are browser tests. Both are looked for, then
// installed from Debian's packages; tests learn of them from the environment and skip what they cannot run.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { canInstallDebianPackages, installDebianPackages } from './debian-packages.mjs';
import { findPostgres, startPostgres } from './postgres.mjs';

const POSTGRES = { name: 'PostgreSQL', debian: 'postgresql', find: findPostgres };
const CHROMIUM = { name: 'Chromium', debian: 'chromium', find: findChromium };

/** Resolves with `{ env, missing, stop }`; `missing` says for 'PostgreSQL' and 'Chromium' why it cannot be had. */
export async function provideServices({ root, say, signal }) {
  const wantsPostgres = !process.env.TENDER_TEST_DATABASE_URL;
  const wantsChromium = !process.env.TENDER_TEST_CHROMIUM && hasBrowserTests(root);
  const wanted = [...(wantsPostgres ? [POSTGRES] : []), ...(wantsChromium ? [CHROMIUM] : [])];
  const missing = await installMissing(wanted, { say, signal });

  const env = {};
  if (wantsChromium && !missing.Chromium) env.TENDER_TEST_CHROMIUM = findChromium();
  if (!wantsPostgres || missing.PostgreSQL) return { env, missing, stop: async () => {} };

  const { url, stop } = await startPostgres({ binaries: findPostgres() });
  env.TENDER_TEST_DATABASE_URL = url;
  return { env, missing, stop };
}

async function installMissing(wanted, { say, signal }) {
  const absent = wanted.filter(({ find }) => !find());
  if (absent.length === 0) return {};
  const reason = await install(absent, { say, signal });
  const stillAbsent = absent.filter(({ find }) => !find());
  return Object.fromEntries(stillAbsent.map(({ name }) => [name, reason ?? 'installed, but not found']));
}

async function install(absent, { say, signal }) {
  if (!canInstallDebianPackages()) return 'not installed, and installing it needs root and apt-get';
  say(`installing ${absent.map(({ name }) => name).join(' and ')} from Debian's packages…`);
  return installDebianPackages(
    absent.map(({ debian }) => debian),
    { signal },
  );
}

function hasBrowserTests(root) {
  const folder = join(root, 'test/browser');
  return existsSync(folder) && readdirSync(folder, { recursive: true }).some((name) => name.endsWith('.test.ts'));
}
