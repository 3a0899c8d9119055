// Pages beside the interface: health, figures, the OpenAPI document, a sandbox's first page and the way to its shop.

import type { Page, ServesPage } from '../http/http-server.ts';
import { openApiDocument } from '../openapi/document.ts';
import { postmanCollection } from '../openapi/postman-collection.ts';
import { PACKAGE_VERSION } from '../storage/connection/package-root.ts';
import type { Documentation } from '../web/docs/docs-route.ts';
import type { WhyNotReady } from './readiness.ts';
import type { Settings } from './settings.ts';

export type ServicePageParts = {
  readonly mode: Settings['mode'];
  readonly baseUrl: () => string;
  readonly figures: ServesPage;
  readonly whyNotReady: WhyNotReady;
  /** Whether somebody has written into the database. */
  readonly hasTampered: () => boolean;
  /** Undefined where no documentation is served. */
  readonly documentation: Documentation | undefined;
  /** What a sandbox shows at its address; production shows nothing there. */
  readonly landing: { readonly basePath: string; readonly page: ServesPage } | undefined;
};

const TAMPERED = 'somebody has written into the database: "tender verify" names what is not used';

/** What is told at an administrators' port without asking who is there: it is not for the internet. */
export function adminPagesOf(parts: ServicePageParts): Readonly<Record<string, ServesPage>> {
  return { ...healthPages(parts), ...figurePages(parts) };
}

export function pagesOf(parts: ServicePageParts): Readonly<Record<string, ServesPage>> {
  const { mode, baseUrl } = parts;
  // This is a short address for people; the shop itself is below the base URL, like everything browsers reach.
  const toShop = (): Page => {
    const shop = `${baseUrl()}/demo`;
    // Without an icon of its own a browser would ask for one that is not there.
    const head = `<title>Demo shop</title><link rel="icon" href="data:,"><meta http-equiv="refresh" content="0; url=${shop}">`;
    const body = `<!doctype html><html lang="en">${head}<a href="${shop}">Demo shop</a></html>\n`;
    return { contentType: 'text/html; charset=utf-8', body };
  };
  return {
    ...(mode === 'sandbox' ? { '/demo': toShop } : {}),
    ...landingPages(parts),
    ...documentationPages(parts),
    ...healthPages(parts),
    // The figures tell how much money moves; in production they are told on the administrators' port only.
    ...(mode === 'sandbox' ? figurePages(parts) : {}),
    '/openapi.json': documentPage(baseUrl, openApiDocument),
    '/postman.json': documentPage(baseUrl, (about) => postmanCollection({ ...about, hasDemo: mode === 'sandbox' })),
  };
}

type DocumentAt = { readonly baseUrl: string; readonly version: string };

/** A document that names the gateway's address, made again only when it is asked for at another one. */
function documentPage(baseUrl: () => string, made: (about: DocumentAt) => unknown): ServesPage {
  let last: { readonly at: string; readonly page: Page } | undefined;
  return () => {
    const at = baseUrl();
    if (last?.at !== at) last = { at, page: json(200, made({ baseUrl: at, version: PACKAGE_VERSION })) };
    return last.page;
  };
}

/** People type the address with and without a slash at its end. */
function landingPages({ landing }: ServicePageParts): Record<string, ServesPage> {
  if (!landing) return {};
  const { basePath, page } = landing;
  return { '/': page, ...(basePath === '' ? {} : { [basePath]: page, [`${basePath}/`]: page }) };
}

function documentationPages({ documentation }: ServicePageParts): Record<string, ServesPage> {
  if (!documentation) return {};
  return {
    // Links of the pages are relative, so that the first one needs its slash.
    '/docs': () => ({ contentType: 'text/plain', status: 301, headers: { Location: '/docs/' }, body: '' }),
    '/llms.txt': async () => ({
      contentType: 'text/plain; charset=utf-8',
      body: await documentation.languageModelText(),
    }),
  };
}

function healthPages({ whyNotReady, hasTampered }: ServicePageParts): Record<string, ServesPage> {
  return {
    '/healthz': () => json(200, { status: 'ok' }),
    '/readyz': async () => {
      const reason = await whyNotReady();
      if (reason !== undefined) return json(503, { status: 'not ready', reason });
      // Whoever can write into the database must not be able to shut the gateway with one row.
      return json(200, { status: 'ready', ...(hasTampered() && { warning: TAMPERED }) });
    },
  };
}

function figurePages({ figures }: ServicePageParts): Record<string, ServesPage> {
  return { '/metrics': figures };
}

function json(status: number, value: unknown): Page {
  return { contentType: 'application/json', status, body: `${JSON.stringify(value)}\n` };
}
