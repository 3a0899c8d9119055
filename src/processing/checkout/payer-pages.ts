// Where a payer's browser is sent: the URL of the pages of one order, which is valid for as long as its hosted form.

import { payableUntil } from '../../domain/order/hosted-form.ts';
import type { Order } from '../../domain/order/order.ts';
import type { PayerLinks } from './payer-links.ts';

export type PayerPages = {
  addressOf(order: Order): string;
};

/** An order always has the same token. */
export function payerToken(order: Order, links: PayerLinks): string {
  return links.tokenOf({ ...order, until: payableUntil(order) });
}

export function payerPages(links: PayerLinks, baseUrl: () => string): PayerPages {
  return { addressOf: (order) => `${baseUrl()}/pay/${payerToken(order, links)}` };
}
