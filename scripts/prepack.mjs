// `npm pack` runs this first: it builds dist/ from scratch, and adds the type declarations of what the package exports
// and the list of the packages it needs.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { build } from './build.mjs';
import { run } from './command.mjs';
import { root, runScript, signal } from './script.mjs';

// A guard against what hangs: on a busy machine the compiler takes many times as long.
const TYPES_LIMIT_MS = 10 * 60_000;

// The compiler declares every file it meets. Of these the package carries what it exports; src/index.ts needs none of
// the others, and the folders need nothing outside of them but each other.
const DECLARED_FOLDERS = ['client', 'testing'];

async function declareTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'tender-types-'));
  try {
    const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder];
    const args = ['node_modules/typescript/bin/tsc', ...emit];
    const { code, output } = await run(process.execPath, args, { cwd: root, signal, limitMs: TYPES_LIMIT_MS });
    if (code !== 0) throw new Error(`the types could not be declared:\n${output.trim()}`);
    cpSync(join(folder, 'src/index.d.ts'), join(root, 'dist/index.d.ts'));
    for (const name of DECLARED_FOLDERS) placeDeclarations(join(folder, 'src', name), join(root, 'dist', name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Declarations name the sources they import; programs have their declarations only.
function placeDeclarations(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((one) => !one.endsWith('.test.d.ts'))) {
    const text = readFileSync(join(from, name), 'utf8');
    writeFileSync(join(to, name), text.replaceAll(/(from '[^']+)\.ts'/g, "$1.js'"));
  }
}

await runScript(async () => {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await build(root);
  await declareTypes();
  await writeBillOfMaterials({ root, path: join(root, 'dist/sbom.cdx.json'), signal });
});
