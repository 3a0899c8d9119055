// The receipt of an order at /view-receipt/{endpoint}/{receipt id}/, for whoever has its id: what was paid, to whom and
// how it stands. An id that is not known gets a page that tells nothing.

import { purposeOf, type Transaction } from '../../domain/order/order.ts';
import { laterMoves, type ReceiptStanding, restOf, standingAmount, standingOf } from '../../domain/order/receipt.ts';
import { shopAddressOf } from '../../domain/order/shop-address.ts';
import { movesNoMoney, type TransactionType } from '../../domain/order/transaction-types.ts';
import type { Receipt, Receipts } from '../../processing/checkout/receipts.ts';
import type { Assets } from '../design/assets.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import type { WebReply, WebRequest, WebRoute } from '../route.ts';
import { momentText, shownAmount } from './formats.ts';
import { chooseLanguage } from './language.ts';
import { type PageContext, page, pageContext } from './layout.ts';
import { brokenPage, noticePage } from './outcome-pages.ts';
import { ownerOf, shopOf } from './owner.ts';
import { receiptRows } from './receipt-rows.ts';
import type { TextName } from './texts/en.ts';

export type ReceiptRouteParts = {
  readonly receipts: Receipts;
  readonly assets: Assets;
  readonly basePath: string;
};

export function receiptRoute(parts: ReceiptRouteParts): WebRoute {
  const prefix = '/view-receipt/';
  const broken: WebRoute['broken'] = (request) => brokenPage({ ...parts, prefix }, request);
  return { prefix, handle: (request) => answer(parts, request), broken };
}

async function answer({ receipts, assets, basePath }: ReceiptRouteParts, request: WebRequest): Promise<WebReply> {
  const [, pathId = '', receiptId = ''] = /^([1-9]\d{0,15})\/([0-9a-f-]{36})\/?$/.exec(request.rest) ?? [];
  const language = chooseLanguage(request.query.get('lang'), request.headers['accept-language']);
  const found = receiptId === '' ? undefined : await receipts.find(pathId, receiptId);
  const path = found && `${basePath}/view-receipt/${pathId}/${receiptId}/`;
  const context = pageContext({ language, assets, basePath, path });
  return found
    ? receiptPage(context, found)
    : noticePage(context, { status: 404, title: 'foreignTitle', text: 'noReceipt' });
}

const TYPES: Readonly<Record<TransactionType, TextName>> = {
  sale: 'typeSale',
  preauth: 'typePreauth',
  capture: 'typeCapture',
  cancel: 'typeCancel',
  void: 'typeVoid',
  reversal: 'typeReversal',
  chargeback: 'typeChargeback',
  'account-verification': 'typeVerification',
  'pan-eligibility': 'typeVerification',
  payout: 'typePayout',
  transfer: 'typeTransfer',
};

const STANDINGS: Readonly<
  Record<ReceiptStanding, { readonly text: TextName; readonly mark: 'good' | 'bad' | 'neutral' }>
> = {
  'in-progress': { text: 'standingOpen', mark: 'neutral' },
  paid: { text: 'standingPaid', mark: 'good' },
  held: { text: 'standingHeld', mark: 'good' },
  released: { text: 'standingReleased', mark: 'neutral' },
  'partly-refunded': { text: 'standingPartlyRefunded', mark: 'neutral' },
  refunded: { text: 'standingRefunded', mark: 'neutral' },
  confirmed: { text: 'standingConfirmed', mark: 'good' },
  sent: { text: 'standingSent', mark: 'good' },
  returned: { text: 'standingReturned', mark: 'bad' },
  declined: { text: 'standingDeclined', mark: 'bad' },
  filtered: { text: 'standingFiltered', mark: 'bad' },
  failed: { text: 'standingFailed', mark: 'bad' },
};

export function receiptPage(context: PageContext, receipt: Receipt): WebReply {
  const { say } = context;
  const { order } = receipt;
  const owner = ownerOf(receipt);
  const { type } = purposeOf(order);
  const { text, mark } = STANDINGS[standingOf(order)];
  const isFree = movesNoMoney(type);
  const body = html`<section class="panel outcome single" aria-labelledby="receipt">
<h1 id="receipt">${say('receipt')}</h1>
<p class="amount">${isFree ? say('nothingCharged') : amountIn(context, receipt, standingAmount(order))}</p>
<p class="standing ${mark}">${say(text)}</p>
${lines(context, receipt)}
${since(context, receipt)}
<button type="button" class="quiet" data-print hidden>${say('printReceipt')}</button>
</section>`;
  const shop = shopOf({ ...receipt, shopUrl: shopAddressOf(receipt.details, order) });
  return page(context, { title: say('receipt'), body, owner, shop });
}

function amountIn({ language }: PageContext, { order }: Receipt, minor: bigint): string {
  return shownAmount({ minor, currency: order.currency }, language);
}

function lines(context: PageContext, receipt: Receipt): Html {
  const { order, details, card, targetCard, endpoint } = receipt;
  const { type, amount, answer, changedAt } = purposeOf(order);
  const approval = answer?.word === 'approved' ? answer : undefined;
  const isPayout = type === 'payout';
  return receiptRows(context, {
    merchant: ownerOf(receipt).name,
    type: context.say(TYPES[type]),
    // What was asked for, where it is not what stands at the top.
    amount: amount === standingAmount(order) ? undefined : amountIn(context, receipt, amount),
    date: momentText(changedAt, 'date', context.language),
    card: isPayout ? undefined : card,
    payee: targetCard ?? details.payeeAccount,
    clientOrderId: order.clientOrderId,
    statement: isPayout || movesNoMoney(type) || !approval ? undefined : endpoint.descriptor,
    approvalCode: approval?.approvalCode,
    reference: approval?.rrn || String(order.orderId),
  });
}

/** What has happened to the money since: captures, refunds and releases, and what is left. */
function since(context: PageContext, receipt: Receipt): Piece {
  const { say } = context;
  const moves = laterMoves(receipt.order);
  if (moves.length === 0) return undefined;
  const rest = restOf(receipt.order);
  return html`<h2>${say('receiptSince')}</h2>
<dl class="receipt">
${moves.map((move) => moved(context, receipt, move))}
${rest !== undefined && html`<div class="rest"><dt>${say('receiptTotal')}</dt><dd>${amountIn(context, receipt, rest)}</dd></div>`}
</dl>`;
}

function moved(context: PageContext, receipt: Receipt, { type, amount, changedAt, stage }: Transaction): Html {
  const { say, language } = context;
  const when = stage === 'approved' ? momentText(changedAt, 'date', language) : say('standingOpen');
  const isReturned = type === 'reversal' && standingOf(receipt.order) === 'returned';
  return html`<div><dt>${say(isReturned ? 'typeReturned' : TYPES[type])}<span class="when">${when}</span></dt><dd>${amountIn(context, receipt, amount)}</dd></div>`;
}
