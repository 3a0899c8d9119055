// What the tests need beside Node: PostgreSQL, for the browser tests Chromium, and for key commands SoftHSM with
// pkcs11-tool. They are looked for, then installed from Debian's packages; tests learn of them from the environment and
// skip what they cannot run.
import { findChromium } from './chromium.mjs';
import { findCitus, startCitus } from './citus.mjs';
import { canInstallDebianPackages, installDebianPackages } from './debian-packages.mjs';
import { findPostgres, startPostgres } from './postgres.mjs';
import { findSoftHsm } from './soft-hsm.mjs';
import { readsVariable } from './test-selection.mjs';

/**
 * No test takes the power away, and processes that are killed leave what they wrote to the system. Every database that
 * is made or dropped would wait for all that the others have written.
 */
const UNFLUSHED = { fsync: 'off', full_page_writes: 'off' };

const POSTGRES = { name: 'PostgreSQL', debian: ['postgresql'], find: findPostgres };
/** Older systems do not have the shell alone. */
const CHROMIUM = { name: 'Chromium', debian: ['chromium-headless-shell'], instead: ['chromium'], find: findChromium };
const SOFT_HSM = { name: 'SoftHSM', debian: ['softhsm2', 'opensc', 'openssl'], find: findSoftHsm };

/** Resolves with the place of 'PostgreSQL' or 'Chromium'; throws with the reason when it is not available. */
export async function ensureService(name, { say, signal }) {
  const service = [POSTGRES, CHROMIUM].find((one) => one.name === name);
  const { [name]: reason } = await installMissing([service], { say, signal });
  if (reason) throw new Error(`${name} is needed: ${reason}`);
  return service.find();
}

/**
 * Resolves with `{ env, missing, stop }`; `missing` says why a service is not available. A service that none of
 * `files` needs is left out; without `files` all are provided.
 */
export async function provideServices({ root, files, onCitus = false, say, signal }) {
  const wants = (variable) => !process.env[variable] && (!files || readsVariable({ root, files, variable }));
  const wantsPostgres = wants('TENDER_TEST_DATABASE_URL');
  const wantsChromium = wants('TENDER_TEST_CHROMIUM');
  const wantsSoftHsm = wants('TENDER_TEST_PKCS11_MODULE');
  const wanted = [
    ...(wantsPostgres ? [POSTGRES] : []),
    ...(wantsChromium ? [CHROMIUM] : []),
    ...(wantsSoftHsm ? [SOFT_HSM] : []),
  ];
  const missing = await installMissing(wanted, { say, signal });

  const env = onCitus ? { TENDER_TEST_ON: 'citus' } : {};
  const citus = await ownCitus({ root, files, onCitus, say });
  if (citus) env.TENDER_TEST_OWN_CITUS = citus.urls[0];
  const stopCitus = async () => citus?.stop();
  if (wantsChromium && !missing.Chromium) env.TENDER_TEST_CHROMIUM = findChromium();
  if (wantsSoftHsm && !missing.SoftHSM) env.TENDER_TEST_PKCS11_MODULE = findSoftHsm();
  if (!wantsPostgres || missing.PostgreSQL) return { env, missing, stop: stopCitus };

  const { url, stop } = await startPostgres({ binaries: findPostgres(), settings: UNFLUSHED });
  env.TENDER_TEST_DATABASE_URL = url;
  return { env, missing, stop: async () => void (await Promise.all([stop(), stopCitus()])) };
}

/** A cluster of Citus where it is installed, which nobody needs to: otherwise its tests are not even looked at. */
async function ownCitus({ root, files, onCitus, say }) {
  if (process.env.TENDER_TEST_CITUS_URL) return undefined;
  if (files && !onCitus && !readsVariable({ root, files, variable: 'TENDER_TEST_OWN_CITUS' })) return undefined;
  const binaries = findCitus();
  if (binaries) return startCitus({ binaries, settings: UNFLUSHED });
  if (onCitus) throw new Error('there is no Citus here, and TENDER_TEST_CITUS_URL names none');
  say('Citus is not installed, and TENDER_TEST_CITUS_URL names none: the tests of clusters are left out.');
  return undefined;
}

async function installMissing(wanted, { say, signal }) {
  const absent = wanted.filter(({ find }) => !find());
  if (absent.length === 0) return {};
  if (!canInstallDebianPackages()) return reasons(absent, 'not installed, and installing it needs root and apt-get');
  say(`installing ${absent.map(({ name }) => name).join(' and ')} from Debian's packages…`);
  const reason = await installDebianPackages(
    absent.flatMap(({ debian }) => debian),
    { signal },
  );
  if (reason === undefined) return reasons(stillAbsent(absent), 'installed, but not found');
  // One package that this system does not have keeps the others from being installed.
  const each = {};
  for (const service of stillAbsent(absent)) {
    for (const packages of [service.debian, service.instead ?? []]) {
      if (packages.length > 0 && !service.find())
        each[service.name] = await installDebianPackages(packages, { signal });
    }
  }
  return Object.fromEntries(stillAbsent(absent).map(({ name }) => [name, each[name] ?? 'installed, but not found']));
}

const stillAbsent = (services) => services.filter(({ find }) => !find());

const reasons = (services, reason) => Object.fromEntries(services.map(({ name }) => [name, reason]));
