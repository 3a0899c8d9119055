// What a payer is told about an order: what it is for, how much it is, and why a card was declined.

import type { TransactionType } from '../../domain/order/transaction-types.ts';
import { AUTHENTICATION_CANCELLED, isAuthenticationDecline } from '../../domain/three-d-secure/authentication.ts';
import type { PayerOrder } from '../../processing/checkout/checkout.ts';
import { type Html, html, type Piece } from '../design/html.ts';
import { shownAmount } from './formats.ts';
import type { PageContext } from './layout.ts';
import { ownerOf } from './owner.ts';
import type { TextName } from './texts/en.ts';

/** A description may be very long; its beginning is enough for a payer. */
const MAX_DESCRIPTION = 300;

export function summary({ say, language }: PageContext, order: PayerOrder): Html {
  const { transaction, details, order: placed } = order;
  const { name: merchant } = ownerOf(order);
  const amount = shownAmount({ minor: transaction.amount, currency: placed.currency }, language);
  const [heading, note] = headings(transaction.type);
  const isFree = transaction.type === 'account-verification';
  return html`<section class="summary" aria-labelledby="what">
<h1 id="what">${say(heading, { merchant })}</h1>
<p class="amount">${isFree ? say('nothingCharged') : amount}</p>
${details.description !== undefined && html`<p class="description" dir="auto">${shortened(details.description)}</p>`}
${note && html`<p class="note">${say(note, { merchant, digits: payeeDigits(order) })}</p>`}
</section>`;
}

/** The names of the order, small and below everything else: only who asks about it needs them. */
export function orderLine({ say }: PageContext, { order }: Pick<PayerOrder, 'order'>): Html {
  const names = [
    say('orderNumber', { id: order.clientOrderId }),
    say('referenceNumber', { id: String(order.orderId) }),
  ];
  return html`<p class="order-id">${names.map((name) => html`<span>${name}</span> `)}</p>`;
}

/** The last digits of the card that receives the money. */
export function payeeDigits({ payee }: PayerOrder): string {
  return payee?.lastFour ?? '…';
}

function headings(type: TransactionType): [TextName, TextName?] {
  switch (type) {
    case 'payout':
      return ['payoutFrom', 'payoutNote'];
    case 'transfer':
      return ['transferBy', 'transferNote'];
    case 'account-verification':
      return ['verifyFor', 'verifyNote'];
    case 'preauth':
      return ['holdFor', 'holdNote'];
    default:
      return ['payTo'];
  }
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > MAX_DESCRIPTION ? `${characters.slice(0, MAX_DESCRIPTION).join('')}…` : text;
}

const REASONS: Readonly<Record<string, TextName>> = {
  '101': 'reasonExpired',
  '201': 'reasonExpired',
  '116': 'reasonFunds',
  '119': 'reasonNotPermitted',
  '120': 'reasonNotPermitted',
};

/**
 * The reason in words for the payer. The holder of a stolen card must not learn that its issuer knows, and a payee must
 * not learn how much money is in the account that pays.
 */
export function declineReason(code: string, type: TransactionType): TextName | undefined {
  if (type === 'payout' && REASONS[code] === 'reasonFunds') return undefined;
  // The payer cancelled it and knows why.
  if (code === AUTHENTICATION_CANCELLED) return undefined;
  return isAuthenticationDecline(code) ? 'reasonAuthentication' : (REASONS[code] ?? 'reasonOther');
}

export function issuersWords({ say }: PageContext, { issuerSays }: PayerOrder): Piece {
  return issuerSays !== undefined && html`<p>${say('bankSays')} <q dir="auto">${issuerSays}</q></p>`;
}
