// The house rules: who may know whom, and what the tree must not hold. Each failure names the line and the reason.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TRIALS } from './trials.ts';
import { EMBEDDED_FILES } from './tried-on.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((path) => path !== '');

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const sources = tracked.filter((path) => path.startsWith('src/') && path.endsWith('.ts') && !path.endsWith('.test.ts'));

type Import = { readonly from: string; readonly to: string; readonly line: number; readonly typesOnly: boolean };

const STATEMENT = /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*(?:from\s*)?'([^']+)';/gms;

const imports: Import[] = sources.flatMap((from) => {
  const text = read(from);
  return [...text.matchAll(STATEMENT)].map((match) => {
    const [, keyword, names = '', target = ''] = match;
    const to = target.startsWith('.') ? normalize(join(dirname(from), target)) : target;
    const line = text.slice(0, match.index).split('\n').length;
    return { from, to, line, typesOnly: keyword !== undefined || isTypesOnly(names) };
  });
});

const targets = new Map(sources.map((path) => [path, imports.filter(({ from }) => from === path).map(({ to }) => to)]));

function isTypesOnly(names: string): boolean {
  const listed = /^\{(.*)\}$/s.exec(names.trim())?.[1]?.split(',') ?? [];
  const known = listed.map((name) => name.trim()).filter((name) => name !== '');
  return known.length > 0 && known.every((name) => name.startsWith('type '));
}

/** A source without its comments. */
const codeOf = (path: string) => read(path).replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
const folderOf = (path: string) => path.split('/')[1] ?? '';
const isInside = ({ to }: Import) => to.startsWith('src/');
const shown = ({ from, to, line }: Import) => `${from}:${line} imports ${relative('src', to)}`;

/** Every file that a file knows, or is known by one that it knows. */
function reachedFrom(path: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [path];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of targets.get(from) ?? []) {
      if (!reached.has(to)) open.push(to);
      reached.add(to);
    }
  }
  return reached;
}

/** Files that say what a part promises: others may know them, not what is behind them. */
const PORTS = new Set([
  'src/acquirers/acquirer.ts',
  'src/acquirers/connector.ts',
  'src/http/http-server.ts',
  'src/threeds/directory.ts',
  'src/threeds/card-ranges.ts',
  'src/threeds/flow.ts',
  'src/threeds/messages/index.ts',
  'src/processing/node/due-work.ts',
  'src/storage/store.ts',
  'src/storage/database.ts',
  'src/storage/group-commit.ts',
  'src/vault/vault.ts',
  'src/vault/places.ts',
  'src/vault/seal.ts',
  'src/vault/security-codes.ts',
]);

// folder → the folders it may know, besides its own. Ports may be known by all but the pure parts, and so may the types
// of storage: every noun there declares what it promises beside how it is kept, and only compose takes the latter.
const BELOW_COMPOSE: Record<string, readonly string[]> = {
  domain: [],
  signing: ['domain'],
  telemetry: ['domain'],
  vault: ['domain'],
  scan: ['domain'],
  // The merchant's side: nothing of the gateway is behind it.
  client: ['domain', 'signing'],
  acquirers: ['domain', 'signing'],
  threeds: ['domain'],
  storage: ['domain'],
  notifications: ['domain', 'signing', 'telemetry'],
  processing: ['domain', 'client', 'signing', 'telemetry'],
  administration: ['domain', 'signing', 'telemetry', 'processing'],
  operations: ['domain', 'processing'],
  openapi: ['domain', 'acquirers', 'administration', 'operations', 'signing', 'processing', 'notifications'],
  // Runs at build time only: the pages that the gateway serves at /docs.
  documentation: ['domain', 'openapi', 'operations', 'web'],
  web: ['domain', 'client', 'operations', 'processing', 'notifications'],
  console: ['domain', 'administration', 'processing', 'web'],
  http: ['domain', 'signing', 'telemetry', 'operations', 'administration', 'processing', 'web'],
};

const MAY_KNOW: Record<string, readonly string[]> = {
  ...BELOW_COMPOSE,
  compose: Object.keys(BELOW_COMPOSE),
  // What the package exports.
  'index.ts': ['compose', 'telemetry'],
  testing: ['client', 'compose', 'domain', 'telemetry'],
  // The command line starts parts by way of compose, and some of them alone.
  cli: [
    'domain',
    'client',
    'signing',
    'operations',
    'telemetry',
    'administration',
    'processing',
    'scan',
    'http',
    'acquirers',
    'threeds',
    'storage',
    'vault',
    'compose',
    // An operation by name is a merchant's call: its fields, and how they are signed.
    'operations',
    'signing',
  ],
};

const PURE = new Set(['domain', 'signing']);

describe('who may know whom', () => {
  it('has a rule for every folder of src', () => {
    const folders = new Set(sources.map(folderOf));
    expect([...folders].filter((folder) => !(folder in MAY_KNOW))).toEqual([]);
  });

  it.each(Object.keys(MAY_KNOW))('%s knows only what it may', (folder) => {
    const allowed = new Set([folder, ...(MAY_KNOW[folder] ?? [])]);
    const wrong = imports
      .filter((one) => folderOf(one.from) === folder && isInside(one))
      .filter((one) => !allowed.has(folderOf(one.to)))
      .filter((one) => PURE.has(folder) || !(PORTS.has(one.to) || (one.typesOnly && folderOf(one.to) === 'storage')));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('has no circles, also where only types are known', () => {
    const reached = new Map(sources.map((path) => [path, reachedFrom(path)]));
    const wrong = imports.filter(({ from, to }) => reached.get(to)?.has(from));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('shows of compose only its index', () => {
    const wrong = imports.filter(
      ({ from, to }) => folderOf(to) === 'compose' && folderOf(from) !== 'compose' && to !== 'src/compose/index.ts',
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  const CONNECTORS = 'src/acquirers/connectors.ts';
  const connectors = [...new Set(sources.flatMap((path) => /^src\/acquirers\/([^/]+)\//.exec(path)?.[1] ?? []))];

  it('lists every connector by one line', () => {
    const listed = codeOf(CONNECTORS)
      .split('\n')
      .filter((line) => line !== '');
    const folders = listed.map((line) => /^export \{ \w+ \} from '\.\/([^/]+)\/[^']+';$/.exec(line)?.[1] ?? line);
    expect(folders.sort()).toEqual(connectors.sort());
  });

  it.each(connectors)('lets only that line and its own folder name the connector %s', (name) => {
    const isOwn = (path: string) => path === CONNECTORS || path.startsWith(`src/acquirers/${name}/`);
    // The simulated bank is also a program of its own, and the card networks have one that is no connector.
    const isSimulated = (path: string) => path === 'src/acquirers/index.ts' || path.startsWith('src/threeds/');
    const others = sources.filter((path) => !isOwn(path) && !(name === 'simulator' && isSimulated(path)));
    const said = new RegExp(`acquirers/${name}/|\\b\\w*${name}\\w*\\b`, 'i');
    expect(others.filter((path) => said.test(codeOf(path))).map((path) => `${path} says ${name}`)).toEqual([]);
  });

  it.each([
    ['pg', /^src\/storage\//],
    ['@electric-sql/pglite', /^src\/storage\//],
    ['node:http', /^src\/(http|web|acquirers|notifications|threeds|cli)\//],
    ['commander', /^src\/cli\//],
    ['prom-client', /^src\/telemetry\//],
  ])('lets %s be known only where it belongs', (library, places) => {
    const wrong = imports.filter(
      ({ from, to }) => (to === library || to.startsWith(`${library}/`)) && !places.test(from),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('keeps the rules pure: no clock, no randomness, no files, no network', () => {
    const impure = /\bDate\.now\(|\bnew Date\(\)|Math\.random\(|\bprocess\.|\bfetch\(|\bsetTimeout\(/;
    const exempt = 'src/domain/clock.ts';
    const wrong = sources
      .filter((path) => PURE.has(folderOf(path)) && path !== exempt)
      .filter(
        (path) => impure.test(read(path)) || /from 'node:(fs|http|https|dns|child_process|timers)/.test(read(path)),
      );
    expect(wrong).toEqual([]);
  });

  it('writes SQL only in storage', () => {
    const sql = /\b(select\s+[\w.*,\s]+\s+from|insert\s+into|update\s+\w+\s+set|delete\s+from)\b/i;
    expect(sources.filter((path) => folderOf(path) !== 'storage' && sql.test(codeOf(path)))).toEqual([]);
  });

  it('writes the words of orders in statements by what the compiler checks', () => {
    const column = /\b(?:stage|type|operation|status|finding|from|decline_code)'?/;
    const bare = new RegExp(`${column.source} *(?:=|<>|\\b(?:not )?in\\b|\\bwhen\\b) *\\(?'`, 'g');
    const wrong = sources
      .filter((path) => folderOf(path) === 'storage')
      .flatMap((path) => (codeOf(path).match(bare) ?? []).map((words) => `${path} says ${words}`));
    expect(wrong).toEqual([]);
  });

  it('reveals a secret only where it is used', () => {
    const places =
      /^src\/(vault|signing|acquirers|processing|administration|cli|compose|operations\/field-kinds|notifications\/mail\/smtp\.ts|http\/authenticate|web\/people\/cookie)/;
    expect(sources.filter((path) => read(path).includes('.reveal()') && !places.test(path))).toEqual([]);
  });
});

const MAX_COLUMNS = 120;

describe('how the tree reads', () => {
  const named = tracked.filter((path) => /\.(ts|mjs)$/.test(path));

  it('names files in kebab-case, and none after what fits anything', () => {
    const bad = named.filter((path) => {
      const name = path.split('/').at(-1) ?? '';
      return !/^[a-z0-9.-]+$/.test(name) || /^(utils?|helpers?|common|misc|shared)\./.test(name);
    });
    expect(bad).toEqual([]);
  });

  it('gives every exported name to one thing', () => {
    const declared = /^export (?:async |abstract )*(?:function\*?|const|let|class|type|interface) +(\w+)/gm;
    const places = new Map<string, Set<string>>();
    for (const path of sources) {
      for (const [, name = ''] of read(path).matchAll(declared)) {
        places.set(name, (places.get(name) ?? new Set()).add(path));
      }
    }
    const twice = [...places].filter(([, paths]) => paths.size > 1);
    expect(twice.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([]);
  });

  it('holds no more than 25 files of sources or migrations in one folder', () => {
    const counts = new Map<string, number>();
    const migrations = tracked.filter((path) => path.startsWith('src/') && path.endsWith('.sql'));
    for (const path of [...sources, ...migrations]) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });

  it('begins every source file with a sentence on what it is, operations with their summary', () => {
    const bad = sources
      .filter((path) => !/^src\/operations\/(v2|v4|3ds)\//.test(path))
      .filter((path) => !read(path).startsWith('//'));
    expect(bad).toEqual([]);
  });

  it('keeps lines of documents and comments within 120 columns; the formatter sees to the code', () => {
    const isComment = /^\s*(\/\/|\/\*|\*)/;
    const isMeant = (path: string, line: string) => path.endsWith('.md') || isComment.test(line);
    // Addresses cannot be broken.
    const isTooWide = (line: string) => line.length > MAX_COLUMNS && !/https?:\/\//.test(line);
    const wide = tracked
      .filter((path) => /\.(ts|mjs|mts|md)$/.test(path))
      .flatMap((path) => {
        const lines = read(path).split('\n');
        return lines.flatMap((line, at) => (isTooWide(line) && isMeant(path, line) ? [`${path}:${at + 1}`] : []));
      });
    expect(wide).toEqual([]);
  });

  it('holds no skipped, focused or empty test', () => {
    const tests = named.filter((path) => path.includes('.test.') && path !== 'test/tidy.test.ts');
    expect(tests.filter((path) => /\b(it|test|describe)\.(skip|only|todo)\(/.test(read(path)))).toEqual([]);
  });

  it('speaks of the project alone', () => {
    const foreign = /\.\.\/shared|registry\.npmjs|deb\.debian\.org|\/work\/|\/root\//;
    const text = tracked.filter((path) => /\.(ts|mjs|md|json|sql|yml)$|\.ci\/run$/.test(path));
    const bad = text.filter(
      (path) => path !== 'test/tidy.test.ts' && path !== 'package-lock.json' && foreign.test(read(path)),
    );
    expect(bad).toEqual([]);
  });

  it('names in the threat model only tests that are there', () => {
    const named = [...read('docs/security.md').matchAll(/`((?:test|src)\/[^`\s]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((path) => !tracked.some((one) => one === path || one.startsWith(`${path}/`)))).toEqual([]);
  });

  it('names only tests that are there among those for the embedded database', () => {
    expect(EMBEDDED_FILES.length).toBeGreaterThan(0);
    expect(EMBEDDED_FILES.filter((path) => !tracked.includes(`test/${path}`))).toEqual([]);
  });

  it('leaves as trials only tests whose rules others hold that are no trials, and a third at most', () => {
    const trials = TRIALS.map(({ file }) => file);
    expect(trials.filter((path, at) => !tracked.includes(path) || trials.indexOf(path) !== at)).toEqual([]);
    const others = tracked.filter((path) => /\.test\.m?[jt]s$/.test(path) && !trials.includes(path));
    const isHeldIn = (place: string) =>
      others.some((path) => (place.endsWith('/') ? path.startsWith(place) : path === place));
    const unheld = TRIALS.filter(({ heldBy }) => heldBy.length === 0 || !heldBy.every(isHeldIn));
    expect(unheld.map(({ file }) => file)).toEqual([]);
    const all = tracked.filter((path) => /^(test|examples)\/.*\.test\.(ts|mjs)$/.test(path));
    expect(trials.length * 3).toBeLessThanOrEqual(all.length);
  });

  it('begins every command of package.json without packages, which it installs first', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const begun = Object.values(scripts).flatMap((command) => command.match(/\b(?:scripts|bin)\/[\w-]+\.mjs/g) ?? []);
    const needed = (path: string, seen: string[] = []): string[] =>
      seen.includes(path)
        ? []
        : [...read(path).matchAll(STATEMENT)].flatMap(([, , , target = '']) => {
            if (target.startsWith('node:')) return [];
            if (!target.startsWith('.')) return [`${path} imports ${target}`];
            return needed(normalize(join(dirname(path), target)), [...seen, path]);
          });
    expect(begun.length).toBeGreaterThan(5);
    expect([...new Set(begun.flatMap((path) => needed(path)))]).toEqual([]);
  });

  it('pins every dependency exactly', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version as string),
    );
    expect(loose).toEqual([]);
  });

  it('gives every dependency a reason', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    const reasons = read('docs/decisions/0007-dependencies.md');
    expect(Object.keys(dependencies).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  });

  it('tracks no large file', () => {
    const large = tracked.filter((path) => readFileSync(join(ROOT, path)).length > 1024 * 1024);
    expect(large).toEqual([]);
  });
});
