// `npm run screenshots`: a picture of every page a payer can see, on a desktop and a phone, light and dark, from the left
// and from the right, in screenshots/. The test of every page takes them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tellUsage } from './arguments.mjs';
import { findChromium } from './chromium.mjs';
import { run } from './command.mjs';
import { interruption } from './interruption.mjs';

const USAGE = `npm run screenshots -- [vitest's options]
  takes a picture of every page a payer can see, into screenshots/
  TENDER_TEST_CHROMIUM names the browser, when it is not found by itself`;

const LIMIT_MS = 15 * 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'screenshots');
const args = process.argv.slice(2);
if (args.includes('--help')) tellUsage(USAGE);
const { signal, release } = interruption();

async function takeAll() {
  const chromium = process.env.TENDER_TEST_CHROMIUM ?? findChromium();
  if (!chromium) throw new Error('no Chromium was found; install it, or name it with TENDER_TEST_CHROMIUM');
  rmSync(folder, { recursive: true, force: true });
  const env = { ...process.env, TENDER_TEST_CHROMIUM: chromium, TENDER_SCREENSHOTS: folder };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/browser/every-page.test.ts', ...args];
  const { code } = await run(process.execPath, vitest, { cwd: root, env, signal, limitMs: LIMIT_MS, show: true });
  process.stdout.write(`The pictures are in ${folder}.\n`);
  return code;
}

process.exitCode = await takeAll().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
release();
if (signal.aborted) process.kill(process.pid, signal.reason);
