// `npm run generate`: writes the pages that are printed from the code.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';

const USAGE = 'npm run generate   writes docs/reference anew from the code; it takes no options';

const folder = fileURLToPath(new URL('../docs/reference', import.meta.url));
readArguments(USAGE, {}, () => {});

const { withImported } = await import('./imported.mjs');
await withImported('src/openapi/reference-pages.ts', ({ referencePages }) => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(referencePages())) writeFileSync(join(folder, name), text);
});
