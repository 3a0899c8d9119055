// `npm run generate`: writes the pages, and the part of the client, that are printed from the code.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { root, runScript } from './script.mjs';

readArguments('npm run generate   writes docs/reference and the client anew; it takes no options', {}, () => {});

await runScript(async () => {
  const { withImported } = await import('./imported.mjs');
  const folder = join(root, 'docs/reference');
  await withImported('src/openapi/reference-pages.ts', ({ referencePages }) => {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(referencePages())) writeFileSync(join(folder, name), text);
  });
  await withImported('src/openapi/client-source.ts', ({ clientSource }) => {
    writeFileSync(join(root, 'src/client/operations.ts'), clientSource());
  });
});
