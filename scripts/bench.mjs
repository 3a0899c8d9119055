// `npm run bench`: how many sales a gateway on this machine takes to their end, as a share of what bare `node:http`
// answers here. Slices of a few seconds are interleaved and compared with their neighbours, because machines are noisy.
// What each row means and how to read it: docs/performance.md.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, wholeNumber } from './arguments.mjs';
import { build, buildIsFresh } from './build.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

const USAGE = `npm run bench -- [options]
  --seconds <1-4>             length of a slice (2)
  --connections <1-1000>      connections of the load generator (64)
  --only <pglite|postgres>    one database only
  --profile                   leave CPU profiles of the gateway
  --workers <2-64>            compare one process with so many workers, on PostgreSQL, and nothing else`;

const ROUNDS = 5;
const WARM_UP_SALES = 10_000;
const WARM_UP_SLICES = 5;

/** The share of the limit that the gateway should reach with whole sales. */
const TARGETS = { PGlite: 0.18, PostgreSQL: 0.3 };

const LIMIT = '(a) limit: bare node:http';
const ACCEPTED = '(b) sale accepted, durable';
const FINAL = '(c) sale final';
const STATUS = '(d) status of a final order';
const PGBENCH = 'pgbench, simple update';
const PLAIN = 'plain loop, no HTTP';

const say = (line) => process.stdout.write(`${line}\n`);

async function bench(options) {
  if (options.only !== 'pglite' && !process.env.DATABASE_URL) {
    await ensureService('PostgreSQL', { say, signal }).catch((error) => say(error.message));
  }
  if (!buildIsFresh(root)) await build(root);
  if (options.workers !== undefined) return benchWorkers(options);
  const { startHelper } = await import('../test/bench/processes.mjs');
  const profileFolder = options.profile ? mkdtempSync(join(tmpdir(), 'tender-profile-')) : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tender-bench-'));
  const bare = startHelper('bare-server.mjs', { signal });
  try {
    say(describeMachine(folder));
    const bench = { ...options, profileFolder, folder, bare, barePort: await bare.answer() };
    const verdicts = [];
    for (const open of await databases(options)) verdicts.push(await measureOn(open, bench));
    if (profileFolder) say(`CPU profiles are in ${profileFolder}; Chrome's DevTools open them.`);
    say(verdicts.join(' · '));
  } finally {
    await bare.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints what several workers cost and take beside one process; each slice is compared with the one before it. */
async function benchWorkers({ workers, connections, seconds }) {
  const { postgres } = await import('../test/bench/databases.mjs');
  const { compareWorkers } = await import('../test/bench/workers.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'tender-bench-'));
  const database = await postgres({ folder });
  try {
    if (!database) return say('Not measured: neither DATABASE_URL nor an installed PostgreSQL');
    say(describeMachine(folder));
    const step = (what) => progress(`workers: ${what}`);
    const { one, several } = await compareWorkers(database, {
      ...{ root, folder, workers, connections, seconds, signal, step },
    });
    progress('');
    const row = (name, slices) => {
      const all = (figure) => median(slices.map((slice) => slice[figure]));
      return `${name.padEnd(16)}${whole(all('rate')).padStart(8)} sales a second, ${whole(all('cpu'))} us of CPU for a sale`;
    };
    const ratios = (figure) => median(several.map((slice, index) => slice[figure] / one[index][figure])).toFixed(2);
    say([row('one process', one), row(`${workers} workers`, several)].join('\n'));
    say(`${workers} workers: ${ratios('rate')} times the sales, for ${ratios('cpu')} times the CPU each`);
  } finally {
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const options = { seconds: text, connections: text, only: text, profile: flag, workers: text };
  return readArguments(USAGE, options, ({ seconds = '2', connections = '64', only, profile, workers: asked }) => {
    if (only !== undefined && only !== 'pglite' && only !== 'postgres') throw new Error(`unknown database: ${only}`);
    const workers = asked === undefined ? undefined : wholeNumber(asked, 2, 64);
    const slice = { seconds: wholeNumber(seconds, 1, 4), connections: wholeNumber(connections, 1, 1000) };
    return { ...slice, only, profile, workers };
  });
}

async function databases({ only }) {
  const { pglite, postgres } = await import('../test/bench/databases.mjs');
  return [...(only === 'postgres' ? [] : [pglite]), ...(only === 'pglite' ? [] : [postgres])];
}

/** Opens the database, measures on it, prints its table, and resolves with the verdict. */
async function measureOn(open, bench) {
  const database = await open({ folder: mkdtempSync(join(bench.folder, 'data-')) });
  if (!database) return 'PostgreSQL not measured: neither DATABASE_URL nor an installed server';
  try {
    const rows = await measure(database, bench);
    say(tableOf(database.name, rows));
    const ratio = median(rows.find((row) => row.name === FINAL).slices.map((slice) => slice.ratio));
    const target = TARGETS[database.name];
    return `${database.name}: ${ratio.toFixed(2)} of the limit, ${ratio >= target ? 'reaches' : 'MISSES'} ${target}`;
  } finally {
    await database.close();
  }
}

async function measure(database, bench) {
  const { startGateway, startHelper } = await import('../test/bench/processes.mjs');
  progress(`${database.name}: starting`);
  const gateway = await startGateway({ root, env: database.env, profileFolder: bench.profileFolder, signal });
  const load = startHelper('load.mjs', { signal });
  const yardsticks = await startYardsticks(database, bench.seconds);
  try {
    const slices = slicesOn(gateway, load, bench);
    progress(`${database.name}: warming up`);
    await warmUp(slices);
    const began = new Date();
    const limits = [await slices.limit()];
    const rounds = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const step = (what) => progress(`${database.name}: round ${round} of ${ROUNDS}, ${what}`);
      step('sales');
      const rows = await slices.sales();
      step('status');
      rows[STATUS] = await slices.status();
      for (const [name, measureRate] of yardsticks.list) {
        step(name);
        rows[name] = { rate: await measureRate() };
      }
      step('limit');
      limits.push(await slices.limit());
      rounds.push(rows);
    }
    progress(`${database.name}: counting`);
    await gateway.stop();
    const finalTimes = prove(await database.proof(began), slices);
    return rowsOf(limits, rounds, finalTimes);
  } finally {
    progress('');
    await Promise.all([load.stop(), yardsticks.stop(), gateway.stop()]);
  }
}

/** The measurements, a slice at a time; `accepted` and `requests` count what the gateway answered in all of them. */
function slicesOn(gateway, load, { bare, barePort, connections, seconds }) {
  const run = (what, port) => load.ask({ what, port, connections, seconds });
  const slices = {
    accepted: 0,
    requests: 0,
    limit: () =>
      withCpu(
        () => bare.ask('cpu'),
        () => run('limit', barePort),
      ),
    status: async () => {
      const slice = await withCpu(gateway.cpuSeconds, () => run('status', gateway.port));
      slices.requests += slice.sent;
      return slice;
    },
    /** The gateway gets as much time as it needs to finish what it accepted, and all of that time counts. */
    sales: async () => {
      let finalRate;
      const slice = await withCpu(gateway.cpuSeconds, async () => {
        const accepted = await run('sales', gateway.port);
        await gateway.settled();
        finalRate = (accepted.sent / (performance.timeOrigin + performance.now() - accepted.startedAt)) * 1000;
        return accepted;
      });
      slices.accepted += slice.sent;
      slices.requests += slice.sent;
      return { [ACCEPTED]: slice, [FINAL]: { rate: finalRate, cpu: slice.cpu } };
    },
  };
  return slices;
}

/** Adds the processor time per request in microseconds, which is steadier than rates when others use the same cores. */
async function withCpu(cpuSeconds, measureSlice) {
  const before = await cpuSeconds();
  const slice = await measureSlice();
  return { ...slice, cpu: (((await cpuSeconds()) - before) / slice.sent) * 1_000_000 };
}

/** Node optimises code that has run often: a young process is several times slower. */
async function warmUp(slices) {
  await slices.limit();
  for (let times = 0; times < WARM_UP_SLICES && slices.accepted < WARM_UP_SALES; times++) await slices.sales();
  await slices.status();
}

/** Other measurements of this PostgreSQL: `list` has names and functions that measure one slice. */
async function startYardsticks(database, seconds) {
  if (!database.url) return { list: [], stop: async () => {} };
  const { pgbenchRate, preparePgbench } = await import('../test/bench/databases.mjs');
  const { startHelper } = await import('../test/bench/processes.mjs');
  const plain = startHelper('plain-sales.mjs', { signal });
  const list = [[PLAIN, async () => (await plain.ask({ url: database.url, seconds })).rate]];
  if (database.pgbench) {
    await preparePgbench(database, { signal });
    list.push([PGBENCH, () => pgbenchRate(database, { seconds, signal })]);
  }
  return { list, stop: plain.stop };
}

/** A rate counts only when every order it counts is final, booked and journaled in the database. */
function prove({ orders, final, journaled, p50, p99 }, { accepted, requests }) {
  if (orders !== accepted || final !== accepted)
    throw new Error(`${accepted} orders were accepted, ${orders} are in the database, ${final} of them final.`);
  if (journaled !== requests) throw new Error(`${requests} requests were answered, ${journaled} are in the journal.`);
  progress('');
  say(`\n${accepted} sales were accepted: all are final, booked and journaled in the database.`);
  return { p50, p99 };
}

/** Each slice is compared with the mean of the limits before and after its round. */
function rowsOf(limits, rounds, finalTimes) {
  const rows = [{ name: LIMIT, slices: limits.map((limit) => ({ ...limit, ratio: 1 })) }];
  for (const name of Object.keys(rounds[0])) {
    const slices = rounds.map((round, index) => {
      const limit = (limits[index].rate + limits[index + 1].rate) / 2;
      return { ...(name === FINAL ? finalTimes : {}), ...round[name], ratio: round[name].rate / limit };
    });
    rows.push({ name, slices });
  }
  return rows;
}

function tableOf(title, rows) {
  const line = (cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(30) : cell.padStart(10))).join('');
  const head = line([title, 'per second', 'best', 'p50 ms', 'p99 ms', 'CPU us', 'of (a)', 'best']);
  const body = rows.map(({ name, slices }) => {
    const all = (figure) => slices.map((slice) => slice[figure]);
    return line([
      name,
      whole(median(all('rate'))),
      whole(Math.max(...all('rate'))),
      fraction(median(all('p50')), 1),
      fraction(median(all('p99')), 1),
      fraction(median(all('cpu')), 0),
      fraction(median(all('ratio')), 2),
      fraction(Math.max(...all('ratio')), 2),
    ]);
  });
  return [head, ...body, ''].join('\n');
}

const whole = (number) => Math.round(number).toLocaleString('en');
const fraction = (number, digits) => (number === undefined ? '' : number.toFixed(digits));

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function describeMachine(folder) {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const cores = `${availableParallelism()} cores (${model})`;
  return `Node ${process.version}, ${cores}, fdatasync ${fdatasyncMs(folder).toFixed(2)} ms`;
}

/** How long the disk takes to sync a block: where this is next to nothing, rates of durable writes look too good. */
function fdatasyncMs(folder) {
  const file = openSync(join(folder, 'fdatasync'), 'w');
  const block = Buffer.alloc(8192);
  const times = Array.from({ length: 101 }, () => {
    writeSync(file, block);
    const started = performance.now();
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return median(times);
}

function progress(line) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
}

const options = readOptions();
await runScript(() => bench(options).finally(() => progress('')));
