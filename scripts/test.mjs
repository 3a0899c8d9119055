// `npm test`: installs what is missing, checks style and types, builds, and runs every test against a PostgreSQL of
// its own. Arguments go to vitest; when they name files, only what those need is prepared, and nothing else is checked.
// When no file is named, each scenario is tried on one of the databases (test/tried-on.ts) and the trials are left out
// (test/trials.ts); with `--all` each is tried on both, and the trials run.
// `--database citus` runs the suites that have both databases on a cluster of Citus in their place.
// The last line is `N passed, N failed`, with `, N skipped` if any were; before it, after `Failed:`, stands a line for
// each failure.
import { fileURLToPath } from 'node:url';
import { tooOldNode } from '../bin/node-version.mjs';
import { build } from './build.mjs';
import { CHECKS, complaintOf } from './checks.mjs';
import { interruption } from './interruption.mjs';
import { ensurePackages } from './packages.mjs';
import { scanLeftBehind } from './scan-left-behind.mjs';
import { failureLine, skippedForWant } from './test-results.mjs';
import { namedFiles, ownOptions } from './test-selection.mjs';
import { provideServices } from './test-services.mjs';
import { runVitest } from './vitest.mjs';

/** Only what hangs takes so long: a busy machine may need twice the hour of a slow one. */
const RUN_LIMIT_MS = 150 * 60_000;
const SHOWN_FAILURES = 30;

const root = fileURLToPath(new URL('..', import.meta.url));
const { args, onCitus, all } = ownOptions(process.argv.slice(2));
const { signal, release } = interruption();
const say = (line) => process.stdout.write(`${line}\n`);

/** Checks, builds and tests in order; resolves with `{ passed, failed, skipped, failures }`. */
async function testAll() {
  const complaint = tooOldNode();
  if (complaint) throw new Error(complaint);
  await ensurePackages({ root, packages: 'all', say, signal });
  const named = namedFiles({ root, args });
  const services = await provideServices({ root, files: named, onCitus, say, signal });
  try {
    const broken = named ? [] : await checkAll();
    const looks = !named || Boolean(process.env.TENDER_TEST_SCAN);
    const { passed, failed, skipped, failures } = await runTests(services, { looks, isShort: !named && !all });
    const left = looks ? await scanAll(services) : undefined;
    return {
      passed: passed + (left?.length === 0 ? 1 : 0),
      failed: failed + broken.length + (left && left.length > 0 ? 1 : 0),
      skipped,
      failures: [...broken, ...failures, ...(left ?? [])],
    };
  } finally {
    await services.stop();
  }
}

/** Resolves with a line for each check that failed. */
async function checkAll() {
  say('checking style and types, building…');
  const built = build(root).then(
    () => undefined,
    (error) => error.message,
  );
  const names = [...CHECKS.map(({ name }) => name), 'build'];
  const complaints = await Promise.all([...CHECKS.map((check) => complaintOf(check, { root, signal })), built]);
  return names.flatMap((name, index) => {
    const complaint = complaints[index];
    if (complaint === undefined) return [];
    say(`\n${name} failed:\n${complaint}\n`);
    return [failureLine(name, firstComplaint(complaint))];
  });
}

/** One more test: what the others left behind. Undefined without a PostgreSQL of our own. */
async function scanAll({ env }) {
  const url = env.TENDER_TEST_DATABASE_URL;
  if (url === undefined || signal.aborted) return undefined;
  say('looking for card numbers in what the tests left behind…');
  const lines = await scanLeftBehind({ root, url, signal });
  return lines.map((line) => failureLine('card numbers left behind', line));
}

// Checkers tell how much they have checked before they name a file with a fault.
const firstComplaint = (output) => output.split('\n').find((line) => /^\S+\.\w+\b|\berror\b/i.test(line)) ?? output;

/** `looks`: every test fails that leaves a card number in its data folder (test/left-behind.ts). */
async function runTests({ env, missing }, { looks, isShort }) {
  const limitMs = RUN_LIMIT_MS - performance.now();
  const short = { TENDER_TEST_ONE_EACH: '1', TENDER_TEST_WITHOUT_TRIALS: '1' };
  const around = { ...env, ...(looks && { TENDER_TEST_SCAN: '1' }), ...(isShort && short) };
  const results = await runVitest(args, { root, env: around, signal, limitMs, show: true });
  for (const line of skippedForWant({ ...results, missing, root })) say(line);
  if (results.timedOut) say('The tests took too long and were stopped.');
  if (isShort) say('Each scenario ran on one database, and no trial: `npm test -- --all` runs everything, as CI does.');
  return results;
}

function sayFailures(failures) {
  if (failures.length > 0) say(['Failed:', ...failures.slice(0, SHOWN_FAILURES)].join('\n  '));
  if (failures.length > SHOWN_FAILURES) say(`  and ${failures.length - SHOWN_FAILURES} more`);
}

function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const counts = await testAll().catch((error) => {
  return { passed: 0, failed: 1, skipped: 0, failures: [error.message] };
});
release();
if (signal.aborted) {
  process.kill(process.pid, signal.reason);
} else {
  sayFailures(counts.failures);
  say(summary(counts));
  process.exitCode = counts.failed === 0 ? 0 : 1;
}
