// The pages that a payer sees on the way to the issuer or another bank, and back. They work without a script, with a
// button; none of them holds card data.

import type { PayerOrder } from '../../processing/checkout/checkout.ts';
import { orderLine, summary } from '../checkout/about-order.ts';
import { type PageContext, page } from '../checkout/layout.ts';
import { ownerOf, shopOf } from '../checkout/owner.ts';
import type { TextName } from '../checkout/texts/en.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import type { WebReply } from '../route.ts';

/** How long a browser waits for the issuer's method page. */
const METHOD_WAIT_MS = 10_000;

/** The fields in which a script sends the facts of its browser. */
const BROWSER_FACTS = {
  javascriptEnabled: 'javascript_enabled',
  javaEnabled: 'java_enabled',
  language: 'language',
  colorDepth: 'color_depth',
  screenHeight: 'screen_height',
  screenWidth: 'screen_width',
  timeZone: 'time_zone',
};

/** Hidden fields that the page's script fills in. */
export function factInputs(): Piece {
  return Object.entries(BROWSER_FACTS).map(
    ([name, fact]) => html`<input type="hidden" name="${name}" value="" data-browser="${fact}">`,
  );
}

export type Method = { readonly url: string; readonly data: string };

/** The browser sends its facts; if the issuer has a method page, that page examines it in a hidden frame meanwhile. */
export function browserPage(
  context: PageContext,
  order: PayerOrder,
  { action, method }: { action: string; method: Method | undefined },
): WebReply {
  const { say } = context;
  const frame =
    method &&
    html`<iframe name="method" title="${say('yourBank')}" hidden></iframe>
<form method="post" action="${method.url}" target="method" data-method hidden>${hiddenInputs({ threeDSMethodData: method.data })}</form>`;
  const forms = html`${frame}
<form method="post" action="${action}" data-tell-browser data-wait="${METHOD_WAIT_MS}">
${factInputs()}
<button type="submit">${say('continue')}</button>
</form>`;
  const body = underWay(context, order, { title: 'askingTitle', text: 'askingText', forms });
  const issuer = method && { url: method.url, isFramed: true };
  return page(context, { title: say('askingTitle'), body, owner: ownerOf(order), shop: shopOf(order), issuer });
}

/** Sends the browser on to the issuer's own page. */
export function handOverPage(
  context: PageContext,
  order: PayerOrder,
  { url, fields }: { url: string; fields: Readonly<Record<string, string>> },
): WebReply {
  const { say } = context;
  const forms = html`<form method="post" action="${url}" data-hand-over>
${hiddenInputs(fields)}
<button type="submit">${say('toBankButton')}</button>
</form>`;
  const body = underWay(context, order, { title: 'toBankTitle', text: 'toBankText', forms });
  const issuer = { url, isFramed: false };
  return page(context, { title: say('toBankTitle'), body, owner: ownerOf(order), shop: shopOf(order), issuer });
}

/** Sends the browser on to the address that the bank gave for this payment, as a link: such pages take no form. */
export function toBankPage(context: PageContext, order: PayerOrder, url: string): WebReply {
  const { say } = context;
  const forms = html`<p><a class="button" href="${url}" data-go-on>${say('toBankButton')}</a></p>`;
  const body = underWay(context, order, { title: 'toBankTitle', text: 'toBankText', forms });
  const owner = ownerOf(order);
  return page(context, { title: say('toBankTitle'), body, owner, shop: shopOf(order), goesOnTo: url });
}

function underWay(
  context: PageContext,
  order: PayerOrder,
  { title, text, forms }: { title: TextName; text: TextName; forms: Html },
): Html {
  const { say } = context;
  return html`<div class="columns">
${summary(context, order)}
<section class="panel outcome" aria-labelledby="entry">
<h2 id="entry">${say(title)}</h2>
<div class="progress" role="progressbar" aria-label="${say(title)}"></div>
<p role="status">${say(text)}</p>
${forms}
</section>
</div>
${orderLine(context, order)}`;
}

export function hiddenInputs(fields: Readonly<Record<string, string>>): Piece {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}
