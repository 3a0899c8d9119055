// The receipt that a payer gets by e-mail, as text and as HTML, in the language of the page the card was entered on. Of
// the card it tells the brand and the last four digits, and whatever else looks like a card number is masked.

import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import type { MailContent } from '../../domain/mail/mail-message.ts';
import { purposeOf } from '../../domain/order/order.ts';
import type { Receipt } from '../../processing/checkout/receipts.ts';
import { html } from '../design/html.ts';
import { shownAmount } from './formats.ts';
import { directionOf, knownLanguage, sayIn } from './language.ts';
import { ownerOf } from './owner.ts';
import type { TextName } from './texts/en.ts';

/** `sender`: the merchant, as whose message it is shown. */
export type ReceiptMailContent = MailContent & { readonly sender: string };

/** `url`: of the receipt's page. Only payments and holds have a receipt worth a message. */
export function receiptMail(
  receipt: Receipt,
  { language: tag, url }: { language: string; url: string },
): ReceiptMailContent | undefined {
  const { order, card, details, endpoint } = receipt;
  const { type, amount: minor, answer, changedAt } = purposeOf(order);
  const email = details.email ?? '';
  if ((type !== 'sale' && type !== 'preauth') || answer?.word !== 'approved') return undefined;
  // A card number in the place of a name must not travel through mail servers.
  if (maskCardNumbers(email) !== email) return undefined;
  const language = knownLanguage(tag) ?? 'en';
  const say = sayIn(language);
  const { name: merchant, sandbox } = ownerOf(receipt);
  const amount = shownAmount({ minor, currency: order.currency }, language);
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const title = say(type === 'preauth' ? 'heldTitle' : 'approvedTitle');
  const text = say(type === 'preauth' ? 'heldText' : 'approvedText', { merchant, amount });
  const rows = (
    [
      ['receiptMerchant', merchant],
      ['receiptAmount', amount],
      ['receiptDate', `${when.format(changedAt)} UTC`],
      ['receiptCard', card && say('cardEnding', { brand: card.brand, digits: card.lastFour })],
      ['receiptOrder', order.clientOrderId],
      ['receiptStatement', endpoint.descriptor],
      ['receiptApproval', answer.approvalCode],
      ['receiptReference', answer.rrn || String(order.orderId)],
    ] satisfies [TextName, string | undefined][]
  ).flatMap(([label, value]) => (value ? [[say(label), maskCardNumbers(value)] as const] : []));
  const test = sandbox ? say('mailTest') : undefined;
  const plain = [
    ...[test, title, '', maskCardNumbers(text), '', ...rows.map(([label, value]) => `${label}: ${value}`), ''],
    ...[say('mailOnline'), url, '', say('mailReason')],
  ];
  const page = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f8;color:#1a1d26;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:32rem;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
${test !== undefined && html`<p style="margin:0 0 16px;padding:8px 12px;background:#fff3cd;color:#4d3a00">${test}</p>`}
<h1 style="margin:0 0 8px;font-size:22px">${title}</h1>
<p style="margin:0 0 16px">${maskCardNumbers(text)}</p>
<table role="presentation" style="width:100%;border-collapse:collapse">
${rows.map(([label, value]) => html`<tr><td style="padding:8px 0;border-bottom:1px solid #d9dce4;color:#565d6d">${label}</td><td style="padding:8px 0;border-bottom:1px solid #d9dce4;text-align:end"><bdi>${value}</bdi></td></tr>`)}
</table>
<p style="margin:16px 0">${say('mailOnline')}<br><a href="${url}" style="color:#2347c5">${url}</a></p>
<p style="margin:0;color:#565d6d;font-size:14px">${say('mailReason')}</p>
</div></body></html>
`;
  return {
    sender: maskCardNumbers(merchant),
    subject: maskCardNumbers(say('mailSubject', { merchant })),
    text: plain.filter((line) => line !== undefined).join('\n'),
    html: page.text,
    language,
  };
}
