// `npm run pictures`: takes the pictures that the guides show, from a sandbox of its own, into docs/images/. Look at
// them before you hand them in: pages change, and so does what is on them.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellUsage } from './arguments.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

const USAGE = `npm run pictures
  takes the pictures that the guides show, into docs/images/
  TENDER_TEST_CHROMIUM names the browser, when it is not found by itself`;

const VIEW = { width: 1000, height: 700 };
const QUALITY = 60;
const STARTS_WITHIN_MS = 120_000;
const KEY = '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638';
const ORDER = { order_desc: 'Two tickets', amount: '24.90', currency: 'USD', email: 'ann@example.com' };
const CARD = { credit_card_number: '4444555566661111', expire_month: '12', expire_year: '2039', cvv2: '123' };

if (process.argv.includes('--help')) tellUsage(USAGE);

await runScript(async ({ say }) => {
  const executablePath = process.env.TENDER_TEST_CHROMIUM ?? (await ensureService('Chromium', { say, signal }));
  const { chromium } = await import('playwright-core');
  const folder = mkdtempSync(join(tmpdir(), 'tender-pictures-'));
  const sandbox = await startSandbox(folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: VIEW, locale: 'en-GB' });
    const client = await clientOf(sandbox.origin);
    await checkout(page, client);
    await tryIt(page, sandbox.origin);
    await order(page, client, sandbox.signIn);
  } finally {
    await browser.close();
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What it prints tells where it is. */
async function startSandbox(folder) {
  const data = ['--data', join(folder, 'data')];
  const args = ['bin/tender.mjs', 'start', ...data, '--port', '0', '--admin-port', '0'];
  const started = spawn(process.execPath, args, { cwd: root, signal, stdio: ['ignore', 'pipe', 'inherit'] });
  started.on('error', () => {});
  let said = '';
  started.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const stop = () => new Promise((resolve) => started.once('exit', resolve).kill('SIGTERM'));
  for (const until = Date.now() + STARTS_WITHIN_MS; Date.now() < until; ) {
    const [, origin] = /Start here +(\S+)\/\n/.exec(said) ?? [];
    if (said.includes('Ctrl-C') && origin) return { origin, stop, signIn: oneTimeLink(data) };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error('the sandbox did not start in time');
}

function oneTimeLink(data) {
  const adding = ['bin/tender.mjs', 'person', 'add', 'ann', '--role', 'administrator', ...data];
  const [link] = /http\S+#\S+/.exec(execFileSync(process.execPath, adding, { cwd: root })) ?? [];
  if (!link) throw new Error('there is no one-time link');
  return link;
}

async function clientOf(origin) {
  const { TenderClient } = await import('../dist/client.js');
  return new TenderClient({ baseUrl: `${origin}/paynet`, endpoint: 101, login: 'demo', controlKey: KEY });
}

async function checkout(page, client) {
  const form = await client.saleForm({ client_orderid: 'picture-form', ...ORDER });
  await page.goto(form['redirect-url']);
  await taken(page, 'checkout');
}

async function tryIt(page, origin) {
  await page.goto(`${origin}/docs/reference/operations/status`);
  await page.getByRole('button', { name: 'Sign and send' }).click();
  await page.getByRole('heading', { name: 'What was signed' }).waitFor();
  await page.locator('[data-try]').evaluate((one) => one.scrollIntoView({ block: 'start' }));
  await taken(page, 'try-it');
}

async function order(page, client, signIn) {
  const client_orderid = 'picture-order';
  await client.sale({ client_orderid, ...ORDER, ...CARD, card_printed_name: 'ANN EXAMPLE' });
  const { 'paynet-order-id': orderId } = await client.waitForEnd({ client_orderid });
  await page.goto(signIn);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByLabel('New password').fill(randomUUID());
  await page.getByRole('button', { name: 'Choose it' }).click();
  await page.getByRole('link', { name: 'What runs here' }).waitFor();
  await page.goto(new URL(`/console/orders/${orderId}`, signIn).href);
  await taken(page, 'console-order');
}

/** As WebP, which Chromium makes a quarter of the size of PNG. */
async function taken(page, name) {
  await page.waitForLoadState('networkidle');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const path = join('docs/images', `${name}.webp`);
  writeFileSync(join(root, path), Buffer.from(data, 'base64'));
  process.stdout.write(`${path} ${page.url()}\n`);
}
