// Makes a checkout ready to run: installs packages and builds dist/ from the present sources. It only reads when both
// are up to date.
import { build, buildIsFresh } from './build.mjs';
import { whileBusy } from './busy-line.mjs';
import { interruption } from './interruption.mjs';
import { ensurePackages } from './packages.mjs';

export async function prepareCheckout({ root, say }) {
  const { signal, release } = interruption();
  try {
    const isFresh = buildIsFresh(root);
    await ensurePackages({ root, packages: isFresh ? 'production' : 'all', say, signal });
    if (!isFresh) await whileBusy('building', { say }, () => build(root));
  } finally {
    release();
    if (signal.aborted) process.kill(process.pid, signal.reason);
  }
}
