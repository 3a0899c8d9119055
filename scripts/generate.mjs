// Writes the pages that are printed from the code: docs/reference. Node 20 cannot import TypeScript, so the printer is
// bundled on the fly.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

// Inside node_modules, so that the bundle finds its packages and no tool looks at it.
const workFolder = mkdtempSync(join(root, 'node_modules', '.generate-'));
try {
  const outfile = join(workFolder, 'reference-pages.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/openapi/reference-pages.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
  });
  const { referencePages } = await import(pathToFileURL(outfile).href);
  const folder = join(root, 'docs', 'reference');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(referencePages())) writeFileSync(join(folder, name), text);
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}
