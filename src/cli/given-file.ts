// A file that a person named: whatever is wrong with it is told by that name, which the system leaves out of a
// folder's.

import { readFile } from 'node:fs/promises';

export function readGivenFile(path: string): Promise<Buffer> {
  return readFile(path).catch((error: Error) => {
    throw Object.assign(error, { path });
  });
}

export async function readGivenText(path: string): Promise<string> {
  return (await readGivenFile(path)).toString('utf8');
}
