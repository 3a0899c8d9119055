// `npm test`: installs what is missing, checks style and types, builds, and runs every test against a PostgreSQL of
// its own. Arguments go to vitest. The last line is `N passed, N failed`, with `, N skipped` if any were; before it, after
// `Failed:`, stands a line for each failure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tooOldNode } from '../bin/node-version.mjs';
import { build } from './build.mjs';
import { run } from './command.mjs';
import { interruption } from './interruption.mjs';
import { ensurePackages } from './packages.mjs';
import { failureLine, failureLines, readResults, skippedForWant } from './test-results.mjs';
import { provideServices } from './test-services.mjs';

const RUN_LIMIT_MS = 25 * 60_000;
const CHECK_LIMIT_MS = 2 * 60_000;
const SHOWN_FAILURES = 30;

const root = fileURLToPath(new URL('..', import.meta.url));
const { signal, release } = interruption();
const say = (line) => process.stdout.write(`${line}\n`);

/** Everything in order; resolves with `{ passed, failed, skipped, failures }`. */
async function testAll() {
  const complaint = tooOldNode();
  if (complaint) throw new Error(complaint);
  await ensurePackages({ root, packages: 'all', say, signal });
  const services = await provideServices({ root, say, signal });
  try {
    say('checking style and types, building…');
    const checks = [checkStyle(), checkTypes(), checkPageTypes(), checkBuild()];
    const broken = (await Promise.all(checks)).filter(Boolean);
    for (const { name, output } of broken) say(`\n${name} failed:\n${output.trim()}\n`);
    const { passed, failed, skipped, failures } = await runVitest(services);
    const brokenLines = broken.map(({ name, output }) => failureLine(name, firstComplaint(output)));
    return { passed, failed: failed + broken.length, skipped, failures: [...brokenLines, ...failures] };
  } finally {
    await services.stop();
  }
}

const checkStyle = () =>
  check('biome', ['node_modules/@biomejs/biome/bin/biome', 'check', '--diagnostic-level=error', '.']);
const checkTypes = () => check('tsc', ['node_modules/typescript/bin/tsc']);
const checkPageTypes = () => check('tsc of the pages', ['node_modules/typescript/bin/tsc', '-p', 'src/web/browser']);

/** Resolves with `{ name, output }` of a check that failed, otherwise undefined. */
async function check(name, args) {
  const { code, output } = await run(process.execPath, args, { cwd: root, signal, limitMs: CHECK_LIMIT_MS });
  return code === 0 ? undefined : { name, output };
}

async function checkBuild() {
  return build(root).catch((error) => ({ name: 'build', output: error.message }));
}

// Checkers tell how much they looked at before they tell of a file what is wrong with it.
const firstComplaint = (output) => output.split('\n').find((line) => /^\S+\.\w+\b|\berror\b/i.test(line)) ?? output;

async function runVitest({ env, missing }) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-test-'));
  try {
    const reportFile = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...process.argv.slice(2)];
    const { code, timedOut } = await run(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      signal,
      limitMs: RUN_LIMIT_MS - performance.now(),
      show: true,
    });
    const results = readResults(reportFile);
    for (const line of skippedForWant({ ...results, missing, root })) say(line);
    if (timedOut) say('The tests took too long and were stopped.');
    // Errors outside of any test, or no test at all, show only in vitest's exit code.
    const unseen = code !== 0 && results.failed === 0 ? [failureLine('vitest', `ended with ${code}; see above`)] : [];
    const failures = [...failureLines({ ...results, root }), ...unseen];
    return { ...results, failed: results.failed + unseen.length, failures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
