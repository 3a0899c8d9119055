// Where a payer's browser is sent: the address of the pages of one order, good for as long as its hosted form is.

import { payableUntil } from '../../domain/order/hosted-form.ts';
import type { Order } from '../../domain/order/order.ts';
import type { PayerLinks } from './payer-links.ts';

export type PayerPages = {
  addressOf(order: Order): string;
};

/** The same for the same order, however often it is asked for. */
export function payerToken(order: Order, links: PayerLinks): string {
  return links.tokenOf({ ...order, until: payableUntil(order) });
}

export function payerPages(links: PayerLinks, baseUrl: () => string): PayerPages {
  return { addressOf: (order) => `${baseUrl()}/pay/${payerToken(order, links)}` };
}
