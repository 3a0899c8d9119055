// One process and several workers of the same gateway, in turn on one database and with one simulated bank in a process
// of its own: how many sales each takes to their end, and the processor time of all its processes for a sale.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startGateway, startHelper, untilSaid } from './processes.mjs';

const ROUNDS = 5;

/** Every process optimises its own code, so that workers need as much warming up each. */
const WARM_UP_SALES = 10_000;
const WARM_UP_SLICES = 12;

/** Figures of workers are gathered from all of them: asked too often, they would be a part of what is measured. */
const SETTLE_POLL_MS = 100;

/** Clock ticks of Linux in a second, in which /proc counts. */
const TICKS = 100;

/** Resolves with slices of both kinds: `{ one: […], several: […] }`, each with rate and microseconds of CPU. */
export async function compareWorkers(database, { root, folder, workers, connections, seconds, signal, step }) {
  const bank = await startBank({ root, folder: join(folder, 'bank'), signal });
  const load = startHelper('load.mjs', { signal });
  const keyFile = join(folder, 'keys');
  const started = [];
  try {
    for (const [name, number] of [
      ['one', 1],
      ['several', workers],
    ]) {
      step(`starting ${number}`);
      const data = join(folder, name);
      await mkdir(data, { recursive: true });
      const own = { TENDER_DATA: data, TENDER_KEY_FILE: keyFile, TENDER_BANK_URL: bank.url };
      const env = { ...database.env, ...own, TENDER_WORKERS: String(number) };
      started.push([name, await startGateway({ root, env, signal })]);
    }
    const slice = ([, gateway]) => sales(gateway, load, { connections, seconds });
    for (const [index, one] of started.entries()) {
      step('warming up');
      await warmUp(() => slice(one), WARM_UP_SALES * (index === 0 ? 1 : workers));
    }
    const slices = { one: [], several: [] };
    for (let round = 1; round <= ROUNDS; round++) {
      step(`round ${round} of ${ROUNDS}`);
      for (const one of started) slices[one[0]].push(await slice(one));
    }
    return slices;
  } finally {
    await Promise.all([load.stop(), ...started.map(([, gateway]) => gateway.stop())]);
    await bank.stop();
  }
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
