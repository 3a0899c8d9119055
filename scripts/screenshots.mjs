// `npm run screenshots`: takes a picture of every page a payer can see, on a desktop and a phone, light and dark, from
// left to right and from right to left, into screenshots/. The browser test of all pages takes them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { tellUsage } from './arguments.mjs';
import { run } from './command.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

const USAGE = `npm run screenshots -- [vitest's options]
  takes a picture of every page a payer can see, into screenshots/
  TENDER_TEST_CHROMIUM names the browser, when it is not found by itself`;

const LIMIT_MS = 15 * 60_000;

const folder = join(root, 'screenshots');
const args = process.argv.slice(2);
if (args.includes('--help')) tellUsage(USAGE);

await runScript(async ({ say }) => {
  const chromium = process.env.TENDER_TEST_CHROMIUM ?? (await ensureService('Chromium', { say, signal }));
  rmSync(folder, { recursive: true, force: true });
  const env = { ...process.env, TENDER_TEST_CHROMIUM: chromium, TENDER_SCREENSHOTS: folder };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/browser/every-page.test.ts', ...args];
  const { code, timedOut } = await run(process.execPath, vitest, {
    cwd: root,
    env,
    signal,
    limitMs: LIMIT_MS,
    show: true,
  });
  if (timedOut) throw new Error('taking the pictures took too long');
  if (code !== 0) throw new Error('not every picture could be taken; see above');
  process.stdout.write(`The pictures are in ${folder}.\n`);
});
