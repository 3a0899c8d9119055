// The documentation as it is built: links and anchors lead somewhere, nothing is inline, every operation and every
// error has its page, and searching finds what people would ask for.

import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { documentationSources } from '../../scripts/documentation.mjs';
import { errors } from '../domain/errors.ts';
import { operations } from '../operations/index.ts';
import { ranked } from '../web/browser/docs/ranking.ts';
import { withPrintedExamples } from './examples.ts';
import type { SearchEntry } from './search-index.ts';
import { documentationSite } from './site.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const sources = documentationSources(ROOT);
const files = new Map(sources.map((path) => [path, readFileSync(join(ROOT, path))] as const));
const assets = { stylesheets: ['pages.css', 'docs.css'], script: 'docs.js', icon: 'icon.svg' };
const site = documentationSite({ files, assets, version: '0.0.0' });
const text = (path: string) => String(site.get(path));
const pages = [...site.keys()].filter((path) => path.endsWith('.html'));

/** What an address below /docs/ is answered with; undefined when nothing is there. */
function servedAt(path: string): string | undefined {
  if (path.startsWith('assets/')) return path;
  const page = path === '' ? 'index.html' : `${path}.html`;
  if (site.has(page)) return page;
  return site.has(path) ? path : undefined;
}

describe('the documentation', () => {
  it('has a page and a Markdown twin for every operation and every error', () => {
    const wanted = [
      ...operations.map(({ name }) => `reference/operations/${name.toLowerCase()}`),
      ...Object.values(errors).map(({ code }) => `reference/errors/${code}`),
    ];
    expect(wanted.length).toBeGreaterThan(90);
    expect(wanted.filter((path) => !site.has(`${path}.html`) || !site.has(`${path}.md`))).toEqual([]);
  });

  it('leads only to what is there, anchors included', () => {
    const broken = pages.flatMap((page) => {
      const base = `http://docs/docs/${page === 'index.html' ? '' : page.replace(/\.html$/, '')}`;
      return [...text(page).matchAll(/ (?:href|src)="([^"]*)"/g)].flatMap(([, href = '']) => {
        const { host, pathname, hash } = new URL(href, base);
        if (host !== 'docs') return [];
        const target = pathname.startsWith('/docs/') ? servedAt(pathname.slice('/docs/'.length)) : undefined;
        const isThere = target !== undefined && (hash === '' || text(target).includes(` id="${hash.slice(1)}"`));
        return isThere ? [] : [`${page} leads to ${href}`];
      });
    });
    expect(pages.length).toBeGreaterThan(150);
    expect(broken).toEqual([]);
  });

  it('loses no link of a text to another page of the repository', () => {
    const lost = [...files].flatMap(([path, content]) => {
      if (!path.startsWith('docs/') || !path.endsWith('.md')) return [];
      return [...String(content).matchAll(/\]\(([^)#:\s]+\.md)[^)]*\)/g)]
        .map(([, href = '']) => posix.join(posix.dirname(path), href))
        .filter((target) => !files.has(target))
        .map((target) => `${path} leads to ${target}`);
    });
    expect(lost).toEqual([]);
  });

  it('starts gateways in samples from one module, with more time than runners give, and ends them if they began', () => {
    const guides = [...files].filter(([path]) => path.startsWith('docs/guides/'));
    const samples = guides.flatMap(([path, content]) =>
      [...String(content).matchAll(/^```(?:js|ts|mjs)\n(.*?)^```$/gms)].map(([, code = '']) => ({ path, code })),
    );
    const starting = samples.filter(({ code }) => code.includes('startTender('));
    expect(starting.length).toBeGreaterThan(2);
    expect(starting.filter(({ code }) => !code.includes("import { startTender } from 'tender/testing';"))).toEqual([]);
    const hooked = starting.filter(({ code }) => code.includes('beforeAll('));
    expect(hooked.length).toBeGreaterThan(1);
    expect(hooked.filter(({ code }) => !/^\}, \d{2,3}_000\);/m.test(code) || /tender\.close/.test(code))).toEqual([]);
  });

  it('holds nothing inline that its content policy forbids', () => {
    const inline = / style="| on[a-z]+="|<style|<script(?![^>]* src=)|javascript:/;
    expect(pages.filter((page) => inline.test(text(page).replace(/<code>.*?<\/code>/gs, '')))).toEqual([]);
  });

  it('shows every guide in its menu, and lists them for language models', () => {
    const guides = sources.flatMap((path) => /^docs\/(guides\/.+)\.md$/.exec(path)?.[1] ?? []);
    expect(guides.filter((path) => !text('index.html').includes(`href="./${path}"`))).toEqual([]);
    expect(guides.filter((path) => !text('llms.txt').includes(`(/docs/${path}.md)`))).toEqual([]);
    expect(text('llms.txt')).toMatch(/^# Tender\n\n> /);
  });

  it('puts the programs in the place of their comments, in pages and in twins', () => {
    for (const path of ['guides/first-payment.html', 'guides/first-payment.md', 'reference/operations/sale.md']) {
      for (const word of [
        'client.sale(',
        'wait_for_end($order)',
        'curl -s',
        'require_relative',
        'from tender import',
      ]) {
        expect([path, word, text(path).includes(word.replace('>', '&gt;'))]).toEqual([path, word, true]);
      }
    }
    expect(pages.filter((page) => text(page).includes('examples:'))).toEqual([]);
  });

  it('shows the shop whole, and has its files to take along', () => {
    for (const [file, word] of [
      ['shop.mjs', 'export async function startShop('],
      ['shop.test.mjs', 'startTender('],
      ['vitest.config.mjs', 'hookTimeout'],
    ] as const) {
      expect(text(`examples/shop/${file}`)).toContain(word);
      expect(text('guides/your-first-shop.html')).toContain(`href="../examples/shop/${file}"`);
      expect(text('guides/your-first-shop.md')).toContain(word);
    }
    expect(text('guides/your-first-shop.html').replaceAll(/<[^>]*>/g, '')).toContain('function startShop(tender');
  });

  it('has nothing of what tries of the shop leave behind', async () => {
    const root = await mkdtemp(join(tmpdir(), 'tender-sources-'));
    const left = ['examples/shop/data/key-encryption-keys', 'examples/shop/data/tool.mjs', 'examples/shop/.env'];
    for (const path of ['docs/x.md', 'examples/shop/shop.mjs', ...left]) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), 'a key');
    }
    expect(documentationSources(root)).toEqual(['docs/x.md', 'examples/shop/shop.mjs']);
    await rm(root, { recursive: true, force: true });
  });

  it('prints programs behind the comments of the guides too, for who reads the Markdown; else run generate', () => {
    const guides = [...files].filter(([path]) => /^docs\/guides\/.+\.md$/.test(path));
    const asking = guides.filter(([, content]) => String(content).includes('<!-- examples: '));
    expect(asking.length).toBeGreaterThan(3);
    expect(asking.filter(([, content]) => withPrintedExamples(files, String(content)) !== String(content))).toEqual([]);
    const [, payouts = ''] = asking.find(([path]) => path.endsWith('payouts-and-transfers.md')) ?? [];
    expect(String(payouts)).toMatch(
      /<!-- examples: payout -->\n\n\*\*curl\*\*\n\n```sh\n[\s\S]*```ts\n[\s\S]*<!-- end of/,
    );
  });

  it('says on the page of an error why it comes and what to do', () => {
    expect(text('reference/errors/20.md')).toMatch(/^# Error 20: invalid-control-code$/m);
    expect(text('reference/errors/20.md')).toContain('## What to do');
  });

  const entries: SearchEntry[] = JSON.parse(text('search.json'));

  it('finds the word itself before longer ones that hold it', () => {
    const entry = (p: string, x: string) => ({ p, t: 'A page', x });
    const found = ranked(
      [entry('longer', 'a preauthorisation'), entry('itself', 'an authorisation of it')],
      'authorisation',
    );
    expect(found.map(({ p }) => p)).toEqual(['itself', 'longer']);
  });

  it.each([
    ['invalid control code', 'reference/errors/20'],
    ['callback', 'guides/callbacks'],
    ['oauth', 'guides/signatures'],
    ['capture', 'reference/operations/capture'],
    ['github actions', 'guides/testing-in-ci'],
    ['nginx', 'guides/proxies'],
    ['credit_limit', undefined],
    ['zzzz', undefined],
  ])('finds by "%s" %s', (query, path) => {
    const found = ranked(entries, query).map(({ p }) => p);
    if (path === undefined) expect(found).toEqual([]);
    else expect(found.slice(0, 10)).toContain(path);
  });
});
