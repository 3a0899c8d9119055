// Where a payer's browser is sent: the URLs of the pages of one order, which are valid for as long as its hosted form.

import { payableUntil } from '../../domain/order/hosted-form.ts';
import { isMerchantInitiated, type Order } from '../../domain/order/order.ts';
import type { PayerLinks } from './payer-links.ts';

export type PayerPages = {
  addressOf(order: Order): string;
  /** The page that leads on to the address of the bank. */
  challengeOf(order: Order): string;
  /** Where the bank sends the payer back to; undefined when nobody is there who could be sent anywhere. */
  returnFromBank(order: Order): string | undefined;
};

/** An order always has the same token. */
export function payerToken(order: Order, links: PayerLinks): string {
  return links.tokenOf({ ...order, until: payableUntil(order) });
}

export function payerPages(links: PayerLinks, baseUrl: () => string): PayerPages {
  const challengeOf = (order: Order) => `${baseUrl()}/challenge/${payerToken(order, links)}`;
  return {
    addressOf: (order) => `${baseUrl()}/pay/${payerToken(order, links)}`,
    challengeOf,
    returnFromBank: (order) => (hasPayer(order) ? `${challengeOf(order)}/back` : undefined),
  };
}

/** Not when the merchant charges a stored card, nor when money is only paid out or asked about. */
function hasPayer(order: Order): boolean {
  return !isMerchantInitiated(order) && order.operation !== 'payout' && order.operation !== 'pan-eligibility';
}
