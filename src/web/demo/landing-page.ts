// The first page of a sandbox: what runs here, where everything is, and what to try first.

import type { Assets, ServedFiles } from '../design/assets.ts';
import { documentReply } from '../design/document.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import type { FirstPayment } from './first-payment.ts';

/** Only the landing page has these: payers' pages load neither. */
export const LANDING_FILES = { ownStylesheet: 'src/web/design/landing.css', ownScript: 'dist/landing.js' } as const;

export type LandingAssets = Omit<ServedFiles<typeof LANDING_FILES>, 'files'>;

export type LandingView = {
  readonly version: string;
  /** Such as "embedded, in the data folder". */
  readonly database: string;
  /** Why it takes no payments now; undefined when it does. */
  readonly whyNotReady: string | undefined;
  /** Where its clock was put forward: how far, and the way back. */
  readonly clockAhead: string | undefined;
  readonly baseUrl: string;
  /** Where people sign in. */
  readonly adminUrl: string;
  readonly administrator: string;
  /** Whether it is served at /docs. */
  readonly hasDocumentation: boolean;
  /** Undefined when the database has no demo merchant. */
  readonly demo: LandingDemo | undefined;
};

export type LandingDemo = {
  readonly login: string;
  readonly controlKey: string;
  readonly endpoints: readonly { readonly endpointId: number; readonly currency: string; readonly name: string }[];
  readonly groups: readonly { readonly groupId: number; readonly endpointIds: readonly number[] }[];
  readonly payment: FirstPayment;
  /** What the security code makes of a payment. */
  readonly outcomes: readonly (readonly [code: string, outcome: string])[];
  /** What the card's number makes of 3-D Secure. */
  readonly cards: readonly (readonly [number: string, outcome: string])[];
};

const DOCUMENTS = [
  ['guides/first-payment', 'Your first payment', 'in curl, TypeScript, PHP, Python and Ruby'],
  ['guides/sandbox', 'The sandbox', 'the demo merchant, test outcomes, a bank that misbehaves'],
  ['reference/operations', 'Operations', 'every operation and field; each can be tried on its page'],
  ['reference/errors', 'Errors', 'every code, why it comes and what to do'],
  ['', 'All of it', 'guides, reference, and a search that works offline'],
] as const;

export function landingPage(assets: Assets & LandingAssets, basePath: string, view: LandingView) {
  const { headers, body } = documentReply({
    title: 'Tender · Sandbox',
    assetPath: `${basePath}/assets`,
    icon: assets.icon,
    stylesheets: [assets.stylesheet, assets.ownStylesheet],
    scripts: [assets.ownScript],
    headers: { 'Referrer-Policy': 'no-referrer' },
    body: html`<aside class="test-mode">A sandbox: no real money moves.</aside>
<div class="frame">
<header class="landing-header"><p class="brand">Tender</p>${facts(view)}</header>
<main>
${greeting(basePath, view)}
<div class="board">
${view.demo && paymentPanel(view.demo.payment)}
${view.demo && codesPanel(view.demo)}
${view.demo && cardsPanel(view.demo)}
${view.demo && merchantPanel(view.demo)}
${placesPanel(basePath, view)}
${view.hasDocumentation && documentsPanel()}
</div>
</main>
</div>`,
  });
  return { contentType: 'text/html; charset=utf-8', headers, body };
}

function facts({ version, whyNotReady }: LandingView): Html {
  const isReady = whyNotReady === undefined;
  return html`<p class="facts">Version ${version} · sandbox
<span class="standing now ${isReady ? 'good' : 'bad'}">${isReady ? 'ready' : 'not ready'}</span></p>`;
}

function greeting(basePath: string, { adminUrl, administrator, demo, whyNotReady, clockAhead }: LandingView): Html {
  return html`<section class="greeting" aria-labelledby="what">
<h1 id="what">Your payment gateway is running</h1>
<p>It takes signed requests from merchants and moves money exactly once. A simulated bank and simulated card networks
play the other side, all on this machine: try whatever you like.</p>
${whyNotReady !== undefined && html`<p class="notice" role="status">It takes no payments now: ${whyNotReady}.</p>`}
${clockAhead !== undefined && html`<p class="notice" role="status">Mind that ${clockAhead}.</p>`}
<div class="ways">
${demo && html`<a class="button" href="${basePath}/demo">Visit the demo shop</a>`}
<a class="button quiet" href="${adminUrl}/console">Open the console</a>
</div>
<p class="fine">The first time, sign in with the one-time link that the start has printed on its terminal.
<code>npx tender person reset ${administrator}</code> prints a new one. A start without a terminal makes nobody:
<code>npx tender person add ${administrator} --role administrator</code> does, and prints the link.</p>
</section>`;
}

function panel(id: string, title: string, body: Piece, wide = false): Html {
  return html`<section class="panel${wide && ' wide'}" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;
}

function paymentPanel({ sale, status, story }: FirstPayment): Html {
  return panel(
    'payment',
    'A first payment',
    html`<p class="intro">Paste these into a shell. They are signed for one new order, with the demo merchant's key; load this
page again for another.</p>
${command('sale', 'Take a payment', sale)}
${command('status', 'Ask what became of it', status)}
${command('story', 'See everything that happened to it', story)}`,
    true,
  );
}

/** Long lines scroll, also with the keyboard. */
function command(id: string, title: string, text: string): Html {
  return html`<div class="command-head"><h3>${title}</h3>
<button class="quiet copy" type="button" data-copy="${id}" aria-label="Copy: ${title}" hidden>Copy</button></div>
<pre tabindex="0" aria-label="${title}"><code id="${id}">${text}</code></pre>`;
}

function rows(pairs: readonly (readonly [Piece, Piece])[]): Html[] {
  return pairs.map(([title, text]) => html`<div><dt>${title}</dt><dd>${text}</dd></div>`);
}

function codesPanel({ outcomes }: LandingDemo): Html {
  return panel(
    'codes',
    'The security code decides',
    html`<p class="intro">Any valid card number will do, such as 4444 5555 6666 1111, with any expiry in the future.</p>
<dl class="receipt codes">${rows(outcomes)}</dl>`,
  );
}

function cardsPanel({ cards }: LandingDemo): Html {
  return panel(
    'cards',
    'The card decides on 3-D Secure',
    html`<p class="intro">On the endpoints with 3-D Secure. The issuer's password is <code>hint</code>;
<code>npx tender networks cards</code> lists all.</p>
<dl class="receipt codes numbers">${rows(cards)}</dl>`,
  );
}

function merchantPanel({ login, controlKey, endpoints, groups }: LandingDemo): Html {
  const targets = [
    ...endpoints.map(({ endpointId, currency, name }) => [String(endpointId), `${name}, ${currency}`] as const),
    ...groups.map(
      ({ groupId, endpointIds }) => [String(groupId), `group of ${endpointIds.join(', ')}, by currency`] as const,
    ),
  ];
  return panel(
    'merchant',
    'The demo merchant',
    html`<dl class="receipt places">${rows([
      ['Login', html`<code>${login}</code>`],
      ['Control key', html`<code>${controlKey}</code>`],
    ])}</dl>
<h3>Endpoints and groups</h3>
<dl class="receipt codes">${rows(targets)}</dl>`,
  );
}

function placesPanel(basePath: string, { adminUrl, baseUrl, database }: LandingView): Html {
  const link = (href: string) => html`<a href="${href}">${href}</a>`;
  return panel(
    'places',
    'Where things are',
    html`<dl class="receipt places">${rows([
      ['Interface', html`<code>${baseUrl}</code>`],
      ['OpenAPI', link('/openapi.json')],
      ['Postman', link('/postman.json')],
      ['Demo shop', link(`${basePath}/demo`)],
      ['People', link(`${adminUrl}/`)],
      ['Health', [link('/healthz'), ' ', link('/readyz')]],
      ['Figures', link('/metrics')],
      ['Database', database],
    ])}</dl>`,
  );
}

function documentsPanel(): Html {
  return panel(
    'documents',
    'To read on',
    html`<p class="intro">Served from this machine. <code>npx tender --help</code> lists the commands; with another data
folder they need the same <code>--data</code> as the start.</p>
<dl class="receipt documents">${DOCUMENTS.map(([path, title, about]) => html`<div><dt><a href="/docs/${path}">${title}</a></dt><dd>${about}</dd></div>`)}</dl>`,
    true,
  );
}
