// `npm run bench`: how many sales a gateway on this machine takes to their end, as a share of what bare `node:http`
// answers here, and what it does with half as many, with three times as many, and with one merchant who floods. Slices
// of a few seconds are interleaved and compared with their neighbours, because machines are noisy. What each row means
// and how to read it: docs/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine, fraction, median, progress, say, textOf, whole } from '../test/bench/printed.mjs';
import { readArguments, wholeNumber } from './arguments.mjs';
import { build, buildIsFresh } from './build.mjs';
import { root, runScript, signal } from './script.mjs';
import { ensureService } from './test-services.mjs';

const USAGE = `npm run bench -- [options]
  --seconds <1-4>             length of a slice (2)
  --connections <1-1000>      connections of the load generator (64)
  --only <pglite|postgres>    one database only
  --profile                   leave CPU profiles of the gateway
  --write-docs                write tables and charts into docs/performance.md and docs/images
  --short                     a minute on each database, judged by floors that a busy machine reaches
  --soak                      only a long run at a share of the peak, judged by whether memory and latency grow
  --minutes <1-600>           how long that is (60)
  --share <0.1-1>             of the peak (0.7)
  --setups                    only the set-ups: one process on PostgreSQL beside workers, stored orders and Citus
  --workers <0-64>            how many workers these have; 0 leaves them out (the cores, 2 at least)
  --stored <0-100000000>      how many orders are stored in them; 0 leaves that out (1000000)
  --no-citus                  leaves Citus out, which is measured where it is installed`;

const ROUNDS = 5;
const WARM_UP_SALES = 10_000;
const WARM_UP_SLICES = 5;

/** What a short run does less of. */
const SHORT = { rounds: 2, warmUpSlices: 4, seconds: 1 };
const OPEN_SECONDS = 4;

/**
 * Overload is asked about as a state that lasts, without what its beginning costs on every connection. Those that are
 * opened and used for the first time at the end are silent for less than ten seconds, after which they would be closed.
 */
const OVERLOAD_SECONDS = 9;

/** The share of the limit that the gateway should reach with whole sales. */
const TARGETS = { PGlite: 0.18, PostgreSQL: 0.3 };

/**
 * What a short run must reach, all of it measured in turn within the run: half of the worst that was seen on a machine
 * with other things to do. It finds what became twice as slow, not what became a tenth slower.
 */
const FLOORS = {
  PGlite: { share: 0.02, processor: 60, over: 0.07, others: 0.8 },
  PostgreSQL: { share: 0.03, processor: 50, over: 0.07, others: 0.8 },
};

const LIMIT = '(a) limit: bare node:http';
const ACCEPTED = '(b) sale accepted, durable';
const FINAL = '(c) sale final';
const STATUS = '(d) status of a final order';
const PGBENCH = 'pgbench, simple update';
const PLAIN = 'plain loop, no HTTP';

async function bench(options) {
  if (options.only !== 'pglite' && !process.env.DATABASE_URL) {
    await ensureService('PostgreSQL', { say, signal }).catch((error) => say(error.message));
  }
  if (!buildIsFresh(root)) await build(root);
  if (options.setups) {
    say(describeMachine(tmpdir()));
    await benchSetups(options);
    return 0;
  }
  if (options.soak) return benchSoak(options);
  const { startHelper } = await import('../test/bench/processes.mjs');
  const profileFolder = options.profile ? mkdtempSync(join(tmpdir(), 'tender-profile-')) : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tender-bench-'));
  const bare = startHelper('bare-server.mjs', { signal });
  try {
    const about = describeMachine(folder);
    say(about);
    const bench = { ...options, profileFolder, folder, bare, barePort: await bare.answer() };
    const results = [];
    for (const open of await databases(options)) results.push(await measureOn(open, bench));
    if (!options.short && options.only === undefined && !options.profile) results.push(await benchSetups(options));
    if (profileFolder) say(`CPU profiles are in ${profileFolder}; Chrome's DevTools open them.`);
    const measured = results.filter((one) => one !== undefined);
    for (const { name, lines } of measured) for (const line of lines) say(`${name}: ${line}`);
    if (options.writeDocs) {
      const { writeFigures } = await import('../test/bench/written-figures.mjs');
      writeFigures({ root, about: `${new Date().toISOString().slice(0, 10)}:\n${about}.`, measured });
    }
    return options.short && measured.some(({ isBelow }) => isBelow) ? 1 : 0;
  } finally {
    await bare.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What `measureSetups` resolves with, printed; undefined without a PostgreSQL. */
async function benchSetups(options) {
  const { measureSetups } = await import('../test/bench/setups.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'tender-bench-'));
  try {
    const measured = await measureSetups({ ...options, root, folder, signal, say, step: progress });
    progress('');
    for (const table of measured?.tables ?? []) say(textOf(measured.name, table));
    return measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Below it a line through the minutes is noise. */
const LEAST_MINUTES = 10;

/** A long run on each database; resolves with the exit code. */
async function benchSoak({ minutes, share, connections, only }) {
  const { startGateway, startHelper } = await import('../test/bench/processes.mjs');
  const { OPEN_ENV } = await import('../test/bench/open/open-runs.mjs');
  const { soak } = await import('../test/bench/open/soak.mjs');
  const { soakVerdict } = await import('../test/bench/open/soak-verdict.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'tender-bench-'));
  let isFlat = true;
  for (const open of await databases({ only: only ?? 'postgres' })) {
    const database = await open({ folder: mkdtempSync(join(folder, 'data-')) });
    if (!database) throw new Error('PostgreSQL was not found: neither DATABASE_URL nor an installed server');
    const gateway = await startGateway({ root, env: { ...database.env, ...OPEN_ENV }, signal });
    const [load, openLoad] = [startHelper('load.mjs', { signal }), startHelper('open/open-load.mjs', { signal })];
    try {
      const slices = slicesOn(gateway, load, { connections, seconds: 2 });
      for (let times = 0; times < WARM_UP_SLICES; times++) await slices.sales();
      const peak = median(
        [await slices.sales(), await slices.sales(), await slices.sales()].map((one) => one[FINAL].rate),
      );
      say(
        `${describeMachine(folder)}\n${database.name}: ${minutes} minutes at ${share} of ${whole(peak)} sales a second`,
      );
      const cells = (...all) => say(all.map((one) => String(one).padStart(10)).join(''));
      cells('minute', 'answered', 'shed', 'gave up', 'failed', 'p50 ms', 'p99 ms', 'heap MB', 'RSS MB');
      const said = ({ minute, answered, shed, abandoned, failed, p50, p99, heap, resident }) =>
        cells(
          minute,
          answered,
          shed,
          abandoned,
          failed,
          ...[p50, p99, heap, resident].map((figure) => fraction(figure, 1)),
        );
      const rows = await soak({ load: openLoad, gateway, rate: peak * share, minutes, said });
      const isLong = rows.length >= LEAST_MINUTES;
      if (!isLong) say(`Fewer than ${LEAST_MINUTES} minutes say nothing about growth.`);
      for (const { name, growth, most, isFlat: isSo } of isLong ? soakVerdict(rows) : []) {
        const grew = `${(growth * 100).toFixed(0)} % of its mean`;
        say(`${name} grew by ${grew}: ${isSo ? 'flat' : `NOT FLAT, at most ${most * 100} % is`}`);
        isFlat &&= isSo;
      }
    } finally {
      await Promise.all([load.stop(), openLoad.stop(), gateway.stop()]);
      await database.close();
    }
  }
  rmSync(folder, { recursive: true, force: true });
  return isFlat ? 0 : 1;
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const options = {
    ...{ seconds: text, connections: text, only: text, profile: flag, workers: text, stored: text },
    ...{ 'write-docs': flag, short: flag, soak: flag, minutes: text, share: text, setups: flag, 'no-citus': flag },
  };
  return readArguments(USAGE, options, ({ seconds, connections = '64', only, profile, ...others }) => {
    if (only !== undefined && only !== 'pglite' && only !== 'postgres') throw new Error(`unknown database: ${only}`);
    const { 'write-docs': writeDocs, short, soak, minutes = '60', share = '0.7' } = others;
    const { setups, workers, stored = '1000000', 'no-citus': noCitus } = others;
    const slice = {
      seconds: wholeNumber(seconds ?? (short ? String(SHORT.seconds) : '2'), 1, 4),
      connections: wholeNumber(connections, 1, 1000),
    };
    if (!(Number(share) >= 0.1 && Number(share) <= 1)) throw new Error(`${share} is not a share from 0.1 to 1`);
    const long = { soak, minutes: wholeNumber(minutes, 1, 600), share: Number(share) };
    const compared = {
      ...{ setups, citus: !noCitus, stored: wholeNumber(stored, 0, 100_000_000) },
      workers: wholeNumber(workers ?? String(Math.max(2, availableParallelism())), 0, 64),
    };
    return { ...slice, ...long, ...compared, only, profile, writeDocs, short };
  });
}

async function databases({ only }) {
  const { pglite, postgres } = await import('../test/bench/databases.mjs');
  return [...(only === 'postgres' ? [] : [pglite]), ...(only === 'pglite' ? [] : [postgres])];
}

/** Opens the database, measures on it and prints its tables; resolves with them, lines that judge, and charts. */
async function measureOn(open, bench) {
  const database = await open({ folder: mkdtempSync(join(bench.folder, 'data-')) });
  if (!database) return void say('PostgreSQL not measured: neither DATABASE_URL nor an installed server');
  try {
    const { rows, opened } = await measure(database, bench);
    const tables = [closedTable(rows), openTable(opened, await openRows(opened))];
    for (const table of tables) say(textOf(database.name, table));
    const shareOfLimit = median(rows.find((row) => row.name === FINAL).slices.map((slice) => slice.ratio));
    const judged = bench.short
      ? floorsOn(database.name, rows, shareOfLimit, opened)
      : await targetsOn(database.name, shareOfLimit, opened);
    const lines = judged.map(({ text }) => text);
    const isBelow = judged.some(({ isReached }) => !isReached);
    return { name: database.name, tables, lines, isBelow, charts: chartsOf(rows, opened) };
  } finally {
    await database.close();
  }
}

async function openRows(opened) {
  const { openRowsOf } = await import('../test/bench/open/open-runs.mjs');
  return openRowsOf(opened);
}

/** The targets of a whole run. */
async function targetsOn(name, shareOfLimit, opened) {
  const { openVerdicts } = await import('../test/bench/open/open-runs.mjs');
  const target = TARGETS[name];
  const ofLimit = {
    ...{ says: 'whole sales, of the limit', figure: shareOfLimit, bound: target, kind: 'least' },
    isReached: shareOfLimit >= target,
  };
  return [ofLimit, ...openVerdicts(opened)].map(judgedLine);
}

/** The floors of a short run. */
function floorsOn(name, rows, shareOfLimit, { overShare, over, quietFlooded }) {
  const { share, processor, over: overFloor, others } = FLOORS[name];
  const cpuOf = (row) => median(rows.find((one) => one.name === row).slices.map((slice) => slice.cpu));
  const least = (says, figure, bound) => ({ says, figure, bound, kind: 'least', isReached: figure >= bound });
  const times = cpuOf(FINAL) / cpuOf(LIMIT);
  return [
    least('whole sales, of the limit', shareOfLimit, share),
    {
      ...{ says: 'processor time of a sale, of a bare request', figure: times, bound: processor, kind: 'most' },
      isReached: times <= processor,
    },
    least('whole sales at three times the load, of the peak', overShare, overFloor),
    least('of those that were let in, answered', over.answered / (over.answered + over.failed), others),
    least('others answered beside a flood', quietFlooded.answered / quietFlooded.due, others),
  ].map(judgedLine);
}

function judgedLine({ says, figure, bound, kind, isReached }) {
  const wanted = `${isReached ? 'reaches' : 'MISSES'} ${kind === 'most' ? 'at most' : 'at least'} ${bound}`;
  return { isReached, text: `${says}: ${fraction(figure, 2)}, ${wanted}` };
}

async function measure(database, bench) {
  const { startGateway, startHelper } = await import('../test/bench/processes.mjs');
  const { addMerchants } = await import('../test/bench/open/merchants.mjs');
  const { OPEN_ENV, openRuns, QUIET_LOGINS } = await import('../test/bench/open/open-runs.mjs');
  progress(`${database.name}: starting`);
  const { profileFolder, folder, short, seconds } = bench;
  const gateway = await startGateway({ root, env: { ...database.env, ...OPEN_ENV }, profileFolder, signal });
  const [load, openLoad] = [startHelper('load.mjs', { signal }), startHelper('open/open-load.mjs', { signal })];
  const yardsticks = short ? NO_YARDSTICKS : await startYardsticks(database, seconds);
  const roundCount = short ? SHORT.rounds : ROUNDS;
  try {
    const quiet = await addMerchants(QUIET_LOGINS, {
      ...{ root, env: database.env, signal },
      folder: mkdtempSync(join(folder, 'merchants-')),
    });
    const slices = slicesOn(gateway, load, bench);
    progress(`${database.name}: warming up`);
    await warmUp(slices, short ? SHORT.warmUpSlices : WARM_UP_SLICES);
    const began = new Date();
    const limits = [await slices.limit()];
    const rounds = [];
    for (let round = 1; round <= roundCount; round++) {
      const step = (what) => progress(`${database.name}: round ${round} of ${roundCount}, ${what}`);
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
    const ended = new Date();
    const opened = await openRuns({
      ...{ load: openLoad, port: gateway.port, quiet },
      seconds: short ? 2 * SHORT.seconds : OPEN_SECONDS,
      overloadSeconds: short ? 2 * SHORT.seconds : OVERLOAD_SECONDS,
      peakSlice: async () => {
        const { [FINAL]: final, [ACCEPTED]: accepted } = await slices.sales();
        return { rate: final.rate, busy: accepted.busy };
      },
      settled: gateway.settled,
      step: (what) => progress(`${database.name}: ${what}`),
    });
    slices.accepted += opened.answered.sales;
    slices.requests += opened.answered.sales + opened.answered.status;
    progress(`${database.name}: counting`);
    await gateway.stop();
    const finalTimes = prove(await database.proof([began, ended]), slices);
    return { rows: rowsOf(limits, rounds, finalTimes), opened };
  } finally {
    progress('');
    await Promise.all([load.stop(), openLoad.stop(), yardsticks.stop(), gateway.stop()]);
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
async function warmUp(slices, most) {
  await slices.limit();
  for (let times = 0; times < most && slices.accepted < WARM_UP_SALES; times++) await slices.sales();
  await slices.status();
}

const NO_YARDSTICKS = { list: [], stop: async () => {} };

/** Other measurements of this PostgreSQL: `list` has names and functions that measure one slice. */
async function startYardsticks(database, seconds) {
  if (!database.url) return NO_YARDSTICKS;
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

function closedTable(rows) {
  const head = ['', 'per second', 'best', 'p50 ms', 'p99 ms', 'CPU us', 'of (a)', 'best'];
  const body = rows.map(({ name, slices }) => {
    const all = (figure) => slices.map((slice) => slice[figure]);
    return [
      name,
      whole(median(all('rate'))),
      whole(Math.max(...all('rate'))),
      fraction(median(all('p50')), 1),
      fraction(median(all('p99')), 1),
      fraction(median(all('cpu')), 0),
      fraction(median(all('ratio')), 2),
      fraction(Math.max(...all('ratio')), 2),
    ];
  });
  return { head, rows: body };
}

/** Latency is counted from the moment a request was due. */
function openTable({ peak, overShare, generator }, streams) {
  const head = ['open loop', 'due', 'answered', 'shed', 'gave up', 'failed', 'p50 ms', 'p99 ms'];
  const rows = streams.map(([name, { due, answered, shed, abandoned, refused, failed, p50, p99 }]) => [
    ...[name, whole(due), whole(answered), whole(shed), whole(abandoned), whole(refused + failed)],
    ...[fraction(p50, 1), fraction(p99, 1)],
  ]);
  const last = `whole sales at three times the peak, of the peak of ${whole(peak)} a second`;
  const cores = [generator.atPeak, generator.busy].map((share) => fraction(share, 2)).join(' at the peak, ');
  const own = `the load generator itself, of a core: ${cores} at three times the peak`;
  const only = (says, figure) => [says, '', figure, '', '', '', '', ''];
  return { head, rows: [...rows, only(last, fraction(overShare, 2)), only(own, '')] };
}

function chartsOf(rows, { half, after, quietAlone, quietFlooded, peak, overShare }) {
  const rates = rows.map(({ name, slices }) => {
    const value = median(slices.map(({ rate }) => rate));
    return { name, value, figure: whole(value), isMark: name === LIMIT || name === PGBENCH || name === PLAIN };
  });
  const over = {
    name: 'whole sales at three times the peak',
    value: peak * overShare,
    figure: whole(peak * overShare),
  };
  const bar = (name, { p99 }) => ({ name, value: p99, figure: `${fraction(p99, 1)} ms` });
  const latencies = [
    bar('half of the peak', half),
    bar('the same right after overload', after),
    bar('three merchants alone', quietAlone),
    bar('the same beside a flood', quietFlooded),
  ];
  return [
    { file: 'rates', title: 'A second, on one process', bars: [...rates, over] },
    { file: 'latency', title: '99 of 100 answered within, from the moment they were due', bars: latencies },
  ];
}

const options = readOptions();
await runScript(() => bench(options).finally(() => progress('')));
