// Imports TypeScript, which Node 20 cannot: it is bundled on the fly.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Gives `use` the module at `path` (from the root), then removes the bundle. `plugins` are for esbuild. */
export async function withImported(path, use, plugins = []) {
  // Packages may be installed after this file was read.
  const { build } = await import('esbuild');
  // The folder is inside node_modules, so that the bundle finds its packages and no tool looks at it.
  const workFolder = mkdtempSync(join(root, 'node_modules', '.imported-'));
  try {
    const outfile = join(workFolder, 'module.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [path],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      outfile,
      plugins,
    });
    return await use(await import(pathToFileURL(outfile).href));
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}
