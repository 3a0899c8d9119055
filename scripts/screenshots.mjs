// `npm run screenshots`: takes a picture of every page a person sees, into screenshots/: the payer's pages, the console
// and a merchant's view of it, people's accounts, the documentation, the landing page and the demo shop, in light and
// dark, on the screens they are made for. Tests in a browser take them: those whose text says that they do.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tellUsage } from './arguments.mjs';
import { run } from './command.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

const USAGE = `npm run screenshots -- [words] [vitest's options]
  takes a picture of every page a person sees, into screenshots/; with words, those of the tests with one in their
  names: every-page (payers), console, people, docs, landing, demo-shop
  TENDER_TEST_CHROMIUM names the browser, when it is not found by itself`;

const LIMIT_MS = 30 * 60_000;
/** What takes a picture, where TENDER_SCREENSHOTS names a folder. */
const TAKES_PICTURES = /TENDER_SCREENSHOTS|looksWell/;
const TESTS = 'test/browser';

const folder = join(root, 'screenshots');
const args = process.argv.slice(2);
if (args.includes('--help')) tellUsage(USAGE);
const firstOption = args.findIndex((one) => one.startsWith('-'));
const words = firstOption < 0 ? args : args.slice(0, firstOption);
const options = args.slice(words.length);

await runScript(async ({ say }) => {
  const chromium = process.env.TENDER_TEST_CHROMIUM ?? (await ensureService('Chromium', { say, signal }));
  rmSync(folder, { recursive: true, force: true });
  const env = { ...process.env, TENDER_TEST_CHROMIUM: chromium, TENDER_SCREENSHOTS: folder };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...filesTaking(words), ...options];
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

function filesTaking(words) {
  const files = readdirSync(join(root, TESTS)).filter(
    (name) =>
      name.endsWith('.test.ts') &&
      (words.length === 0 || words.some((word) => name.includes(word))) &&
      TAKES_PICTURES.test(readFileSync(join(root, TESTS, name), 'utf8')),
  );
  if (files.length === 0) throw new Error(`no test with ${words.join(' or ')} in its name takes pictures`);
  return files.map((name) => join(TESTS, name));
}
