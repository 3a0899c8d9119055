// The simulation with one protection of the gateway taken out: the sources are bundled with a piece of text replaced. So no
// source knows of tests, and a variant whose text is no longer there fails instead of testing nothing.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Result, Wanted } from './simulate.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Variant = {
  /** What is switched off. */
  readonly without: string;
  readonly file: string;
  readonly text: string;
  readonly instead: string;
};

export async function simulateWithout(variant: Variant, wanted: Wanted): Promise<Result> {
  // Inside node_modules, so that the bundle finds its packages and no tool looks at it.
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.broken-variant-'));
  try {
    const outfile = join(folder, 'simulate.mjs');
    await build({
      absWorkingDir: ROOT,
      entryPoints: ['test/simulation/simulate.ts'],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      outfile,
      plugins: [replacing(variant)],
    });
    const { simulate } = (await import(pathToFileURL(outfile).href)) as typeof import('./simulate.ts');
    return await simulate(wanted);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function replacing({ file, text, instead }: Variant): Plugin {
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(text).length !== 2) throw new Error(`${file} does not hold once: ${text}`);
  return {
    name: 'broken-variant',
    setup: ({ onLoad }) => {
      const filter = new RegExp(`${file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]')}$`);
      onLoad({ filter }, () => ({ contents: source.replace(text, () => instead), loader: 'ts' }));
    },
  };
}
