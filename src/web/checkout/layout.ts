// What all hosted pages have in common: the document, its headers, the merchant's name and logo, and the other
// languages.

import { LANGUAGES, type Language, type Look, lookText } from '../../domain/merchant/look.ts';
import { type Assets, logoName, lookStylesheetName } from '../design/assets.ts';
import { attributes, type Html, html, type Piece } from '../design/html.ts';
import { contentPolicy, type PolicyParts } from '../design/policy.ts';
import type { WebReply } from '../route.ts';
import { directionOf, type Say, sayIn, TEXTS } from './language.ts';

/** What every page needs to know. */
export type PageContext = {
  readonly language: Language;
  readonly say: Say;
  readonly assets: Assets;
  /** The path part of the public base URL, such as /paynet. */
  readonly basePath: string;
  /** The page's own path, for switching languages; undefined on pages that are not found. */
  readonly path: string | undefined;
  /** Whether payers reach it over plain HTTP, as a sandbox on a laptop. */
  readonly isPlain?: boolean;
};

export function pageContext(context: Omit<PageContext, 'say'>): PageContext {
  return { ...context, say: sayIn(context.language) };
}

/** The merchant whose page it is; there is none when the link was not found. */
export type Owner = {
  readonly endpointId: number;
  readonly name: string;
  readonly look: Look;
  readonly sandbox: boolean;
  readonly frameAncestors: readonly string[];
};

/** A link to the shop: it brings no outcome, and leaves the order as it is. */
export type ShopLink = { readonly url: string; readonly name: string };

export type PageParts = {
  readonly title: string;
  readonly body: Piece;
  readonly owner?: Owner | undefined;
  readonly status?: number;
  readonly wayBack?: PolicyParts['wayBack'];
  /** Where the page has no better way back. */
  readonly shop?: ShopLink | undefined;
  readonly issuer?: PolicyParts['issuer'];
  /** Origins that may show the page in a frame, where the owner does not decide that. */
  readonly frameAncestors?: readonly string[];
  /** Seconds until the page is loaded again in browsers without scripts. */
  readonly refresh?: number | undefined;
  /** Where browsers without scripts go on to by themselves. */
  readonly goesOnTo?: string | undefined;
};

export function page(context: PageContext, parts: PageParts): WebReply {
  const { status = 200, owner, wayBack, issuer, frameAncestors = owner?.frameAncestors ?? [] } = parts;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': context.language,
      'Content-Security-Policy': contentPolicy({ frameAncestors, wayBack, issuer }),
      // Only our own pages may learn where a request came from, because the link is a secret.
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      ...(frameAncestors.length > 0 ? {} : { 'X-Frame-Options': 'DENY' }),
    },
    body: `<!doctype html>\n${document(context, parts)}`,
  };
}

function document(context: PageContext, { title, body, owner, shop, refresh, goesOnTo }: PageParts): Html {
  const { language, assets, basePath } = context;
  const asset = (name: string) => `${basePath}/assets/${name}`;
  const colours = owner && lookStylesheetName(owner.endpointId, owner.look);
  return html`<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title}${owner && ` · ${owner.name}`}</title>
<link rel="icon" href="${asset(assets.icon)}">
<link rel="stylesheet" href="${asset(assets.stylesheet)}">
${colours !== undefined && html`<link rel="stylesheet" href="${asset(colours)}">`}
<script src="${asset(assets.script)}" defer></script>
${refresh !== undefined && html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`}
${goesOnTo !== undefined && html`<noscript><meta http-equiv="refresh" content="0; url=${goesOnTo}"></noscript>`}
</head>
<body>
${owner?.sandbox && html`<aside class="test-mode">${context.say('testMode')}</aside>`}
<div class="frame">
${owner && header(context, owner, shop)}
<main>${body}</main>
${footer(context, owner)}
</div>
</body>
</html>
`;
}

function header({ basePath, say }: PageContext, { endpointId, look, name }: Owner, shop: ShopLink | undefined): Html {
  const logo = logoName(endpointId, look);
  const brand =
    logo === undefined
      ? html`<p class="brand">${name}</p>`
      : html`<img class="logo" src="${basePath}/assets/${logo}" alt="${name}" height="48">`;
  const back =
    shop &&
    html`<a class="to-shop" href="${shop.url}" rel="noreferrer">${say('backToShop', { merchant: shop.name })}</a>`;
  return html`<header>${brand}${back}</header>`;
}

function footer({ language, say, path }: PageContext, owner: Owner | undefined): Html {
  const help = owner && lookText(owner.look, 'help', language);
  const languages = LANGUAGES.map((other) => {
    const isThis = other === language;
    const marks = attributes({ href: `${path}?lang=${other}`, lang: other, hreflang: other, dir: directionOf(other) });
    const name = TEXTS[other].languageName;
    return isThis
      ? html`<li><span aria-current="true" lang="${other}">${name}</span></li>`
      : html`<li><a${marks}>${name}</a></li>`;
  });
  return html`<footer>
${help !== undefined && html`<p class="help" dir="auto">${help}</p>`}
${path !== undefined && html`<nav aria-label="${say('language')}"><ul class="languages">${languages}</ul></nav>`}
</footer>`;
}
