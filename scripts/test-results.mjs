// Reads vitest's JSON report: how many tests passed, failed and were skipped, and which suites a missing service cost.
import { existsSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

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

/** A line for each missing service, naming the suites that were skipped for want of it. */
export function skippedForWant({ files, missing, root }) {
  return Object.entries(missing).flatMap(([service, reason]) => {
    const wanting = files.filter(({ name }) => isFor(service, relative(root, name)));
    const suites = wanting.flatMap((file) => skippedSuites(file, root));
    return suites.length > 0 ? [`Skipped, as ${service} cannot be had (${reason}): ${suites.join('; ')}`] : [];
  });
}

// Browser tests live in one folder; every other skipped suite waits for PostgreSQL.
function isFor(service, path) {
  const isBrowserTest = path.startsWith(`test${sep}browser${sep}`);
  return (service === 'Chromium') === isBrowserTest;
}

function skippedSuites({ name, assertionResults }, root) {
  const path = relative(root, name);
  const skipped = assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed');
  const titles = new Set(skipped.map(({ ancestorTitles }) => ancestorTitles[0]));
  return [...titles].map((title) => (title ? `${path} > ${title}` : path));
}
