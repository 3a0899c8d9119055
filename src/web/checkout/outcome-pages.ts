// The pages after the card was sent: the wait for the bank, and the outcome with the way back to the merchant.

import type { PayerOrder } from '../../processing/checkout/checkout.ts';
import type { FinalRedirect } from '../../processing/checkout/final-redirect.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import type { WebReply, WebRequest, WebRoute } from '../route.ts';
import { declineReason, issuersWords, orderLine, payeeDigits, summary } from './about-order.ts';
import { endingOf } from './endings.ts';
import { momentText, shownAmount } from './formats.ts';
import { chooseLanguage } from './language.ts';
import { type PageContext, page, pageContext } from './layout.ts';
import { ownerOf, shopOf } from './owner.ts';
import { receiptRows } from './receipt-rows.ts';
import type { TextName } from './texts/en.ts';

const REFRESH_SECONDS = 3;

/**
 * `state` is what the page's address below `/state` answers for as long as the payer must wait. `toBank` leads back to
 * the bank's page, for a payer who left it too early.
 */
export function waitPage(
  context: PageContext,
  order: PayerOrder,
  { state, isLong, toBank }: { state: string; isLong: boolean; toBank?: string },
): WebReply {
  const { say, path } = context;
  const owner = ownerOf(order);
  const longer = html`<p data-longer${isLong ? '' : html` hidden`}>${say('waitLonger', { merchant: owner.name })}</p>`;
  const body = html`<div class="columns">
${summary(context, order)}
<section class="panel outcome" aria-labelledby="entry" data-watch="${path}/state" data-state="${state}">
<h2 id="entry">${say('waitTitle')}</h2>
<div class="progress" role="progressbar" aria-label="${say('waitTitle')}"></div>
<p role="status">${say('waitText')}</p>
<p>${say('waitKeepOpen')}</p>
${longer}
<p><a class="button quiet" href="${path}?lang=${context.language}">${say('checkAgain')}</a></p>
${toBank !== undefined && html`<p><a class="button quiet" href="${toBank}">${say('toBankButton')}</a></p>`}
</section>
</div>
${orderLine(context, order)}`;
  return page(context, { title: say('waitTitle'), body, owner, shop: shopOf(order), refresh: REFRESH_SECONDS });
}

/** `isAwaited`: the payer has asked to go back to the shop, and is not kept waiting. */
export function outcomePage(context: PageContext, order: PayerOrder, { isAwaited = false } = {}): WebReply {
  const { say, language } = context;
  const { state, transaction, redirect } = order;
  const owner = ownerOf(order);
  const amount = shownAmount({ minor: transaction.amount, currency: order.order.currency }, language);
  const ending = endingOf(order);
  const words = { merchant: owner.name, amount, digits: payeeDigits(order) };
  const { answer, type } = transaction;
  const reason = state === 'declined' && answer?.word === 'declined' ? declineReason(answer.code, type) : undefined;
  const title = say(ending.title, words);
  // This page is watched, because the way back exists only when the order has ended.
  const isEnding = state === 'late';
  const watch = isEnding && html` data-watch="${context.path}/state" data-state="${state}"`;
  const wentWell = state === 'approved' || state === 'kept';
  const body = html`<section class="panel outcome single" aria-labelledby="outcome"${watch}>
<span class="mark ${ending.mark}" aria-hidden="true"></span>
<h1 id="outcome">${title}</h1>
<p role="status">${say(ending.text, words)}</p>
${reason && html`<p>${say(reason)}</p>`}
${(state === 'declined' || state === 'locked') && issuersWords(context, order)}
${wentWell ? receipt(context, order, amount) : whatNext(context, order, amount)}
${redirect ? returnForm(context, redirect, { merchant: owner.name, isAwaited }) : toShop(context, order)}
${buttons(context, order)}
</section>`;
  const wayBack = redirect && { url: redirect.url, sandbox: owner.sandbox };
  const refresh = isEnding ? REFRESH_SECONDS : undefined;
  return page(context, { title, body, owner, status: ending.status, wayBack, refresh });
}

/** After a failure: how to go on, and what to name to who asks about it. */
function whatNext(context: PageContext, order: PayerOrder, amount: string): Piece {
  const { say } = context;
  const { transaction, redirect, shopUrl } = order;
  const { name: merchant } = ownerOf(order);
  const { type } = transaction;
  const hasWayBack = redirect !== undefined || shopUrl !== undefined;
  const rows = receiptRows(context, {
    merchant,
    amount: type === 'account-verification' ? undefined : amount,
    date: momentText(transaction.changedAt, 'date', context.language),
    card: order.state === 'gone' ? undefined : order.card,
    payee: order.payee,
    clientOrderId: order.order.clientOrderId,
    statement: undefined,
    approvalCode: undefined,
    reference: String(order.order.orderId),
  });
  return html`${type !== 'payout' && hasWayBack && html`<p>${say('startAgain', { merchant })}</p>`}
<p>${say('tellReference', { merchant })}</p>
${rows}`;
}

/** A button where the browser has no outcome to bring: it only leads to the shop. */
function toShop({ say }: PageContext, order: PayerOrder): Piece {
  const shop = shopOf(order);
  if (shop === undefined) return undefined;
  return html`<a class="button" href="${shop.url}" rel="noreferrer">${say('backToShop', { merchant: shop.name })}</a>`;
}

/** What can be done on every page at the end: nobody is left without a button. */
function buttons({ say, basePath, language }: PageContext, { state, endpoint, receiptId }: PayerOrder): Html {
  const address = `${basePath}/view-receipt/${endpoint.endpointId}/${receiptId}/?lang=${language}`;
  const words = say(state === 'approved' ? 'showReceipt' : 'showDetails');
  return html`<div class="buttons"><a class="button quiet" href="${address}">${words}</a>
<button type="button" class="quiet" data-print hidden>${say('printReceipt')}</button></div>`;
}

/** The browser carries the signed fields back; without a script the payer presses the button. */
function returnForm(
  { say }: PageContext,
  { url, fields }: FinalRedirect,
  { merchant, isAwaited }: { merchant: string; isAwaited: boolean },
): Html {
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<form method="post" action="${url}" class="back" data-return="${isAwaited && 'now'}">
${hidden}
<button type="submit">${say('backToShop', { merchant })}</button>
<p class="fine" data-return-note hidden>${say('backSoon', { merchant })} <button type="button" class="link" data-stay>${say('stayHere')}</button></p>
</form>`;
}

function receipt(context: PageContext, order: PayerOrder, amount: string): Html {
  const { transaction, endpoint } = order;
  const { answer, type } = transaction;
  const approval = answer?.word === 'approved' ? answer : undefined;
  const isFree = type === 'account-verification';
  const rows = receiptRows(context, {
    merchant: ownerOf(order).name,
    amount: isFree ? undefined : amount,
    date: momentText(transaction.changedAt, 'date', context.language),
    card: order.card,
    payee: order.payee,
    clientOrderId: order.order.clientOrderId,
    statement: isFree || type === 'payout' ? undefined : endpoint.descriptor,
    approvalCode: approval?.approvalCode,
    reference: approval?.rrn || String(order.order.orderId),
  });
  // No money has moved before a payout is confirmed, so this is no receipt yet.
  return html`<h2>${context.say(order.state === 'kept' ? 'keptDetails' : 'receipt')}</h2>
${rows}
${order.isMailed && html`<p class="fine mailed">${context.say('receiptMailed')}</p>`}`;
}

/** A page that belongs to no order. Its button leads to the page's own path, or back where the payer came from. */
export function noticePage(
  context: PageContext,
  { status, title, text }: { status: number; title: TextName; text: TextName },
): WebReply {
  const { say, path, language } = context;
  const button =
    path === undefined
      ? html`<button type="button" class="quiet" data-back hidden>${say('goBack')}</button>`
      : html`<a class="button" href="${path}?lang=${language}">${say('tryAgain')}</a>`;
  const body = html`<section class="panel outcome single" aria-labelledby="outcome">
<span class="mark neutral" aria-hidden="true"></span>
<h1 id="outcome">${say(title)}</h1>
<p>${say(text)}</p>
${button}
</section>`;
  return page(context, { title: say(title), body, status });
}

/** The page in place of one that could not be made. Trying again opens the page, and sends no form again. */
export function brokenPage(parts: BrokenPageParts, { rest, query, headers }: Omit<WebRequest, 'body'>): WebReply {
  const { assets, basePath, prefix } = parts;
  const language = chooseLanguage(query.get('lang'), headers['accept-language']);
  const path = `${basePath}${prefix}${rest}`;
  return noticePage(pageContext({ language, assets, basePath, path }), BROKEN);
}

const BROKEN = { status: 500, title: 'brokenTitle', text: 'brokenText' } as const;

type BrokenPageParts = Pick<PageContext, 'assets' | 'basePath'> & Pick<WebRoute, 'prefix'>;
