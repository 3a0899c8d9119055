// The whole documentation as files, from the Markdown of the repository and from the code: pages, their Markdown
// twins, the search's index and llms.txt. `scripts/documentation.mjs` writes them into dist/docs.

import { examples } from '../openapi/examples.ts';
import { operationPage, operationsOverview, referencePages } from '../openapi/reference-pages.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { Html, html } from '../web/design/html.ts';
import {
  type DocumentationSource,
  firstSentence,
  inReadingOrder,
  pagePathOf,
  type Shelf,
  withUnlisted,
} from './contents.ts';
import { errorPages, errorsOverview } from './error-markdown.ts';
import { exampleMarkup, fileMarkup, withExamples, withoutPrinted } from './examples.ts';
import { type DocumentationFrame, documentationPage, type MenuPage } from './frame.ts';
import { type RenderedPage, renderMarkdown } from './markdown.ts';
import { type SearchEntry, searchEntries } from './search-index.ts';
import { tryIt } from './try-it.ts';

export type SiteParts = {
  /** Path in the repository → content: Markdown, examples, images and docs/contents.json. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly assets: DocumentationFrame['assets'];
  readonly version: string;
};

/** Where the pages are served; only the page for what is not there needs to know it. */
const SERVED_AT = '/docs/';

/** What a link to the whole example leads to. */
const SHOP = 'examples/shop/shop.mjs';

const OPERATION_EXAMPLES: Readonly<Record<string, string>> = {
  SALE: 'sale',
  STATUS: 'status',
  PREAUTH: 'preauth-capture',
  CAPTURE: 'preauth-capture',
  RETURN: 'return',
  SALEFORM: 'sale-form',
  CREATE_RP_V4: 'recurring',
  PROCESS_RP_V4: 'recurring',
  PAYOUT: 'payout',
};

/** Path below the first page → content. */
export function documentationSite({ files, assets, version }: SiteParts): Map<string, string | Buffer> {
  const all = allSources(files);
  const sections = withUnlisted(all, JSON.parse(files.get('docs/contents.json')?.toString('utf8') ?? '[]'));
  const sources = inReadingOrder(all, sections);
  const rendered = new Map(sources.map((page) => [page.path, rendering(page, files, sources)]));
  const titles = new Map(sources.map(({ path }) => [path, rendered.get(path)?.title ?? path]));
  const below = belowPages(titles);
  const common = { assets, version, sections, titles, below };
  const listed: MenuPage[] = sections.flatMap(({ pages }) =>
    pages.map((path) => ({ path, title: known(titles, path, 'docs/contents.json') })),
  );
  const site = new Map<string, string | Buffer>();
  const entries: SearchEntry[] = [];
  for (const { path, text } of sources) {
    const page = rendered.get(path) as RenderedPage;
    const at = listed.findIndex((one) => one.path === path);
    const around = at < 0 ? {} : { previous: listed[at - 1], next: listed[at + 1] };
    const frame = { ...common, ...around, title: page.title, path, root: rootOf(path), headings: page.headings };
    site.set(`${path}.html`, documentationPage({ ...frame, twin: `${path}.md`, body: new Html(page.body) }));
    site.set(`${path}.md`, withExamples(files, text));
    entries.push(...searchEntries(path, page));
  }
  const own = { ...common, root: './', path: '', headings: [] };
  const sentences = new Map(sources.map(({ path, text }) => [path, firstSentence(text)]));
  site.set('index.html', documentationPage({ ...own, title: 'Tender', body: firstPage(sections, titles, sentences) }));
  site.set(
    'search.html',
    documentationPage({ ...own, title: 'Search', path: 'search', body: searchPage(sources, titles) }),
  );
  site.set('404.html', documentationPage({ ...own, root: SERVED_AT, title: 'Nothing is here', body: missingPage() }));
  site.set('search.json', JSON.stringify(entries));
  site.set('llms.txt', languageModelText(sections, titles, sentences));
  for (const [file, content] of files) {
    const served = servedFile(file);
    if (served !== undefined) site.set(served, content);
  }
  return site;
}

/** Where a file that is no page can be had; the shop's stand beside the programs of docs/examples. */
function servedFile(file: string): string | undefined {
  if (/^docs\/(examples|images)\//.test(file)) return file.slice('docs/'.length);
  return file.startsWith('examples/') && !file.endsWith('.md') ? file : undefined;
}

/** Pages of the repository, and pages that exist only here: one per operation and one per error. */
function allSources(files: ReadonlyMap<string, Buffer>): DocumentationSource[] {
  const printed = new Map<string, string>([
    ...Object.entries(referencePages()).map(([name, text]) => [`docs/reference/${name}`, text] as const),
    ['docs/reference/operations.md', operationsOverview()],
    ['docs/reference/errors.md', errorsOverview()],
    ...Object.entries(errorPages()).map(([code, text]) => [`docs/reference/errors/${code}.md`, text] as const),
    ...operations.map((one) => [`docs/reference/operations/${one.name.toLowerCase()}.md`, operationText(one)] as const),
  ]);
  const written = [...files].flatMap(([file, content]) =>
    file.endsWith('.md') && !printed.has(file) && file !== 'README.md'
      ? [[file, content.toString('utf8')] as const]
      : [],
  );
  return [...written, ...printed].flatMap(([source, text]) => {
    const path = pagePathOf(source);
    return path === undefined || path === '' ? [] : [{ path, source, text }];
  });
}

function operationText(operation: Operation): string {
  const topic = OPERATION_EXAMPLES[operation.name];
  const example = examples[operation.name];
  return operationPage(operation, [
    ...(topic === undefined ? [] : ['## Examples', `<!-- examples: ${topic} -->`]),
    ...(example === undefined ? [] : ['It answers:', `\`\`\`json\n${JSON.stringify(example.reply, null, 2)}\n\`\`\``]),
    `<!-- try: ${operation.name} -->`,
  ]);
}

function rendering(
  { path, source, text }: DocumentationSource,
  files: ReadonlyMap<string, Buffer>,
  sources: readonly DocumentationSource[],
): RenderedPage {
  const paths = new Set(sources.map((one) => one.path));
  return renderMarkdown({
    source,
    text: withoutPrinted(text),
    root: rootOf(path),
    pageOf: (file, anchor) => {
      const served = servedFile(file === 'examples/shop' ? SHOP : file);
      if (served !== undefined) return files.has(file) || file === 'examples/shop' ? served : undefined;
      const page = pagePathOf(file);
      if (page === undefined || !(paths.has(page) || page === '')) return undefined;
      if (page === 'reference/operations' && paths.has(`${page}/${anchor}`)) return `${page}/${anchor}`;
      return anchor === '' ? page : `${page}#${anchor}`;
    },
    insert: (comment) => {
      const [, word, about = ''] = /^(\w+): ([\w./-]+)$/.exec(comment) ?? [];
      if (word === 'examples') return exampleMarkup(files, about);
      if (word === 'file') return fileMarkup(files, about);
      const operation = operations.find(({ name }) => name === about);
      return word === 'try' && operation ? tryIt(operation).text : undefined;
    },
  });
}

/** From a page to the first page. */
function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 1) || './';
}

function belowPages(titles: ReadonlyMap<string, string>): ReadonlyMap<string, readonly MenuPage[]> {
  const inside = (prefix: string) =>
    [...titles].filter(([path]) => path.startsWith(`${prefix}/`)).map(([path, title]) => ({ path, title }));
  return new Map(['reference/operations', 'decisions'].map((path) => [path, inside(path)]));
}

function known(titles: ReadonlyMap<string, string>, path: string, where: string): string {
  const title = titles.get(path);
  if (title === undefined) throw new Error(`${where} names ${path}, which is no page`);
  return title;
}

type Names = ReadonlyMap<string, string>;

function firstPage(sections: readonly Shelf[], titles: Names, sentences: Names): Html {
  const card = (path: string) =>
    html`<li><a href="./${path}">${titles.get(path)}</a><p>${sentences.get(path)}</p></li>`;
  return html`<p class="lead">A self-hosted card payment gateway. An acknowledged payment is never lost, never doubled, and
always ends.</p>
${sections.map(({ title, says, pages }) => html`<section class="shelf"><h2>${title}</h2><p>${says}</p><ul>${pages.map(card)}</ul></section>`)}`;
}

/** Without scripts it is a list of everything; with them, of what was found. */
function searchPage(sources: readonly DocumentationSource[], titles: Names): Html {
  return html`<p class="found" role="status" data-found>All pages.</p>
<ul class="results" data-results>${sources.map(({ path }) => html`<li><a href="./${path}">${titles.get(path)}</a></li>`)}</ul>`;
}

function missingPage(): Html {
  return html`<p>There is no such page. It may have moved with a new version.</p>
<p><a href="${SERVED_AT}">To the first page</a>, or <a href="${SERVED_AT}search">look through all of them</a>.</p>`;
}

/** What language models read first (llmstxt.org): every page of the menu as Markdown. */
function languageModelText(sections: readonly Shelf[], titles: Names, sentences: Names): string {
  const shelves = sections.map(({ title, pages }) => {
    const lines = pages.map((path) => `- [${titles.get(path)}](${SERVED_AT}${path}.md): ${sentences.get(path)}`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const about =
    '> A self-hosted card payment gateway: signed form posts in, money moved exactly once. The interface is also described by /openapi.json.';
  return ['# Tender\n', `${about}\n`, ...shelves].join('\n');
}
