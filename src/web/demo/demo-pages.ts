// The demo shop's pages: something to buy, and everything that went back and forth while it was bought.

import type { Assets } from '../design/assets.ts';
import { documentReply } from '../design/document.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import type { WebReply } from '../route.ts';
import type { Arrival, PRODUCTS, Purchase } from './purchase.ts';

export type DemoContext = {
  readonly assets: Assets;
  /** For example /paynet. */
  readonly basePath: string;
};

const OUTCOMES = [
  ['123', 'approved'],
  ['116', 'declined: insufficient funds; three failed cards lock the page'],
  ['217', 'in doubt, and resolved a little later'],
  ['321', 'with 3-D Secure: the bank asks for a password, which is hint'],
  ['111', 'with 3-D Secure: approved without asking'],
] as const;

export function shopPage(context: DemoContext): WebReply {
  const buy = (
    endpoint: keyof typeof PRODUCTS,
    label: string,
    price: string,
  ) => html`<form method="post" action="${context.basePath}/demo/buy">
<input type="hidden" name="endpoint" value="${endpoint}">
<button type="submit">${label} · ${price}</button>
</form>`;
  return page(
    context,
    'A small shop',
    html`<div class="columns">
<section class="summary" aria-labelledby="what">
<h1 id="what">A small shop, to try a payment</h1>
<p class="amount">Merino socks</p>
<p>Warm, soft, and sold a thousand times without a cent changing hands: this shop runs inside your sandbox. It signs requests as any merchant would and shows you each of them.</p>
</section>
<section class="panel" aria-labelledby="buy">
<h2 id="buy">Buy a pair</h2>
${buy('101', 'Without 3-D Secure', '$24.90')}
${buy('102', 'With 3-D Secure', '€24.90')}
<h2>On the payment page</h2>
<p class="intro">Any valid card number will do, such as 4444 5555 6666 1111, with any expiry in the future. The security code decides:</p>
<dl class="receipt codes">${OUTCOMES.map(([code, outcome]) => html`<div><dt>${code}</dt><dd>${outcome}</dd></div>`)}</dl>
</section>
</div>`,
  );
}

/** `payAt` is the payment page, as this browser reaches it. */
export function purchasePage(context: DemoContext, purchase: Purchase, payAt: string | undefined): WebReply {
  const { basePath } = context;
  const { clientOrderId, url, fields, signed, reply, returned, calledBack } = purchase;
  const isOver = returned !== undefined && calledBack !== undefined;
  const watch = `${basePath}/demo/orders/${clientOrderId}/state`;
  const request = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  const ok = payAt !== undefined;
  const outcome =
    calledBack && calledBack.whyNot === undefined
      ? `The shop knows: ${calledBack.fields.status}.`
      : 'The shop is waiting to be told.';
  return page(
    context,
    `Order ${clientOrderId}`,
    html`<section class="summary" aria-labelledby="what">
<h1 id="what">Order ${clientOrderId}</h1>
<p class="amount">${ok ? outcome : 'The request was refused.'}</p>
<p><a href="${basePath}/demo">Buy another pair</a></p>
</section>
<ol class="steps"${isOver || !ok ? '' : html` data-watch="${watch}" data-state="${stateOf(purchase)}"`}>
<li class="panel"><h2>1. The shop asks for a payment page</h2>
<p class="intro">The control is the SHA-1 of: <code>${signed}</code></p>
${block(`POST ${url}\nAccept: application/vnd.pay+json\n\n${request.join('\n')}`)}
</li>
<li class="panel"><h2>2. The service answers</h2>
${block(JSON.stringify(reply, null, 2))}
</li>
<li class="panel"><h2>3. The browser goes to the payment page</h2>
${ok ? html`<p><a class="button" href="${payAt}">Go to the payment page</a></p>` : html`<p>There is none: the request was refused.</p>`}
</li>
<li class="panel"><h2>4. The browser comes back</h2>
${arrival(returned, `POST ${fields.redirect_url}`, 'Nobody came back yet.')}
</li>
<li class="panel"><h2>5. The service calls the shop</h2>
${arrival(calledBack, `GET ${fields.server_callback_url}`, 'No callback came yet. It comes when the payment is over.')}
</li>
</ol>`,
  );
}

export function stateOf({ returned, calledBack }: Purchase): string {
  return `${returned ? 'returned' : 'away'} ${calledBack ? 'told' : 'waiting'}`;
}

function arrival(came: Arrival | undefined, line: string, none: string): Piece {
  if (!came) return html`<p class="intro">${none}</p>`;
  const lines = Object.entries(came.fields).map(([name, value]) => `${name}=${value}`);
  const verdict =
    came.whyNot === undefined
      ? html`<p class="verdict good">Its control fits: it is from the service.</p>`
      : html`<p class="verdict bad">The shop does not believe it: ${came.whyNot}.</p>`;
  return [verdict, block(`${line}\n\n${lines.join('\n')}`)];
}

/** Long lines scroll, also with the keyboard. */
function block(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

export function notFoundPage(context: DemoContext): WebReply {
  const body = html`<section class="panel outcome single" aria-labelledby="what"><h1 id="what">No such order</h1>
<p>The shop forgets its orders when the sandbox is restarted.</p>
<p><a class="button" href="${context.basePath}/demo">To the shop</a></p></section>`;
  return { ...page(context, 'No such order', body), status: 404 };
}

function page({ assets, basePath }: DemoContext, title: string, body: Html): WebReply {
  return documentReply({
    title: `${title} · Demo shop`,
    assetPath: `${basePath}/assets`,
    icon: assets.icon,
    stylesheets: [assets.stylesheet],
    scripts: [assets.script],
    body: html`<aside class="test-mode">A sandbox: no real money moves.</aside>
<div class="frame">
<header><p class="brand"><a href="${basePath}/demo">Demo shop</a></p></header>
<main>${body}</main>
</div>`,
  });
}
