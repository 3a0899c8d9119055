// The processes of a measurement: helpers that are asked by messages, and the gateway as an operator starts it. Each
// ends when its `stop` is called; helpers also end with the process that started them.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/free-port.mjs';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 45_000;
const SETTLE_LIMIT_MS = 60_000;
const POLL_MS = 5;
const KEPT_OUTPUT_CHARS = 4_000;

const ORDERS_IN_FLIGHT = 'tender_orders_in_flight';
const CPU_SECONDS = 'process_cpu_seconds_total';

/** A script beside this one in a process of its own. `answer` waits for its next message, `ask` sends one first. */
export function startHelper(name, { signal }) {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), { detached: true });
  const answer = () =>
    new Promise((resolve, reject) => {
      const settle = ({ result, error }) => {
        child.off('message', settle).off('exit', ended);
        signal.removeEventListener('abort', ended);
        if (error) reject(new Error(error));
        else resolve(result);
      };
      const ended = () => settle({ error: `${name} ended early` });
      child.on('message', settle).on('exit', ended);
      signal.addEventListener('abort', ended);
    });
  const ask = (message) => {
    child.send(message);
    return answer();
  };
  return { answer, ask, stop: () => end(child, 'SIGKILL') };
}

/**
 * The gateway as `npm start` runs it, ready to serve. With `profileFolder` it leaves a CPU profile there when it stops.
 */
export async function startGateway({ root, env, profileFolder, signal }) {
  const port = await freePort();
  const profiling = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];
  const child = spawn(process.execPath, [...profiling, ...startArguments(root)], {
    cwd: root,
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), ...env },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-KEPT_OUTPUT_CHARS);
  });
  // Without the signal, to which each would add a listener that stays: whoever waits here is told by `until`.
  const get = (path) => fetch(`http://127.0.0.1:${port}${path}`);
  const figure = async (name) => {
    const figures = (await (await get('/metrics')).text()).split('\n');
    const line = figures.find((one) => one.startsWith(`${name} `));
    if (line === undefined) throw new Error(`the gateway does not tell ${name}`);
    return Number(line.slice(name.length));
  };
  const isReady = () =>
    get('/readyz').then(
      (reply) => reply.ok,
      () => false,
    );
  try {
    await until(isReady, { limitMs: START_LIMIT_MS, child, signal });
  } catch (error) {
    await end(child, 'SIGKILL');
    throw new Error(`the gateway did not start: ${error.message}\n${said}`);
  }
  return {
    port,
    pid: child.pid,
    /** Resolves when no order is under way any more: all that were accepted are final and committed. */
    settled: (pollMs = POLL_MS) =>
      until(async () => (await figure(ORDERS_IN_FLIGHT)) === 0, { limitMs: SETTLE_LIMIT_MS, child, signal, pollMs }),
    cpuSeconds: () => figure(CPU_SECONDS),
    figure,
    stop: () => end(child, signal.aborted ? 'SIGKILL' : 'SIGTERM'),
  };
}

/** Resolves with what the brackets of the pattern hold, once the process has printed it. */
export async function untilSaid(child, pattern, { signal }) {
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  await until(async () => pattern.test(said), { limitMs: START_LIMIT_MS, child, signal });
  return pattern.exec(said)[1];
}

/** What `npm start` gives to Node, flags included. */
function startArguments(root) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return scripts.start.split(' ').slice(1);
}

async function until(condition, { limitMs, child, signal, pollMs = POLL_MS }) {
  const endsAt = performance.now() + limitMs;
  while (!(await condition())) {
    if (child.exitCode !== null) throw new Error('it ended early');
    if (performance.now() > endsAt) throw new Error(`it took more than ${limitMs / 1000} s`);
    await sleep(pollMs, undefined, { signal });
  }
}

async function end(child, how) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(how);
  const lastResort = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(lastResort);
}
