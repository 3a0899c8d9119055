// A program of a few lines against the sources, built into one file, for tests that kill it.

import { resolve } from 'node:path';
import { build } from 'esbuild';

/** `contents` imports as from the root of the repository. */
export async function buildProgram(contents: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '../..'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
}
