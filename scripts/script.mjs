// What every `npm run` script does around its work: it refuses an old Node, installs missing packages, ends in order on
// Ctrl-C, and says in one line what went wrong. Scripts import modules that need packages only inside their work.
import { fileURLToPath } from 'node:url';
import { tooOldNode } from '../bin/node-version.mjs';
import { interruption } from './interruption.mjs';
import { ensurePackages } from './packages.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const { signal, release } = interruption();

/** Aborted when the script must end. */
export { signal };

// Messages go to standard error, because standard output is for the result of the script.
const say = (line) => process.stderr.write(`${line}\n`);

/** `work` resolves with the exit code, or with nothing for 0. */
export async function runScript(work) {
  try {
    const complaint = tooOldNode();
    if (complaint) throw new Error(complaint);
    await ensurePackages({ root, packages: 'all', say, signal });
    process.exitCode = (await work({ say })) ?? 0;
  } catch (error) {
    say(
      signal.aborted ? `stopped by ${signal.reason}` : [error.message, error.cause?.message].filter(Boolean).join(': '),
    );
    process.exitCode = 1;
  }
  release();
  if (signal.aborted) process.kill(process.pid, signal.reason);
}
