// What the tests need beside Node: PostgreSQL and, for the browser tests, Chromium. Both are looked for, then installed
// from Debian's packages; tests learn of them from the environment and skip what they cannot run.
import { findChromium } from './chromium.mjs';
import { canInstallDebianPackages, installDebianPackages } from './debian-packages.mjs';
import { findPostgres, startPostgres } from './postgres.mjs';
import { readsVariable } from './test-selection.mjs';

const POSTGRES = { name: 'PostgreSQL', debian: 'postgresql', find: findPostgres };
const CHROMIUM = { name: 'Chromium', debian: 'chromium', find: findChromium };

/** Resolves with the place of 'PostgreSQL' or 'Chromium'; throws with the reason when it is not available. */
export async function ensureService(name, { say, signal }) {
  const service = [POSTGRES, CHROMIUM].find((one) => one.name === name);
  const { [name]: reason } = await installMissing([service], { say, signal });
  if (reason) throw new Error(`${name} is needed: ${reason}`);
  return service.find();
}

/**
 * Resolves with `{ env, missing, stop }`; `missing` says why 'PostgreSQL' or 'Chromium' is not available. A service
 * that none of `files` needs is left out; without `files` both are provided.
 */
export async function provideServices({ root, files, say, signal }) {
  const wants = (variable) => !process.env[variable] && (!files || readsVariable({ root, files, variable }));
  const wantsPostgres = wants('TENDER_TEST_DATABASE_URL');
  const wantsChromium = wants('TENDER_TEST_CHROMIUM');
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
