import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operations } from '../operations/index.ts';
import { referencePages } from './reference-pages.ts';

const pages = referencePages();
const folder = new URL('../../docs/reference/', import.meta.url);

describe('the reference pages', () => {
  test.each(Object.entries(pages))('%s is as generated; if not, run npm run generate', (name, text) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text);
  });

  /** Those of modules are printed from their sources: module-pages.test.ts. */
  const OF_MODULES = ['client.md', 'testing.md'];

  test('there are no others', () => {
    expect(readdirSync(folder).sort()).toEqual([...Object.keys(pages), ...OF_MODULES].sort());
  });

  test('describe every operation', () => {
    for (const { name, path } of operations) {
      expect(pages['operations.md']).toContain(`## ${name}\n`);
      expect(pages['operations.md']).toContain(`POST ${path}/{endpointId}`);
    }
  });

  test('no link leads nowhere', () => {
    for (const text of Object.values(pages)) {
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => `#${heading?.toLowerCase()}`);
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
        expect([...headings, ...Object.keys(pages)]).toContain(target);
      }
    }
  });
});
