// What stands around every page of the console: the menu with what its reader may see, who they are, the way back, and
// what was done or refused.

import type { Person } from '../domain/people/person.ts';
import type { ServedFiles } from '../web/design/assets.ts';
import { documentReply } from '../web/design/document.ts';
import { type Html, html, type Piece } from '../web/design/html.ts';
import { markField, PEOPLE_FILES, PEOPLE_HEADERS } from '../web/people/layout.ts';
import type { WebReply } from '../web/route.ts';
import { type ConsolePage, SECTIONS, type Section, type Shown } from './page.ts';
import { isOfMerchant } from './pieces/reader.ts';

/** Served beside those of people's pages. */
export const CONSOLE_FILES = {
  ...PEOPLE_FILES,
  consoleStylesheet: 'src/web/design/console.css',
  consoleScript: 'dist/console.js',
} as const;

export type ConsoleAssets = ServedFiles<typeof CONSOLE_FILES>;

export type Frame = {
  readonly shown: Shown;
  readonly mode: 'sandbox' | 'production';
  readonly documentation: string | undefined;
  readonly person: Person;
  readonly mark: string;
  /** What this person may look at. */
  readonly menu: readonly ConsolePage[];
  readonly current: ConsolePage | undefined;
  /** Why the form was refused. */
  readonly trouble?: readonly string[] | undefined;
  /** What was done. */
  readonly saying?: string | undefined;
};

export function consoleReply(assets: ConsoleAssets, frame: Frame): WebReply {
  const { shown, mode, trouble, saying } = frame;
  return documentReply({
    title: `${shown.title} · Tender`,
    assetPath: '/assets',
    icon: assets.icon,
    stylesheets: [assets.stylesheet, assets.ownStylesheet, assets.consoleStylesheet],
    scripts: [assets.consoleScript],
    status: shown.status,
    headers: PEOPLE_HEADERS,
    body: html`<a class="skip" href="#content">To the content</a>
${mode === 'sandbox' && html`<aside class="test-mode">A sandbox: no real money moves.</aside>`}
<div class="console">
<header class="console-header"><p class="brand"><a href="/console">Tender</a></p>
<button class="quiet small menu-switch" type="button" aria-expanded="false" aria-controls="menu" hidden>Menu</button>
${whoIsHere(frame)}</header>
<nav id="menu" class="menu" aria-label="Console">${SECTIONS.map((section) => sectionOf(section, frame))}${helpOf(frame)}</nav>
<main id="content" tabindex="-1">
${wayBack(shown)}
<h1 class="page-title">${shown.title}</h1>
${troubleOf(trouble)}
${saying !== undefined && html`<p class="notice good" role="status">${saying}</p>`}
${shown.body}
<p class="hint zone" data-zone>Times are UTC.</p>
</main>
</div>`,
  });
}

function whoIsHere({ person, mark }: Frame): Html {
  return html`<form class="here" method="post" action="/sign-out">${markField(mark)}
<a href="/account"><strong>${person.name}</strong> · ${person.role}</a>
<button class="quiet small" type="submit">Sign out</button></form>`;
}

function sectionOf(section: Section, { menu, current, shown, person }: Frame): Piece {
  const pages = menu.filter((page) => page.menu?.section === section);
  if (pages.length === 0) return undefined;
  // A page that the menu does not have is below the one whose path its own begins with, or to which its way back leads.
  const [top] = shown.above?.[0] ?? [];
  const isAbove = ({ path }: ConsolePage) =>
    path !== '' && (current?.path.startsWith(`${path}/`) === true || top === `/console/${path}`);
  const isHere = (page: ConsolePage) => page === current || (!current?.menu && isAbove(page));
  const links = pages.map((page) => {
    const here = isHere(page) && html` aria-current="${page === current ? 'page' : 'true'}"`;
    const name = (isOfMerchant({ person }) && page.menu?.ownName) || page.menu?.name;
    return html`<li><a href="/console${page.path !== '' && `/${page.path}`}"${here}>${name}</a></li>`;
  });
  return html`<section><h2>${section}</h2><ul>${links}</ul></section>`;
}

function helpOf({ documentation }: Frame): Piece {
  return (
    documentation &&
    html`<section><h2>Help</h2><ul><li><a href="${documentation}">Documentation</a></li></ul></section>`
  );
}

function wayBack({ above = [] }: Shown): Piece {
  if (above.length === 0) return undefined;
  const steps = above.map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`);
  return html`<nav class="way-back" aria-label="Where this is"><ol>${steps}</ol></nav>`;
}

function troubleOf(trouble: readonly string[] | undefined): Piece {
  if (trouble === undefined) return undefined;
  const [first] = trouble;
  const text = trouble.length === 1 ? first : html`<ul>${trouble.map((fault) => html`<li>${fault}</li>`)}</ul>`;
  return html`<div class="notice bad" role="alert" tabindex="-1" data-focus>${text}</div>`;
}
