// Installs programs that the tests need from Debian's packages, which is possible as root and with apt-get.
import { accessSync, constants } from 'node:fs';
import { run } from './command.mjs';

const APT_GET = '/usr/bin/apt-get';
const INSTALL_LIMIT_MS = 4 * 60_000;

/** Resolves with undefined when the packages are installed, otherwise with the reason why not. */
export async function installDebianPackages(names, { signal }) {
  const install = ['install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...names];
  for (const args of [['update'], install]) {
    const { code, output, timedOut } = await run(APT_GET, args, {
      signal,
      limitMs: INSTALL_LIMIT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (timedOut) return `not installed, and apt-get ${args[0]} took too long`;
    if (code !== 0) return `not installed, and apt-get ${args[0]} failed: ${lastComplaint(output)}`;
  }
  return undefined;
}

/** Whether we are root and apt-get exists. */
export function canInstallDebianPackages() {
  try {
    accessSync(APT_GET, constants.X_OK);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

function lastComplaint(output) {
  const lines = output.trim().split('\n');
  return lines.findLast((line) => line.startsWith('E: ')) ?? lines.at(-1);
}
