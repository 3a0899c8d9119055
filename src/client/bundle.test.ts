// What is inside the client's bundle: its own files and the pure ones it shares with the gateway, and nothing of what
// serves, stores or keeps.

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { clientBuild } from '../../scripts/build.mjs';

const SHARED = [
  'src/domain/error-remedies.ts',
  'src/domain/errors.ts',
  'src/domain/money/currency.ts',
  'src/domain/money/money.ts',
  'src/domain/secret.ts',
  'src/signing/callback.ts',
  'src/signing/control.ts',
  'src/signing/oauth1.ts',
  'src/signing/strict.ts',
  'node_modules/countries-list/mjs/currencies.js',
];

it('holds only its own files and the shared pure ones, and imports nothing but node:crypto', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { metafile, outputFiles = [] } = await build({ ...clientBuild(root), write: false });
  const inputs = Object.entries(metafile.inputs);
  const foreign = inputs.map(([path]) => path).filter((path) => !path.startsWith('src/client/'));
  expect(foreign.sort()).toEqual([...SHARED].sort());
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect([...new Set(imported)]).toEqual(['node:crypto']);
  expect(outputFiles[0]?.text).not.toMatch(/\brequire\(|__dirname|__filename|\bprocess\./);
});
