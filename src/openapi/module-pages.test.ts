import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { modulePages } from './module-pages.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const pages = modulePages(read);

it.each(Object.keys(pages))('docs/reference/%s is fresh; else run npm run generate', (name) => {
  expect(read(`docs/reference/${name}`)).toBe(pages[name]);
});

it('shows every declaration whole, with what is said above it', () => {
  for (const text of Object.values(pages)) {
    const blocks = [...text.matchAll(/```ts\n([\s\S]*?)\n```/g)].map(([, code = '']) => code);
    expect(blocks.length).toBeGreaterThan(8);
    expect(blocks.filter((code) => code.split('{').length !== code.split('}').length)).toEqual([]);
    expect(blocks.filter((code) => !/[;}]$/.test(code) || code.includes('#'))).toEqual([]);
  }
  expect(pages['testing.md']).toContain('## startTender\n\n```ts\nfunction startTender(');
  expect(pages['client.md']).toContain('| `client.saleForm` | [SALEFORM](operations.md#saleform) |');
  expect(pages['client.md']).toMatch(/## verifyCallback\n\n`keys`: the control key/);
});

it('does not pass over a name that it cannot find', () => {
  const broken = (path: string) => read(path).replaceAll('export type TestBank =', 'type TestBank =');
  expect(() => modulePages(broken)).toThrow('does not declare TestBank');
});
