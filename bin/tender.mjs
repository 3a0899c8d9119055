#!/usr/bin/env node
// The `tender` command, and what `npm start` runs. In a checkout it first installs missing packages and builds
// changed sources; then, as in an installed package, it becomes the program: same process, same signals.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tooOldNode } from './node-version.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = new URL('../dist/tender.js', import.meta.url);

// npm leaves the lock file out of packages, so an installed one is never taken for a checkout.
const isCheckout = ['package-lock.json', 'scripts/prepare-checkout.mjs', 'src/cli'].every((path) =>
  existsSync(`${root}${path}`),
);

async function prepare() {
  const complaint = tooOldNode();
  if (complaint) throw new Error(complaint);
  if (isCheckout) {
    const { prepareCheckout } = await import('../scripts/prepare-checkout.mjs');
    await prepareCheckout({ root, say });
  } else if (!existsSync(program)) {
    throw new Error('dist/tender.js is missing from this installation; install the package again.');
  }
}

function say(line) {
  process.stderr.write(`tender: ${line}\n`);
}

try {
  await prepare();
} catch (error) {
  say(error.message);
  process.exit(1);
}

// Newer versions of Node have it. Where it is missing, `pg` makes a Response to find out where it runs, for which Node
// loads all of its fetch, and that takes longer than loading `pg` itself.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` };

// Stack traces name lines of src/, not of the bundle.
process.setSourceMapsEnabled(true);
await import(program.href);
