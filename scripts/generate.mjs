// `npm run generate`: writes the pages, and the part of the client, that are printed from the code.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { documentationSources } from './documentation.mjs';
import { root, runScript } from './script.mjs';

readArguments(
  'npm run generate   writes docs/reference, examples in guides and the client anew; it takes no options',
  {},
  () => {},
);

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
  const read = (path) => readFileSync(join(root, path), 'utf8');
  await withImported('src/openapi/module-pages.ts', ({ modulePages }) => {
    for (const [name, text] of Object.entries(modulePages(read))) writeFileSync(join(folder, name), text);
  });
  await withImported('src/documentation/examples.ts', ({ withPrintedExamples }) => {
    const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name.endsWith('.md'));
    const files = new Map(documentationSources(root).map((path) => [path, readFileSync(join(root, path))]));
    for (const path of guides.map((name) => `docs/guides/${name}`)) {
      const printed = withPrintedExamples(files, read(path));
      if (printed !== read(path)) writeFileSync(join(root, path), printed);
    }
  });
});
