// Where the worker's JavaScript is. The bundle has it as a neighbour; run from TypeScript sources (tests, Node 20
// knows no TypeScript) it is bundled into the cache, named by its content so that parallel processes agree.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE_FOLDER } from '../connection/package-root.ts';

const NAME_LENGTH = 16;
let built: Promise<string> | undefined;

export async function pgliteWorkerFile(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('./pglite-worker.js', import.meta.url));
  built ??= buildWorker(fileURLToPath(new URL('./pglite-worker.ts', import.meta.url)));
  return built;
}

async function buildWorker(source: string): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
  });
  const { contents } = outputFiles[0]!;
  const name = createHash('sha256').update(contents).digest('hex').slice(0, NAME_LENGTH);
  const file = join(CACHE_FOLDER, `pglite-worker-${name}.mjs`);
  if (existsSync(file)) return file;
  await mkdir(CACHE_FOLDER, { recursive: true });
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, contents);
  await rename(temporary, file);
  return file;
}
