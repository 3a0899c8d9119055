// One gateway process on an empty PostgreSQL beside other ways to set a gateway up: several workers, many orders
// stored, a cluster of Citus. All run at once with one simulated bank in a process of its own, and take turns; each
// slice is compared with one of the single process right before it. CPU is that of all processes of a gateway, for a
// sale.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findCitus, startCitus } from '../../scripts/citus.mjs';
import { run } from '../../scripts/command.mjs';
import { onServer } from '../../scripts/postgres.mjs';
import { databaseOn, postgresServer } from './databases.mjs';
import { fraction, median, whole } from './printed.mjs';
import { startGateway, startHelper, untilSaid } from './processes.mjs';

const ROUNDS = 5;

/** Every process optimises its own code, so that workers need as much warming up each. */
const WARM_UP_SALES = 10_000;
const WARM_UP_SLICES = 12;

/** Figures of workers are gathered from all of them: asked too often, they would be a part of what is measured. */
const SETTLE_POLL_MS = 100;

/** Making orders takes a minute for each half million. */
const COMMAND_LIMIT_MS = 4 * 3_600_000;

/** Clock ticks of Linux in a second, in which /proc counts. */
const TICKS = 100;

const SINGLE = { name: 'one process, empty' };

/** `stored` and `workers` are numbers; 0 leaves out what they stand for. */
function othersOf({ workers, stored, citus }) {
  return [
    ...(workers > 1 ? [{ name: `${workers} workers`, workers }] : []),
    ...(stored > 0 ? [{ name: `${whole(stored)} orders stored`, stored }] : []),
    ...(citus ? [{ name: 'Citus, three servers', isOnCitus: true }] : []),
  ];
}

/** Resolves with a table, a chart and lines as a database has them, or with nothing where there is no PostgreSQL. */
export async function measureSetups({ say, ...bench }) {
  const closing = [];
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const server = await postgresServer();
    if (!server) return void say('Set-ups not measured: neither DATABASE_URL nor an installed PostgreSQL');
    closing.push(server.stop);
    const citus = bench.citus ? findCitus() : undefined;
    if (bench.citus && !citus) say('Citus not measured: it is not installed beside PostgreSQL');
    return told(await slicesOfAll([SINGLE, ...othersOf({ ...bench, citus })], { ...bench, server, citus, closing }));
  } finally {
    await close();
  }
}

/** A list for each way but the first: `{ name, pairs: [{ single, other }] }`. */
async function slicesOfAll(ways, bench) {
  const { root, folder, closing, signal, step, connections, seconds } = bench;
  const bank = await startBank({ root, folder: join(folder, 'bank'), signal });
  closing.push(bank.stop);
  const load = startHelper('load.mjs', { signal });
  closing.push(load.stop);
  const started = [];
  for (const [index, way] of ways.entries()) {
    const data = join(folder, `way-${index}`);
    await mkdir(data, { recursive: true });
    const database = await databaseFor(way, data, bench);
    step(`${way.name}: starting`);
    const own = { TENDER_BANK_URL: bank.url, TENDER_WORKERS: String(way.workers ?? 1) };
    const gateway = await startGateway({ root, env: { ...database.env, ...own }, signal });
    closing.push(gateway.stop);
    started.push({ name: way.name, gateway, processes: way.workers ?? 1 });
  }
  const slice = ({ gateway }) => sales(gateway, load, { connections, seconds });
  for (const one of started) {
    step(`${one.name}: warming up`);
    await warmUp(() => slice(one), WARM_UP_SALES * one.processes);
  }
  const [single, ...others] = started;
  const measured = others.map(({ name }) => ({ name, pairs: [] }));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [index, other] of others.entries()) {
      step(`${other.name}: round ${round} of ${ROUNDS}`);
      const before = await slice(single);
      measured[index].pairs.push({ single: before, other: await slice(other) });
    }
  }
  return measured;
}

async function databaseFor({ name, stored, isOnCitus }, data, { root, server, citus, closing, signal, step }) {
  const command = async (env, ...words) => {
    const asked = [join(root, 'bin/tender.mjs'), 'database', ...words];
    const options = { signal, limitMs: COMMAND_LIMIT_MS, cwd: root, env: { ...process.env, ...env } };
    const { code, output } = await run(process.execPath, asked, options);
    if (code !== 0) throw new Error(`"tender database ${words[0]}" failed:\n${output}`);
  };
  step(`${name}: making the database`);
  if (isOnCitus) {
    const cluster = await startCitus({ binaries: citus });
    closing.push(cluster.stop);
    const [url] = cluster.urls;
    const env = { TENDER_DATA: data, DATABASE_URL: url };
    await command(env, 'migrate');
    await command({ DATABASE_URL: url }, 'distribute');
    return { env };
  }
  const database = await databaseOn(server, { folder: data });
  closing.push(database.drop);
  if (stored) {
    step(`${name}: making them`);
    await command(database.env, 'seed', '--orders', String(stored));
    // Otherwise the server does so by itself in the middle of a slice.
    await onServer(database.url, (client) => client.query('vacuum analyze'));
  }
  return database;
}

/** Medians, and ratios within each pair. */
function told(measured) {
  const of = (slices, figure) => median(slices.map((one) => one[figure]));
  const singles = measured.flatMap(({ pairs }) => pairs.map(({ single }) => single));
  const rows = measured.map(({ name, pairs }) => {
    const others = pairs.map(({ other }) => other);
    const ratio = (figure) => median(pairs.map(({ single, other }) => other[figure] / single[figure]));
    return { name, rate: of(others, 'rate'), times: ratio('rate'), cpu: of(others, 'cpu'), cpuTimes: ratio('cpu') };
  });
  const first = { name: SINGLE.name, rate: of(singles, 'rate'), times: 1, cpu: of(singles, 'cpu'), cpuTimes: 1 };
  const all = [first, ...rows];
  const head = ['', 'sales/s', 'of one', 'CPU us', 'of one'];
  const table = {
    head,
    rows: all.map(({ name, rate, times, cpu, cpuTimes }) => [
      ...[name, whole(rate), fraction(times, 2), whole(cpu), fraction(cpuTimes, 2)],
    ]),
  };
  const bars = all.map(({ name, times }, index) => ({
    ...{ name, value: times, figure: fraction(times, 2), isMark: index === 0 },
  }));
  const charts = [{ file: 'rates', title: 'Whole sales a second, of one process on an empty PostgreSQL', bars }];
  return { name: 'Set-ups', tables: [table], lines: [], charts };
}

async function sales(gateway, load, { connections, seconds }) {
  const before = cpuSecondsOf(gateway.pid);
  const { sent, startedAt } = await load.ask({ what: 'sales', port: gateway.port, connections, seconds });
  await gateway.settled(SETTLE_POLL_MS);
  const rate = (sent / (performance.timeOrigin + performance.now() - startedAt)) * 1000;
  return { sent, rate, cpu: ((cpuSecondsOf(gateway.pid) - before) / sent) * 1_000_000 };
}

async function warmUp(slice, enough) {
  let sold = 0;
  for (let times = 0; times < WARM_UP_SLICES && sold < enough; times++) sold += (await slice()).sent;
}

/** Of a process and those it started. */
function cpuSecondsOf(pid) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = all.flatMap((id) => {
    try {
      // The name of a program, in brackets, may hold blanks.
      const [state, parent, ...rest] = readFileSync(`/proc/${id}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return [{ id: Number(id), state, parent: Number(parent), ticks: Number(rest[9]) + Number(rest[10]) }];
    } catch {
      return [];
    }
  });
  return (
    stats.filter(({ id, parent }) => id === pid || parent === pid).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS
  );
}

async function startBank({ root, folder, signal }) {
  const args = [join(root, 'bin/tender.mjs'), 'bank', '--port', '0', '--data', folder];
  const child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await untilSaid(child, /at (http:\S+),/, { signal });
  return { url, stop: async () => void child.kill('SIGKILL') };
}
