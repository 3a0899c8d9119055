// Runs vitest to its end and reads its report.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './command.mjs';
import { failureLine, failureLines, readResults } from './test-results.mjs';

/** What vitest keeps of sources it has compiled (vitest.config.ts), version beside version: some three of each. */
const MODULES = 'node_modules/.cache/tender/modules';
const MOST_MODULES = 6_000;

/** Resolves with `{ passed, failed, skipped, files, failures, timedOut, output }`; `show` prints the output instead. */
export async function runVitest(args, { root, env = {}, signal, limitMs, show }) {
  forgetOldModules(root);
  const folder = mkdtempSync(join(tmpdir(), 'tender-test-'));
  try {
    const reportFile = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
    const { code, output, timedOut } = await run(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args],
      { cwd: root, env: { ...process.env, ...env }, signal, limitMs, show },
    );
    const results = readResults(reportFile);
    // Errors outside of any test, or a run without tests, show only in vitest's exit code.
    const unseen = code !== 0 && results.failed === 0 ? [failureLine('vitest', `ended with ${code}; see above`)] : [];
    const failures = [...failureLines({ ...results, root }), ...unseen];
    return { ...results, failed: results.failed + unseen.length, failures, timedOut, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One by one: another run may be at work in the folder. */
function forgetOldModules(root) {
  const folder = join(root, MODULES);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.length > MOST_MODULES) for (const name of names) rmSync(join(folder, name), { force: true });
}
