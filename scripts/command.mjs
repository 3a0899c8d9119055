// Runs a command to its end, within a time limit, and leaves none of its processes behind: each command leads a
// process group of its own, which ends with it.
import { spawn } from 'node:child_process';

const GRACE_MS = 5_000;
const KEPT_OUTPUT_CHARS = 200_000;

/**
 * Resolves with `{ code, output, timedOut }`; rejects when the command cannot be started or `signal` aborts.
 * `show` passes the output through to the terminal instead of keeping it.
 */
export function run(command, args, { signal, limitMs, show = false, ...options }) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new Error(`stopped by ${signal.reason}`));
    const out = show ? 'inherit' : 'pipe';
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', out, out] });

    const stdout = lastCharacters(child.stdout);
    const stderr = lastCharacters(child.stderr);

    let timedOut = false;
    let lastResort;
    const stop = () => {
      endGroup(child.pid, 'SIGTERM');
      lastResort ??= setTimeout(endGroup, GRACE_MS, child.pid, 'SIGKILL');
    };
    const limit = setTimeout(() => {
      timedOut = true;
      stop();
    }, limitMs);
    signal?.addEventListener('abort', stop);

    const settle = () => {
      clearTimeout(limit);
      clearTimeout(lastResort);
      signal?.removeEventListener('abort', stop);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('exit', () => endGroup(child.pid, 'SIGKILL'));
    child.once('close', (code) => {
      settle();
      if (signal?.aborted) reject(new Error(`stopped by ${signal.reason}`));
      else resolve({ code, output: `${stdout()}${stderr()}`, timedOut });
    });
  });
}

function lastCharacters(stream) {
  let kept = '';
  stream?.setEncoding('utf8').on('data', (text) => {
    kept = (kept + text).slice(-KEPT_OUTPUT_CHARS);
  });
  return () => kept;
}

function endGroup(leader, signalName) {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signalName);
  } catch {
    // Nobody is left in the group.
  }
}
