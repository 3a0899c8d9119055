// Finds SoftHSM, a security module in software, and the tool that speaks to it, for the tests of key commands.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const MODULES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
];

const PROGRAMS = ['softhsm2-util', 'pkcs11-tool', 'openssl'];

/** The library of the module, or undefined. */
export function findSoftHsm() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const isThere = (program) => folders.some((folder) => existsSync(join(folder, program)));
  return PROGRAMS.every(isThere) ? MODULES.find((path) => existsSync(path)) : undefined;
}
