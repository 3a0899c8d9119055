// `npm run probe`: whether time tells strangers whom and what there is. Refusals are measured in pairs, what exists
// beside what does not, in random order over one connection; medians within 5 % tell nothing on a quiet machine.
import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, wholeNumber } from './arguments.mjs';
import { build, buildIsFresh } from './build.mjs';
import { run } from './command.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

const USAGE = `npm run probe -- [options]
  --rounds <100-100000>       pairs that are measured of each kind (4000)
  --only <pglite|postgres>    one database only`;

const WARM_UP_ROUNDS = 1_000;
const TOLERANCE = 0.05;
const COMMAND_LIMIT_MS = 60_000;
const ENDPOINT = 101;
const LEGACY_ENDPOINT = 103;
const LOGIN = 'demo';
const NO_LOGIN = 'omed';
const WRONG = 'f'.repeat(40);

const say = (line) => process.stdout.write(`${line}\n`);

async function probe({ rounds, only }) {
  if (only !== 'pglite' && !process.env.DATABASE_URL) {
    await ensureService('PostgreSQL', { say, signal }).catch((error) => say(error.message));
  }
  if (!buildIsFresh(root)) await build(root);
  const { pglite, postgres } = await import('../test/bench/databases.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'tender-probe-'));
  try {
    for (const open of [pglite, postgres].filter((one) => only === undefined || one.name === only)) {
      const database = await open({ folder: mkdtempSync(join(folder, 'data-')) });
      if (!database) say('PostgreSQL not measured: neither DATABASE_URL nor an installed server');
      else await probeOn(database, rounds).finally(() => database.close());
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function probeOn(database, rounds) {
  const { startGateway } = await import('../test/bench/processes.mjs');
  const gateway = await startGateway({ root, env: database.env, signal });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const env = { ...process.env, ...database.env };
    // A sandbox has nothing to hide; these endpoints do as in production.
    for (const id of [ENDPOINT, LEGACY_ENDPOINT]) {
      const command = ['bin/tender.mjs', 'endpoint', 'set', String(id), '--sandbox', 'off'];
      const { code, output } = await run(process.execPath, command, {
        cwd: root,
        env,
        signal,
        limitMs: COMMAND_LIMIT_MS,
      });
      if (code !== 0) throw new Error(`tender ${command.slice(1).join(' ')}: ${output}`);
    }
    const order = await sale(gateway.port, agent);
    await gateway.settled();
    say(`${database.name}: medians of ${rounds} refusals each, in microseconds`);
    for (const [name, known, unknown] of pairs(order)) {
      const send = (one) => refusal(gateway.port, agent, one);
      await measure(send, known, unknown, WARM_UP_ROUNDS);
      const [a, b] = await measure(send, known, unknown, rounds);
      const difference = Math.abs(a - b) / Math.max(a, b);
      const verdict = difference <= TOLERANCE ? 'tells nothing' : 'TELLS';
      say(
        `  ${name.padEnd(44)} ${a.toFixed(0).padStart(6)} ${b.toFixed(0).padStart(6)}  ${(difference * 100).toFixed(1)} %  ${verdict}`,
      );
    }
  } finally {
    agent.destroy();
    await gateway.stop();
  }
}

/** What exists beside what does not, in bodies of the same length. */
function pairs({ clientOrderId, orderId }) {
  const missing = {
    client_orderid: clientOrderId,
    orderid: String(10 ** (orderId.length - 1) + (Number(orderId) % 7)),
  };
  const known = { client_orderid: clientOrderId, orderid: orderId };
  const status = (fields, endpoint = ENDPOINT) =>
    post(`v2/status/${endpoint}`, { login: LOGIN, control: WRONG, ...fields });
  const giveBack = (fields) => post(`v2/return/${ENDPOINT}`, { login: LOGIN, control: WRONG, ...fields });
  const other = orderId === missing.orderid ? { ...missing, orderid: '9'.repeat(orderId.length) } : missing;
  return [
    ['login, by STATUS', status(known), status({ ...known, login: NO_LOGIN })],
    ['login, by RETURN without amount', giveBack(known), giveBack({ ...known, login: NO_LOGIN })],
    ['order, by RETURN without amount', giveBack(known), giveBack(other)],
    ['login, by an RSA signature', payout(LOGIN), payout(NO_LOGIN)],
    ['legacy endpoint, by STATUS without Accept', bare(status(known)), bare(status(known, LEGACY_ENDPOINT))],
  ];
}

function post(path, fields, headers = {}) {
  const body = new URLSearchParams(fields).toString();
  const own = { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' };
  return { path: `/paynet/api/${path}`, body, headers: { ...own, 'content-length': body.length, ...headers } };
}

function bare({ headers: { accept: _, ...headers }, ...rest }) {
  return { ...rest, headers };
}

function payout(login) {
  const signature = randomBytes(256);
  // Below every modulus, so that no key refuses it at once.
  signature[0] = 0;
  const values = {
    oauth_consumer_key: login,
    oauth_nonce: 'n',
    oauth_signature_method: 'RSA-SHA256',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_signature: encodeURIComponent(signature.toString('base64')),
  };
  const pairs = Object.entries(values).map(([name, value]) => `${name}="${value}"`);
  const fields = { client_orderid: 'p', amount: '1.00', currency: 'USD' };
  return post(`v4/payout/${ENDPOINT}`, fields, { authorization: `OAuth ${pairs.join(', ')}` });
}

async function measure(send, known, unknown, rounds) {
  const took = [[], []];
  for (let round = 0; round < rounds; round++) {
    signal.throwIfAborted();
    for (const which of Math.random() < 0.5 ? [0, 1] : [1, 0]) took[which].push(await send([known, unknown][which]));
  }
  return took.map((times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]);
}

/** How many microseconds the refusal took. */
async function refusal(port, agent, one) {
  const began = performance.now();
  const { status } = await call(port, agent, one);
  const took = (performance.now() - began) * 1000;
  if (status !== 400) throw new Error(`${one.path} answered ${status}`);
  return took;
}

async function sale(port, agent) {
  const { CONTROL_KEY, SALE } = await import('../test/bench/sale-requests.mjs');
  const { amount, email, client_orderid } = SALE;
  const signed = `${ENDPOINT}${client_orderid}${amount.replace('.', '')}${email}${CONTROL_KEY}`;
  const fields = { ...SALE, control: hash('sha1', signed) };
  const { status, text } = await call(port, agent, post(`v2/sale/${ENDPOINT}`, fields));
  if (status !== 200) throw new Error(`the sale was refused: ${text}`);
  return { clientOrderId: client_orderid, orderId: JSON.parse(text)['paynet-order-id'] };
}

function call(port, agent, { path, body, headers }) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function readOptions() {
  const text = { type: 'string' };
  return readArguments(USAGE, { rounds: text, only: text }, ({ rounds = '4000', only }) => {
    if (only !== undefined && only !== 'pglite' && only !== 'postgres') throw new Error(`unknown database: ${only}`);
    return { rounds: wholeNumber(rounds, 100, 100_000), only };
  });
}

const options = readOptions();
await runScript(() => probe(options));
