// The guide "Write a connector" is true: its files are put into a copy of the sources, which then compiles and lists
// the connector, and the connector keeps the contract. Adding it takes its folder and one line.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { Connector } from '../../src/acquirers/connector.ts';
import { connectorContract } from './any-connector.ts';
import type { ConnectorSubject } from './connector-subject.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'src/acquirers/ledgerline/';
const LIST = 'src/acquirers/connectors.ts';
const CONTRACT = 'test/contracts/connectors.test.ts';
const TOOL_LIMIT_MS = 10 * 60_000;

const guide = readFileSync(join(ROOT, 'docs/guides/write-a-connector.md'), 'utf8');
const blocks = [...guide.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].map(([, path = '', text = '']) => ({ path, text }));

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: copy, timeout: TOOL_LIMIT_MS }).then(
    () => '',
    (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`,
  );

const copy = followTheGuide();
afterAll(() => rm(copy, { recursive: true, force: true }));

/** A copy of the sources to which the guide was applied. */
function followTheGuide(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tender-guide-'));
  for (const path of ['src', 'test', 'scripts', 'tsconfig.json', 'biome.json', 'package.json', '.gitignore']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const { path, text } of blocks) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    const before = path === LIST || path === CONTRACT ? readFileSync(target, 'utf8') : '';
    writeFileSync(target, path === CONTRACT ? inserted(before, text) : before + text);
  }
  return folder;
}

/** Imports belong to the others, before what uses them. */
function inserted(before: string, text: string): string {
  const at = before.lastIndexOf('import ');
  const [first = '', ...rest] = text.split('\n');
  return `${before.slice(0, at)}${first}\n${before.slice(at)}${rest.join('\n')}`;
}

const importFromCopy = (path: string) => import(/* @vite-ignore */ join(copy, path));

describe('the guide to writing a connector', () => {
  it('adds a folder and one line to the sources', async () => {
    const files = async (root: string) =>
      (await readdir(join(root, 'src'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    const before = new Set(await files(ROOT));
    const after = await files(copy);
    const added = after.filter((path) => !before.has(path));
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((path) => !path.startsWith(FOLDER))).toEqual([]);
    const changed: string[] = [];
    for (const path of after.filter((one) => before.has(one))) {
      const [was, is] = await Promise.all([ROOT, copy].map((root) => readFile(join(root, path), 'utf8')));
      if (was !== is) changed.push(path);
    }
    expect(changed).toEqual([LIST]);
    const lines = async (root: string) => (await readFile(join(root, LIST), 'utf8')).split('\n').length;
    expect((await lines(copy)) - (await lines(ROOT))).toBe(1);
  });

  it('compiles against the sources', async () => {
    const files = ['src', ...blocks.map(({ path }) => path).filter((path) => path.startsWith('test/'))];
    const config = { extends: './tsconfig.json', include: files, exclude: ['src/web/browser', 'src/**/*.test.ts'] };
    writeFileSync(join(copy, 'tsconfig.guide.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(await run(tsc, '--noEmit', '--checkers', '1', '-p', 'tsconfig.guide.json')).toBe('');
  });

  it('is written in the style of the sources', async () => {
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const own = blocks.map(({ path }) => path).filter((path) => path !== LIST && path !== CONTRACT);
    const options = ['--vcs-enabled=false', '--colors=off', '--diagnostic-level=warn', '--error-on-warnings'];
    expect(await run(biome, 'check', ...options, ...own)).toBe('');
  });

  it('is listed, with settings that are read as all are', async () => {
    const { connectors } = (await importFromCopy('src/acquirers/index.ts')) as { connectors: readonly Connector[] };
    const { readConnectorSettings } = (await importFromCopy(
      'src/acquirers/connector.ts',
    )) as typeof import('../../src/acquirers/connector.ts');
    const ledgerline = connectors.find(({ name }) => name === 'ledgerline');
    expect(ledgerline?.settings).toMatchObject({ key: { secret: true }, host: { secret: false } });
    const read = readConnectorSettings(ledgerline!, { host: 'bank.example', port: 7000, key: 'k-31415' });
    expect(read).toEqual({ values: { host: 'bank.example', port: 7000, key: expect.anything(), answerMs: 30_000 } });
    expect(JSON.stringify(read)).not.toContain('k-31415');
    expect(readConnectorSettings(ledgerline!, { port: 70_000, colour: 'red' })).toEqual({
      faults: ['colour: ', 'host is missing: ', 'port: ', 'key is missing: '].map((begin) =>
        expect.stringMatching(`^${begin}.*[a-z]`),
      ),
    });
  });
});

const { ledgerlineSubject } = (await importFromCopy('test/contracts/ledgerline-host.ts')) as {
  ledgerlineSubject: ConnectorSubject;
};
connectorContract(ledgerlineSubject);
