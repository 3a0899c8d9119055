// What stands around every page of the documentation: the search, the menu of all sections, what is on the page, and
// the way to the pages before and after it. Links are relative, so that the pages work under any address.

import { type Html, html, type Piece } from '../web/design/html.ts';
import type { Shelf } from './contents.ts';
import type { Heading } from './markdown.ts';

export type MenuPage = { readonly path: string; readonly title: string };

export type DocumentationFrame = {
  readonly title: string;
  readonly path: string;
  /** From the page to the first page: `../`, or `./`. */
  readonly root: string;
  readonly assets: { readonly stylesheets: readonly string[]; readonly script: string; readonly icon: string };
  readonly version: string;
  readonly sections: readonly Shelf[];
  readonly titles: ReadonlyMap<string, string>;
  /** Pages of the reference that the menu shows while one of them is read. */
  readonly below: ReadonlyMap<string, readonly MenuPage[]>;
  readonly headings: readonly Heading[];
  readonly previous?: MenuPage | undefined;
  readonly next?: MenuPage | undefined;
  /** The Markdown of the page; pages without one are made for the site alone. */
  readonly twin?: string | undefined;
  readonly body: Html;
};

export function documentationPage(page: DocumentationFrame): string {
  const { title, root, assets, version } = page;
  const name = title === 'Tender' ? 'Tender · Documentation' : `${title} · Tender`;
  return `<!doctype html>\n${html`<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="icon" href="${root}assets/${assets.icon}">
${page.twin !== undefined && html`<link rel="alternate" type="text/markdown" href="${root}${page.twin}">`}
${assets.stylesheets.map((file) => html`<link rel="stylesheet" href="${root}assets/${file}">\n`)}<script src="${root}assets/${assets.script}" defer></script>
</head>
<body class="documentation" data-root="${root}">
<a class="skip" href="#content">To the content</a>
<header class="docs-header">
<p class="brand"><a href="${root}">Tender <span>documentation</span></a></p>
<form class="search" role="search" action="${root}search" method="get">
<label class="unseen" for="search">Search the documentation</label>
<input id="search" name="q" type="search" placeholder="Search" autocomplete="off" maxlength="80">
</form>
<button class="quiet menu-switch" type="button" aria-expanded="false" aria-controls="menu" hidden>Menu</button>
</header>
<div class="docs">
<nav id="menu" class="docs-menu" aria-label="Documentation">${page.sections.map((section) => menuSection(page, section))}</nav>
<main id="content" tabindex="-1">
<article>
<h1>${title}</h1>
${page.body}
</article>
${page.previous || page.next ? neighbours(page) : ''}
<footer class="docs-footer"><p>Tender ${version}${page.twin !== undefined && html` · <a href="${root}${page.twin}">This page as Markdown</a>`}
 · <a href="${root}llms.txt">llms.txt</a></p></footer>
</main>
${onThisPage(page.headings)}
</div>
</body>
</html>
`}`;
}

function menuSection(page: DocumentationFrame, { title, pages }: Shelf): Html {
  return html`<section><h2>${title}</h2><ul>${pages.map((path) => menuEntry(page, path))}</ul></section>`;
}

function menuEntry(page: DocumentationFrame, path: string): Html {
  const { root, titles, below } = page;
  const inside = below.get(path) ?? [];
  const isOpen = page.path === path || inside.some((one) => one.path === page.path);
  const list =
    isOpen && inside.length > 0 && html`<ul>${inside.map((one) => link(page, one.path, one.title, root))}</ul>`;
  return link(page, path, titles.get(path) ?? path, root, list);
}

function link(page: DocumentationFrame, path: string, title: string, root: string, more: Piece = ''): Html {
  return html`<li><a href="${root}${path}"${page.path === path && html` aria-current="page"`}>${title}</a>${more}</li>`;
}

function onThisPage(headings: readonly Heading[]): Html | string {
  const shown = headings.filter(({ depth }) => depth <= 3);
  if (shown.length < 2) return '';
  const entries = shown.map(
    ({ id, text, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`,
  );
  return html`<nav class="docs-toc" aria-label="On this page"><h2>On this page</h2><ul>${entries}</ul></nav>`;
}

function neighbours({ root, previous, next }: DocumentationFrame): Html {
  return html`<nav class="neighbours" aria-label="Before and after">
${previous && html`<a rel="prev" href="${root}${previous.path}"><span>Previous</span> ${previous.title}</a>`}
${next && html`<a rel="next" href="${root}${next.path}"><span>Next</span> ${next.title}</a>`}
</nav>`;
}
