// The lines of a receipt, on the page after a payment and on the receipt's own page. Of a card only the brand and the
// last digits are told.

import { type Html, html, type Piece } from '../design/html.ts';
import type { PageContext } from './layout.ts';
import type { TextName } from './texts/en.ts';

type ShownCard = { readonly brand: string; readonly lastFour: string };

export type ReceiptLines = {
  readonly merchant: string;
  readonly type?: string;
  readonly amount: string | undefined;
  readonly date: Html;
  readonly card: ShownCard | undefined;
  /** Where the money went: a card, or an account whose number is masked. */
  readonly payee: ShownCard | string | undefined;
  readonly clientOrderId: string;
  readonly statement: string | undefined;
  readonly approvalCode: string | undefined;
  readonly reference: string | undefined;
};

/** What is not known has no line. */
export function receiptRows(context: PageContext, lines: ReceiptLines): Html {
  const cardText = ({ brand, lastFour }: ShownCard) => context.say('cardEnding', { brand, digits: lastFour });
  const { payee } = lines;
  const rows: [TextName, Piece][] = [
    ['receiptMerchant', theirs(lines.merchant)],
    ['receiptType', lines.type],
    ['receiptAmount', lines.amount],
    ['receiptDate', lines.date],
    ['receiptCard', lines.card && cardText(lines.card)],
    ['receiptPayee', typeof payee === 'string' ? theirs(payee) : payee && cardText(payee)],
    ['receiptOrder', theirs(lines.clientOrderId)],
    ['receiptStatement', theirs(lines.statement)],
    ['receiptApproval', theirs(lines.approvalCode)],
    ['receiptReference', theirs(lines.reference)],
  ];
  const shown = rows.filter(([, value]) => value !== undefined);
  return html`<dl class="receipt">${shown.map(([label, value]) => html`<div><dt>${context.say(label)}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Texts of others have their own direction, our sentences that of the page. */
function theirs(text: string | undefined): Html | undefined {
  return text ? html`<bdi>${text}</bdi>` : undefined;
}
