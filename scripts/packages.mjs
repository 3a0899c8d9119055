// Checks that node_modules has the packages of package-lock.json at the locked versions, and otherwise installs them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { whileBusy } from './busy-line.mjs';
import { run } from './command.mjs';
import { oneAtATime } from './one-at-a-time.mjs';

const INSTALL_LIMIT_MS = 5 * 60_000;

/** `packages` is what must be there: 'production' or 'all'. Installs all packages when some of these are missing. */
export async function ensurePackages({ root, packages, say, signal }) {
  if (areInstalled({ root, packages })) return;
  await whileBusy('installing packages', { say }, () =>
    oneAtATime(join(root, 'dist/.installing'), { signal }, async () => {
      if (!areInstalled({ root, packages })) await install({ root, signal });
    }),
  );
}

function areInstalled({ root, packages }) {
  const { dependencies, devDependencies } = readJson(join(root, 'package.json'));
  const pins = packages === 'all' ? { ...dependencies, ...devDependencies } : dependencies;
  const locked = readJson(join(root, 'package-lock.json')).packages ?? {};
  // npm writes this list last, so it is missing after an install that was cut short.
  const present = readJson(join(root, 'node_modules/.package-lock.json')).packages ?? {};
  const has = (path, version) => present[path]?.version === version && existsSync(join(root, path, 'package.json'));
  return (
    Object.entries(pins).every(([name, version]) => has(`node_modules/${name}`, version)) &&
    Object.entries(locked).every(([path, entry]) => isLeftOut(path, entry, packages) || has(path, entry.version))
  );
}

async function install({ root, signal }) {
  const { command, prefix, shell } = npmCommand();
  const args = [...prefix, ...installation(root), '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output, timedOut } = await run(command, args, { cwd: root, shell, signal, limitMs: INSTALL_LIMIT_MS });
  if (timedOut) throw new Error('installing packages took too long; is the package registry reachable?');
  if (code !== 0) throw new Error(`could not install packages: ${firstComplaint(output)} (\`npm ci\` tells more)`);
}

// `npm ci` empties node_modules first. Tools are added without that, because a gateway may be running from there.
function installation(root) {
  return areInstalled({ root, packages: 'production' }) ? ['install', '--no-save'] : ['ci'];
}

// Other platforms' packages are optional; peers are left out by some npm settings.
function isLeftOut(path, entry, packages) {
  if (path === '' || entry.optional || entry.devOptional || entry.peer) return true;
  return entry.dev && packages === 'production';
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

// We take the npm that started us, on the Node that runs us, otherwise the one on the path.
function npmCommand() {
  const started = process.env.npm_execpath;
  if (started?.endsWith('npm-cli.js')) return { command: process.execPath, prefix: [started], shell: false };
  return { command: 'npm', prefix: [], shell: process.platform === 'win32' };
}

// npm's first lines are codes ("npm error code ENOTFOUND"); the sentence comes after them.
function firstComplaint(output) {
  const lines = [...output.matchAll(/^npm (?:error|ERR!) (.+)$/gm)].map((match) => match[1]);
  return lines.find((line) => !/^(code|errno|syscall) /.test(line)) ?? lines[0] ?? 'npm gave no reason';
}
