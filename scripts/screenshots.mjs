// `npm run screenshots`: a picture of every page a payer can see, on a desktop and a phone, light and dark, from the left
// and from the right, in screenshots/. The test of every page takes them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.mjs';
import { run } from './command.mjs';
import { interruption } from './interruption.mjs';

const LIMIT_MS = 15 * 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'screenshots');
const { signal, release } = interruption();
const chromium = process.env.TENDER_TEST_CHROMIUM ?? findChromium();
if (!chromium) throw new Error('no Chromium was found; install it, or name it with TENDER_TEST_CHROMIUM');

rmSync(folder, { recursive: true, force: true });
const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/browser/every-page.test.ts', ...process.argv.slice(2)];
const env = { ...process.env, TENDER_TEST_CHROMIUM: chromium, TENDER_SCREENSHOTS: folder };
const { code } = await run(process.execPath, args, { cwd: root, env, signal, limitMs: LIMIT_MS, show: true });
release();
process.stdout.write(`The pictures are in ${folder}.\n`);
process.exitCode = code;
