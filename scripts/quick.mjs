// `npm run quick`: tells within a minute whether a change is sound. It checks style, types, and every test that needs
// neither database nor process, all at once, with a line and the time for each. It installs what is missing, like
// `npm test`.
import { CHECKS, complaintOf } from './checks.mjs';
import { root, runScript, signal } from './script.mjs';
import { runVitest } from './vitest.mjs';

const TEST_LIMIT_MS = 10 * 60_000;

const say = (line) => process.stdout.write(`${line}\n`);
const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

async function quick() {
  const began = performance.now();
  const checks = CHECKS.map((check) => step(check.name, () => complaintOf(check, { root, signal })));
  const failed = (await Promise.all([...checks, step('tests', runTests)])).filter(Boolean);
  for (const { name, complaint } of failed) say(`\n${name} failed:\n${complaint}`);
  const end = failed.length === 0 ? 'all is well' : `${failed.map(({ name }) => name).join(', ')} failed`;
  say(`${failed.length === 0 ? '' : '\n'}quick: ${end}, ${seconds(began)}`);
  return failed.length === 0 ? 0 : 1;
}

/** Reports the result of a step; resolves with `{ name, complaint }` if it failed. */
async function step(name, work) {
  const began = performance.now();
  const complaint = await work();
  say(`${name.padEnd(20)}${complaint === undefined ? 'ok    ' : 'FAILED'}  ${seconds(began)}`);
  return complaint === undefined ? undefined : { name, complaint };
}

async function runTests() {
  const results = await runVitest(['--project=unit'], { root, signal, limitMs: TEST_LIMIT_MS, show: false });
  if (results.timedOut) return 'The tests took too long and were stopped.';
  return results.failed === 0 ? undefined : [results.output.trim(), ...results.failures].join('\n');
}

await runScript(quick);
