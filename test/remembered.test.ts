// What a start remembers about files (scripts/remembered.mjs) is forgotten as soon as one of them changes.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { remembered } from '../scripts/remembered.mjs';

const HOUR_MS = 3_600_000;
const BEFORE = new Date(Date.now() - 2 * HOUR_MS);

const folders: string[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newTree(): string {
  const root = mkdtempSync(join(tmpdir(), 'tender-remembered-'));
  folders.push(root);
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'one'), 'one');
  utimesSync(join(root, 'one'), BEFORE, BEFORE);
  return root;
}

/** What is found out, and how often that was read from the contents. */
function asker() {
  let reads = 0;
  const ask = (root: string, paths = ['one']) =>
    remembered(root, {
      name: 'texts',
      paths,
      find: () => {
        reads++;
        return paths.map((path) => readFileSync(join(root, path), 'utf8')).join();
      },
    });
  return { ask, reads: () => reads };
}

/** The files that were written so far have been there for an hour. */
const later = () => vi.useFakeTimers({ now: Date.now() + HOUR_MS, toFake: ['Date'] });

describe('what was found out from files', () => {
  it('is read once as long as nobody touches them', () => {
    const root = newTree();
    const { ask, reads } = asker();
    later();
    expect([ask(root), ask(root), ask(root)]).toEqual(['one', 'one', 'one']);
    expect(reads()).toBe(1);
  });

  it('is read again after a change that leaves the size and the time as they were', () => {
    const root = newTree();
    const { ask } = asker();
    later();
    ask(root);
    writeFileSync(join(root, 'one'), 'two');
    utimesSync(join(root, 'one'), BEFORE, BEFORE);
    expect(ask(root)).toBe('two');
  });

  it('is read again when another file takes the place of one', () => {
    const root = newTree();
    writeFileSync(join(root, 'other'), 'two');
    utimesSync(join(root, 'other'), BEFORE, BEFORE);
    const { ask } = asker();
    later();
    ask(root);
    renameSync(join(root, 'other'), join(root, 'one'));
    expect(ask(root)).toBe('two');
  });

  it('is read again when there is another file', () => {
    const root = newTree();
    writeFileSync(join(root, 'other'), 'two');
    const { ask } = asker();
    later();
    ask(root);
    expect(ask(root, ['one', 'other'])).toBe('one,two');
  });

  it('is not remembered of what has just changed, which could change once more within the same tick', () => {
    const root = newTree();
    const { ask, reads } = asker();
    ask(root);
    ask(root);
    expect(reads()).toBe(2);
  });

  it('is read again in a copy with all that is remembered in it', () => {
    const root = newTree();
    const { ask, reads } = asker();
    later();
    ask(root);
    const copy = newTree();
    cpSync(root, copy, { recursive: true, preserveTimestamps: true });
    ask(copy);
    expect(reads()).toBe(2);
  });

  it('is found where nothing can be remembered', () => {
    const root = newTree();
    rmSync(join(root, 'node_modules'), { recursive: true });
    const { ask } = asker();
    later();
    expect([ask(root), ask(root)]).toEqual(['one', 'one']);
  });
});
