// `npm run simulate -- --seed S --histories N`: runs the deterministic simulation. Node 20 cannot import TypeScript, so it is
// bundled on the fly.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

// Inside node_modules, so that the bundle finds its packages and no tool looks at it.
const workFolder = mkdtempSync(join(root, 'node_modules', '.simulate-'));
try {
  const outfile = join(workFolder, 'simulate.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/simulation/simulate.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
  });
  const { main } = await import(pathToFileURL(outfile).href);
  const isGood = await main(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}
