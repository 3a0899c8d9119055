// Tries a sandbox as two containers have it: the gateway in one network namespace, a shop and a payer's Chromium in
// another, and one port between them. Hosted form, 3-D Secure challenge, final redirect, callback by name to a private
// address, and OAuth must all work. Needs Linux, root, iproute2 and Chromium: `node scripts/two-namespaces.mjs`.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.mjs';

const KEY = '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638';
/** Its issuer examines the browser first, and then asks the payer. */
const CHALLENGED_CARD = '4000000000001109';
const BASE = 'http://gateway:8080/paynet';
const SHOP = 'http://shop:3000';
/** The error code of every wrong signature. */
const WRONG_SIGNATURE = '20';
const LIMIT_MS = 120_000;
const NAMES = { gateway: 'tender-gateway', shop: 'tender-shop' };
const ADDRESSES = { gateway: '10.77.0.1', shop: '10.77.0.2' };

const own = fileURLToPath(import.meta.url);
const launcher = fileURLToPath(new URL('../bin/tender.mjs', import.meta.url));
const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });
const say = (line) => process.stdout.write(`${line}\n`);

if (process.argv[2] === 'shop') await beShop();
else await tryBoth();

/** Two namespaces with a cable between them, each with a file of hosts that names the other. */
async function tryBoth() {
  const folder = mkdtempSync(join(tmpdir(), 'tender-namespaces-'));
  let gateway;
  try {
    for (const [role, name] of Object.entries(NAMES)) {
      ip('netns', 'add', name);
      mkdirSync(`/etc/netns/${name}`, { recursive: true });
      const other = role === 'gateway' ? 'shop' : 'gateway';
      writeFileSync(`/etc/netns/${name}/hosts`, `127.0.0.1 localhost\n${ADDRESSES[other]} ${other}\n`);
      // The shop's own name is for its browser.
      if (role === 'shop') writeFileSync(`/etc/netns/${name}/hosts`, `${ADDRESSES.shop} shop\n`, { flag: 'a' });
    }
    ip('link', 'add', 'tg0', 'netns', NAMES.gateway, 'type', 'veth', 'peer', 'name', 'ts0', 'netns', NAMES.shop);
    for (const [role, link] of [
      ['gateway', 'tg0'],
      ['shop', 'ts0'],
    ]) {
      ip('-n', NAMES[role], 'address', 'add', `${ADDRESSES[role]}/24`, 'dev', link);
      for (const one of ['lo', link]) ip('-n', NAMES[role], 'link', 'set', one, 'up');
    }
    const settings = ['--host', '0.0.0.0', '--data', join(folder, 'data'), '--callback-hosts', 'shop:3000'];
    gateway = within('gateway', [process.execPath, launcher, 'start', ...settings], 'pipe');
    await untilReady(gateway);
    const shop = within('shop', [process.execPath, own, 'shop'], 'inherit');
    [process.exitCode] = await once(shop, 'exit');
  } finally {
    if (gateway?.exitCode === null) {
      gateway.kill('SIGTERM');
      await once(gateway, 'exit');
    }
    for (const name of Object.values(NAMES)) {
      execFileSync('ip', ['netns', 'delete', name], { stdio: 'ignore' });
      rmSync(`/etc/netns/${name}`, { recursive: true, force: true });
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function within(role, command, stdout) {
  const args = ['netns', 'exec', NAMES[role], ...command];
  return spawn('ip', args, { stdio: ['ignore', stdout, 'inherit'] });
}

async function untilReady(gateway) {
  let said = '';
  gateway.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  await new Promise((resolve, reject) => {
    gateway.stdout.on('data', () => said.includes('A first payment') && resolve());
    gateway.once('exit', () => reject(new Error(`the gateway ended: ${said}`)));
  });
}

/** The other namespace: a shop that is called back, and the payer's browser. */
async function beShop() {
  const heard = { callback: waited(), back: waited() };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url, SHOP);
      if (pathname === '/callback') heard.callback.resolve(Object.fromEntries(searchParams));
      if (pathname === '/back') heard.back.resolve(Object.fromEntries(new URLSearchParams(body)));
      response.end('OK');
    });
  }).listen(3000, '0.0.0.0');
  const limit = setTimeout(() => fail('it took too long'), LIMIT_MS);
  const results = [
    ['only one port of the gateway is open', (await openPorts()).join() === '8080'],
    ['OAuth over the address that was called', await payout()],
    ...(await payInBrowser(heard)),
  ];
  for (const [what, isSo] of results) say(`${isSo ? 'passed' : 'FAILED'}  ${what}`);
  clearTimeout(limit);
  server.close();
  server.closeAllConnections();
  process.exitCode = results.every(([, isSo]) => isSo) ? 0 : 1;
}

async function payInBrowser({ callback, back }) {
  const order = `two-${randomUUID()}`;
  const email = 'payer@example.com';
  const form = await post(`${BASE}/api/v2/sale-form/102`, {
    ...{ client_orderid: order, amount: '10.42', currency: 'EUR', email, order_desc: 'Socks' },
    ...{ redirect_url: `${SHOP}/back`, server_callback_url: `${SHOP}/callback` },
    control: sha1(`102${order}1042${email}${KEY}`),
  });
  const address = form.body['redirect-url'] ?? fail(JSON.stringify(form.body));
  const { chromium } = await import('playwright-core');
  const executablePath = process.env.TENDER_TEST_CHROMIUM ?? findChromium();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const page = await browser.newPage();
  const hosts = new Set();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(address);
  await page.locator('#credit_card_number').fill(CHALLENGED_CARD);
  await page.locator('#expiry').fill('1234');
  await page.locator('#cvv2').fill('123');
  await page.locator('#card_printed_name').fill('Ann Example');
  await page.locator('form[data-card-form] button[type=submit]').click();
  await page.locator('#password').fill('hint');
  const issuer = page.url();
  await page.locator('button[value=confirm]').click();
  const [returned, told] = await Promise.all([back.promise, callback.promise]);
  await browser.close();
  const isOurs = ({ status, orderid, client_orderid, control }) =>
    status === 'approved' && control === sha1(`${status}${orderid}${client_orderid}${KEY}`);
  return [
    ['the hosted form at the address that was called', address.startsWith(`${BASE}/pay/`)],
    [`the issuer's page at the gateway's own address: ${issuer}`, issuer.startsWith(`${BASE}/sandbox/issuer/`)],
    [
      `the browser asked for nothing elsewhere: ${[...hosts].join(', ')}`,
      [...hosts].sort().join() === 'gateway:8080,shop:3000',
    ],
    ['the final redirect to the shop, signed and approved', isOurs(returned)],
    ['the callback to the shop by name, signed and approved', isOurs(told)],
  ];
}

/** HMAC-SHA1 over the URL that is called (RFC 5849); a payout is refused for want of balance, not of a signature. */
async function payout() {
  const url = `${BASE}/api/v2/payout/101`;
  const fields = {
    client_orderid: `two-${randomUUID()}`,
    amount: '1.00',
    currency: 'USD',
    credit_card_number: '4111111111111111',
  };
  const oauth = {
    ...{ oauth_consumer_key: 'demo', oauth_nonce: randomUUID(), oauth_signature_method: 'HMAC-SHA1' },
    ...{ oauth_timestamp: String(Math.floor(Date.now() / 1000)), oauth_version: '1.0' },
  };
  const pairs = Object.entries({ ...fields, ...oauth }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const base = `POST&${encodeURIComponent(url)}&${encodeURIComponent(pairs.sort().join('&'))}`;
  const signed = { ...oauth, oauth_signature: createHmac('sha1', `${KEY}&`).update(base).digest('base64') };
  const written = Object.entries(signed).map(([name, value]) => `${name}="${encodeURIComponent(value)}"`);
  const { status, body } = await post(url, fields, { authorization: `OAuth ${written.join(', ')}` });
  if (status !== 200) say(JSON.stringify(body));
  return body['error-code'] !== WRONG_SIGNATURE;
}

async function post(url, fields, headers = {}) {
  const accept = { accept: 'application/vnd.pay+json', ...headers };
  const reply = await fetch(url, { method: 'POST', headers: accept, body: new URLSearchParams(fields) });
  return { status: reply.status, body: await reply.json() };
}

/** Those of the gateway that answer from here: its administrators' door and its networks must not. */
async function openPorts() {
  const asked = [8080, 8081, 8082, 9080];
  const open = asked.map(
    (port) =>
      new Promise((resolve) => {
        const socket = connect(port, 'gateway').on('connect', () => resolve(socket.destroy() && port));
        socket.on('error', () => resolve(undefined));
      }),
  );
  return (await Promise.all(open)).filter((port) => port !== undefined);
}

function waited() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function sha1(text) {
  return createHash('sha1').update(text).digest('hex');
}

function fail(why) {
  say(`FAILED  ${why}`);
  process.exit(1);
}
