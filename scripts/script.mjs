// What every `npm run` script does around its work: it refuses an old Node, installs missing packages, lets Ctrl-C end
// it in order, and says in one line what went wrong. Scripts import what needs packages only inside their work.
import { fileURLToPath } from 'node:url';
import { tooOldNode } from '../bin/node-version.mjs';
import { interruption } from './interruption.mjs';
import { ensurePackages } from './packages.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const { signal, release } = interruption();

/** Is aborted when the script shall end. */
export { signal };

// Standard error: what a script was asked for goes to standard output.
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
