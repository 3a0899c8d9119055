// Bundles src/ into dist/ with esbuild; packages are not bundled. Code that a command needs only sometimes is in chunks
// beside it. Every bundle carries a fingerprint of its sources and is renamed into place whole, so several starts may
// build at the same moment without harm.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDocumentation, documentationIsFresh, documentationSources } from './documentation.mjs';
import { remembered } from './remembered.mjs';

const ENTRY_POINTS = {
  tender: 'src/cli/main.ts',
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  'pglite-worker': 'src/storage/embedded/pglite-worker.ts',
};

// These entry points run in browsers: on the hosted pages, people's, the console's, the documentation's and a
// sandbox's first page. The others run in Node.
const PAGE_ENTRY_POINTS = {
  pages: 'src/web/browser/pages.ts',
  people: 'src/web/browser/people.ts',
  landing: 'src/web/browser/landing.ts',
  console: 'src/web/browser/console.ts',
  docs: 'src/web/browser/docs.ts',
};

// What a merchant's program imports has no chunk in common with the gateway, and its packages are inside.
const CLIENT_ENTRY_POINTS = { client: 'src/client/index.ts' };

const ALL_ENTRY_POINTS = { ...ENTRY_POINTS, ...PAGE_ENTRY_POINTS, ...CLIENT_ENTRY_POINTS };

// Programs know one class of client errors, whoever made the client: the gateway's own bundles import that bundle.
const oneClient = {
  name: 'one-client',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/client\/index\.ts$/ }, () => ({ path: './client.js', external: true }));
  },
};

const STAMP_LENGTH = 200;

// A process that has just started may still load chunks of the build before, so they are kept for an hour.
const CHUNK = /^chunk-\w+\.js(\.map)?$/;
const KEPT_CHUNKS_MS = 3_600_000;

export function buildIsFresh(root) {
  const sources = sourcesOf(root);
  const texts = textsOf(root);
  const { stamp, documentationStamp } = remembered(root, {
    name: 'stamps',
    paths: [...sources, ...texts],
    find: () => ({ stamp: stampOf(root), documentationStamp: documentationStampOf(root) }),
  });
  const isOfStamp = (name) => readStart(join(root, 'dist', `${name}.js`)).includes(stamp);
  const areBundlesFresh = Object.keys(ALL_ENTRY_POINTS).every(isOfStamp);
  return areBundlesFresh && documentationIsFresh(root, documentationStamp);
}

export async function build(root) {
  for (const path of Object.values(ALL_ENTRY_POINTS)) {
    if (!existsSync(join(root, path))) throw new Error(`cannot build: ${path} does not exist.`);
  }
  const esbuild = await import('esbuild');
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: resolve(root),
      entryPoints: ENTRY_POINTS,
      outdir: 'dist',
      banner: { js: stampOf(root) },
      bundle: true,
      splitting: true,
      chunkNames: 'chunk-[hash]',
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: true,
      sourcesContent: false,
      plugins: [oneClient],
      write: false,
      logLevel: 'silent',
    });
    const client = await esbuild.build(clientBuild(root));
    const pages = await esbuild.build({
      absWorkingDir: resolve(root),
      entryPoints: PAGE_ENTRY_POINTS,
      outdir: 'dist',
      banner: { js: stampOf(root) },
      bundle: true,
      platform: 'browser',
      format: 'iife',
      target: 'es2020',
      minify: true,
      charset: 'utf8',
      write: false,
      logLevel: 'silent',
    });
    const script = pages.outputFiles.find(({ path }) => basename(path) === 'docs.js');
    await buildDocumentation(root, { stamp: documentationStampOf(root), script: Buffer.from(script.contents) });
    placeInDist(root, [...pages.outputFiles, ...client.outputFiles, ...outputFiles]);
    removeOldChunks(join(root, 'dist'));
  } catch (error) {
    throw await readable(error, esbuild);
  } finally {
    // The start script becomes the server, which must not keep esbuild's child process.
    await esbuild.stop();
  }
}

/** How the client is bundled. Whoever reads its inputs sees all that is in it. */
export function clientBuild(root) {
  return {
    absWorkingDir: resolve(root),
    entryPoints: CLIENT_ENTRY_POINTS,
    outdir: 'dist',
    banner: { js: stampOf(root) },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
  };
}

// Entry points come last: when one is in place, its map and its chunks are there already.
function placeInDist(root, files) {
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  for (const { path, contents } of files.toSorted((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)))) {
    const unfinished = join(dist, `.${basename(path)}.${process.pid}`);
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
}

function isEntry(path) {
  return basename(path, '.js') in ALL_ENTRY_POINTS;
}

function removeOldChunks(dist) {
  for (const name of readdirSync(dist).filter((each) => CHUNK.test(each))) {
    const path = join(dist, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > KEPT_CHUNKS_MS) rmSync(path, { force: true });
  }
}

// The stamp is made of contents, because checkouts, copies and image layers all change times. What it was is remembered
// for files that nobody has touched since.
function stampOf(root) {
  return `// Built from sources ${digestOf(root, sourcesOf(root))}`;
}

function documentationStampOf(root) {
  return `${stampOf(root)}, texts ${digestOf(root, textsOf(root))}`;
}

function sourcesOf(root) {
  return ['scripts/build.mjs', ...sourcesUnder(root, 'src')];
}

function textsOf(root) {
  return ['scripts/documentation.mjs', 'package.json', ...documentationSources(root)];
}

function digestOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    hash
      .update(`${path}\n`)
      .update(readFileSync(join(root, path)))
      .update('\n');
  }
  return hash.digest('hex');
}

function sourcesUnder(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sourcesUnder(root, path);
      return entry.isFile() && !entry.name.endsWith('.test.ts') ? [path] : [];
    });
}

function readStart(path) {
  if (!existsSync(path)) return '';
  const file = openSync(path);
  try {
    const start = Buffer.alloc(STAMP_LENGTH);
    return start.toString('utf8', 0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}

async function readable(error, esbuild) {
  if (!Array.isArray(error.errors)) return error;
  const messages = await esbuild.formatMessages(error.errors, { kind: 'error', color: process.stderr.isTTY });
  return new Error(`the build failed.\n${messages.join('').trimEnd()}`, { cause: error });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await build(fileURLToPath(new URL('..', import.meta.url))).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
