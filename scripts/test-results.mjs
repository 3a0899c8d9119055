// Reads vitest's JSON report: how many tests passed, failed and were skipped, which ones failed, and which suites were
// skipped because a service is missing.
import { existsSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const SHOWN_CHARS = 240;

/** The text in vitest's report for a test or hook that took too long. */
const TIMED_OUT = 'Error: STACK_TRACE_ERROR';

export function readResults(reportFile) {
  if (!existsSync(reportFile)) return { passed: 0, failed: 0, skipped: 0, files: [] };
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  const files = report.testResults;
  // A file that cannot be loaded, or whose hooks fail, fails without a failed test in it.
  const brokenFiles = files.filter(({ status, assertionResults }) => {
    return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
  });
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    files,
  };
}

/** A line for each failed test, or for a failed file without one: the file, the test and the error's first line. */
export function failureLines({ files, root }) {
  return files
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const path = relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [failureLine(path, message)];
      return failed.map(({ ancestorTitles, title, failureMessages }) =>
        failureLine([path, ...ancestorTitles, title].join(' > '), failureMessages[0]),
      );
    });
}

/** A line that is short enough for a log to show it whole. */
export function failureLine(what, message = '') {
  const [said = '', ...stack] = stripVTControlCharacters(message).trim().split('\n');
  const place = stack.find((line) => !line.includes('node_modules'))?.trim() ?? '';
  const shown = said === TIMED_OUT ? `timed out ${place}` : said;
  return `${what}: ${shown.slice(0, SHOWN_CHARS)}`;
}

/** A line for each missing service with the suites that were skipped because of it. */
export function skippedForWant({ files, missing, root }) {
  return Object.entries(missing).flatMap(([service, reason]) => {
    const wanting = files.filter(({ name }) => isFor(service, relative(root, name)));
    const suites = wanting.flatMap((file) => skippedSuites(file, root));
    return suites.length > 0 ? [`Skipped, as ${service} cannot be had (${reason}): ${suites.join('; ')}`] : [];
  });
}

// Browser tests are in one folder, those of security modules say so; every other skipped suite needs PostgreSQL.
function isFor(service, path) {
  if (path.startsWith(`test${sep}browser${sep}`)) return service === 'Chromium';
  return service === (path.includes('security-module') ? 'SoftHSM' : 'PostgreSQL');
}

function skippedSuites({ name, assertionResults }, root) {
  const path = relative(root, name);
  const skipped = assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed');
  const titles = new Set(skipped.map(({ ancestorTitles }) => ancestorTitles[0]));
  return [...titles].map((title) => (title ? `${path} > ${title}` : path));
}
