// Writes the pages that are printed from the code: docs/reference.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withImported } from './imported.mjs';

const folder = fileURLToPath(new URL('../docs/reference', import.meta.url));

await withImported('src/openapi/reference-pages.ts', ({ referencePages }) => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(referencePages())) writeFileSync(join(folder, name), text);
});
