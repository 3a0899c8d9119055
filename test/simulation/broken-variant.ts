// The simulation with one protection of the gateway taken out: the sources are bundled with a piece of text replaced.
// So no source knows of tests, and a variant whose text is no longer there fails instead of testing nothing.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { withImported } from '../../scripts/imported.mjs';
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
  type Simulation = typeof import('./simulate.ts');
  const run = ({ simulate }: Simulation) => simulate(wanted);
  return withImported('test/simulation/simulate.ts', run, [replacing(variant)]);
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
