// Writes the documentation that a gateway serves, from docs/ and the code, into dist/docs. It is written beside and
// renamed into place whole; a running gateway has read the one before.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withImported } from './imported.mjs';

const AT_ROOT = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];
const STYLESHEETS = ['src/web/design/pages.css', 'src/web/design/docs.css'];
const ICON = 'src/web/design/icon.svg';
const STAMP = 'stamp.txt';
/** Only these: whoever tries the shop leaves a data folder with keys beside them. */
const OF_EXAMPLES = /^examples\/(README\.md|shop\/(\w[\w.-]*\.mjs|package\.json))$/;

/** What the pages are made of, besides src/: files of the repository, as paths from its root. */
export function documentationSources(root) {
  const examples = filesUnder(root, 'examples').filter((path) => OF_EXAMPLES.test(path));
  const all = [...AT_ROOT, ...filesUnder(root, 'docs'), ...examples];
  return all.filter((path) => existsSync(join(root, path)));
}

/** Whether dist/docs was made from sources with this stamp. */
export function documentationIsFresh(root, stamp) {
  const path = join(root, 'dist/docs', STAMP);
  return existsSync(path) && readFileSync(path, 'utf8') === stamp;
}

/** `script` is the built script of the pages. */
export async function buildDocumentation(root, { stamp, script }) {
  const files = new Map(documentationSources(root).map((path) => [path, readFileSync(join(root, path))]));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const assets = new Map();
  const named = (name, ending, content) => {
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
    assets.set(`assets/${name}-${digest}.${ending}`, content);
    return `${name}-${digest}.${ending}`;
  };
  const names = {
    stylesheets: STYLESHEETS.map((path) => named(path.slice(path.lastIndexOf('/') + 1, -4), 'css', read(root, path))),
    script: named('docs', 'js', script),
    icon: named('icon', 'svg', read(root, ICON)),
  };
  const site = await withImported('src/documentation/site.ts', ({ documentationSite }) =>
    documentationSite({ files, assets: names, version }),
  );
  place(root, new Map([...site, ...assets, [STAMP, stamp]]));
}

function place(root, site) {
  const dist = join(root, 'dist');
  const unfinished = join(dist, `.docs.${process.pid}`);
  const old = join(dist, `.docs.${process.pid}.old`);
  for (const [path, content] of site) {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true });
    writeFileSync(join(unfinished, path), content);
  }
  const docs = join(dist, 'docs');
  if (existsSync(docs)) renameSync(docs, old);
  try {
    renameSync(unfinished, docs);
  } catch (error) {
    // Another start was faster, and has written the same.
    if (!existsSync(docs)) throw error;
  }
  for (const path of [unfinished, old]) rmSync(path, { recursive: true, force: true });
}

function read(root, path) {
  return readFileSync(join(root, path));
}

function filesUnder(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(root, path) : [path];
    });
}
